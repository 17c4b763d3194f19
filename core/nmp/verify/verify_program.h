#pragma once
// Checks of a program by vector clocks. What cores do never depends on data, so the verifier runs their code without
// any notion of time, in one order of many, and keeps for every access what it is ordered after: what it lets pass
// computes the same however long anything takes. Shares no code with the generator and, but for the scalar core, none
// with the simulator; docs/nmp-program.md lists the rules and says why one order tells for all.

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// What a program can be refused for. Messages begin with the rule's code.
enum class Rule : std::uint8_t {
  malformed,        ///< not a program at all
  illegal_word,     ///< no instruction, or the code ends
  illegal_operand,  ///< a register, mask or address that the machine refuses
  memory_end,       ///< beyond the end of a local memory
  outside_region,   ///< DRAM that is none of the program's, or may not be written
  never_written,    ///< bytes that nothing has written are read
  race,             ///< two accesses to a byte that no semaphore orders
  post_order,       ///< which posts a wait takes depends on timing
  deadlock,
  halts_early,  ///< fewer syncs than the others
  posts_left,   ///< nobody waited for them
  wide_sum,     ///< a sum may need more than 48 bits
  traffic,      ///< other bytes than planned
  output_missing,
  step_budget,
};
inline constexpr int rule_count = static_cast<int>(Rule::step_budget) + 1;
std::string_view rule_code(Rule rule);  ///< e.g. "never-written"

struct VerifyLimits {
  std::int64_t steps = std::int64_t{1} << 26;  ///< instructions that may run; eight times as many looks at bytes
};

/// What the program did, for whoever wants to know.
struct VerifiedRun {
  bool ok = false;
  std::int64_t instructions = 0, transfers = 0, convolutions = 0;
};

/// All rules; diagnostics name instruction, TLE, TLT, how many the core has run before it, and the byte. Polls `stop`
/// and throws Cancelled.
VerifiedRun verify_program(const Program& program, Diagnostics& diagnostics, const VerifyLimits& limits = {},
                           const std::stop_token& stop = {});

}  // namespace convscope::nmp
