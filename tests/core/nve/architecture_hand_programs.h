#pragma once
// Programs written by hand, a small builder for machines of any shape, and the host around them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/nve/architecture/assembly.h"
#include "core/nve/simulate/simulator.h"

namespace convscope::nve::hand {

/// out(y, x) = act(b + w * p(y, x)): 16 x 4 outputs.
extern const char* const one_by_one;
/// A 3x3 filter: 16 x 5 outputs. Coefficients are packed so that no set rw meets a set ri.
extern const char* const three_by_three;

/// Asserts that the text is correct.
Program program(const std::string& text);

/// The text with the first occurrence of `from` replaced; asserts that there is one.
std::string replaced(const std::string& text, const std::string& from, const std::string& to);

/// A 1x1 program with one input for any machine and stride, not overlapped; 5 columns.
Program build_one_by_one(const Machine& machine, int stride);
/// The same for two banks, but each port reads what lies in the other's.
Program read_of_the_other_bank();

/// Activation used by all tests: entry i is i / 4, so that accumulators show.
const ActivationTable& activation();

struct Execution {
  StripRun run;
  std::vector<std::uint8_t> outputs;   ///< (map, row, column), row-major per map
  std::vector<std::uint8_t> expected;  ///< by a plain loop
};

/// Supplies seeded pixels and coefficients, and computes what must come out. Only for programs of one strip.
Execution execute(const Program& program);

}  // namespace convscope::nve::hand
