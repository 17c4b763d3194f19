#pragma once
// A program written by hand: two TLTs of a TLE, one input map of 4 x 4 multicast by TLT 0, two filters of 1 x 1 each.

#include <string>
#include <string_view>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// Its instructions; tests leave lines out or put others in their place.
std::string hand_code();
/// `text` with `by` for its only `line`.
std::string with_line(const std::string& text, std::string_view line, std::string_view by);

/// 16-bit elements, weights at DRAM byte 1024 on, output at 3072, shift 2, biases 10, 20, 30, 40; burst level, commands
/// of 100 ns, CAS 10 ns, 1 byte a ns, 1 MAC a cycle of 1 ns. Traffic as it runs.
Program hand_program(const std::string& code = hand_code());

}  // namespace convscope::nmp
