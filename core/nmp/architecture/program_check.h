#pragma once
// What a program must keep so that it can be shown, verified and run at all. Whether it is right is the verifier's
// business.

#include "core/base/diagnostic.h"
#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// The machine is one that programs run on, all fields are in range, regions lie apart in DRAM, maps and weights in
/// their regions, ranges in the code, and every TLT has its data.
bool check_program(const Program& program, const std::string& file, Diagnostics& diagnostics);

}  // namespace convscope::nmp
