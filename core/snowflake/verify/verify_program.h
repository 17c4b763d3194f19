#pragma once
// Static checks of a program. What programs do never depends on data, so the checker runs their scalar code and looks
// at every load, trace and write-back, in the order of dispatch and without any notion of time: what it lets pass
// computes the same however fast loads are. Shares no code with the compiler or the simulator;
// docs/snowflake-program.md lists the rules.

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

/// What a program can be refused for. Messages begin with the rule's code.
enum class Rule {
  illegal_opcode,
  stray_bits,
  illegal_operand,
  block_size,
  block_place,
  branch_in_slot,
  branch_leaves_block,
  raw_pairs,
  load_in_jump_slot,
  jump_not_taken,
  jump_unloaded,
  runs_off,
  endless_loop,
  step_budget,
  trace_length,
  mixed_traces,
  cu_mask,
  buffer_end,
  never_loaded,
  early_load,
  load_race,
  load_length,
  load_source,
  never_written,
  output_place,
  write_race,
  output_missing,
};
inline constexpr int rule_count = static_cast<int>(Rule::output_missing) + 1;
std::string_view rule_code(Rule rule);  ///< e.g. "early-load"

struct VerifyLimits {
  /// Instructions that may run, ResNet-50 takes some 10^7; the work of looking at long loads and traces counts as well.
  std::int64_t steps = std::int64_t{1} << 28;
};

/// What the program did, for whoever wants to know.
struct VerifiedRun {
  bool ok = false;
  std::int64_t instructions = 0, vectors = 0, loads = 0, jumps = 0;
};

/// All rules; diagnostics name address, what is wrong, what was expected and a hint. Polls `stop` and throws Cancelled.
VerifiedRun verify_program(const Program& program, Diagnostics& diagnostics, const VerifyLimits& limits = {},
                           std::stop_token stop = {});

}  // namespace convscope::snowflake
