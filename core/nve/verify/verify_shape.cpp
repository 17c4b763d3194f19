#include "core/nve/architecture/pass_order.h"
#include "core/nve/architecture/program_check.h"
#include "core/nve/verify/verify_program.h"
#include "core/nve/verify/verify_support.h"

namespace convscope::nve {
namespace {

using verification::Report;

void verify_kernel(const Program& program, Report& report) {
  if (program.lane_stride() < 1 || program.lane_stride() > largest_lane_stride)
    return report.error("layer", fmt::format("vertical subsampling {}", program.lane_stride()),
                        fmt::format("1 to {}", largest_lane_stride));
  const RegisterLayout layout(program.machine, program.lane_stride());
  const int phases = program.polyphase ? program.stride_height : 1;
  const int in_phase = (program.kernel_height + phases - 1) / phases;
  const int rows = (in_phase - 1) * program.dilation_height + 1;
  if (rows > layout.max_kernel_height())
    report.error("layer", fmt::format("kernel rows need {} pixels of the image register", layout.column_pixels(rows)),
                 fmt::format("at most {}", layout.register_pixels()));
}

void verify_inner_loop(const Program& program, Report& report) {
  const bool looped = program.passes != 0 || program.pass_size != 0;
  if ((looped || program.units != 0) && program.machine.loop == InnerLoop::off)
    report.error("settings", "passes or units, but the machine has no inner loop", "none");
  if (looped && (program.passes < 1 || program.pass_size < 1 || program.pass_size > program.repeat_size))
    return report.error("settings", fmt::format("{} passes of {} instructions", program.passes, program.pass_size),
                        fmt::format("1 or more, of at most {} that repeat", program.repeat_size));
  if (looped && program.cycles_per_iteration() > longest_iteration)
    report.error("settings", fmt::format("an iteration of {} cycles", program.cycles_per_iteration()),
                 fmt::format("at most {}", longest_iteration));
  if (program.bias_shift < 0 || program.bias_shift > program.machine.bias_shift)
    report.error("settings", fmt::format("a bias shift of {}", program.bias_shift),
                 fmt::format("0 to {}, the machine's largest", program.machine.bias_shift));
  if (program.units < 0 || program.lead < 0) return report.error("settings", "units or lead below 0", "0 or more");
  if (program.units == 0) return;
  if (const std::string complaint = pass_order_complaint(program); !complaint.empty())
    report.error("units", complaint, "units that a machine and its maps can take");
}

}  // namespace

void verify_shape(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  const Program& program = decoded.program;
  Report report(program, diagnostics);
  for (const auto& [address, error] : decoded.errors)
    report.at(address, "", error, "an encoded instruction of this machine");
  const auto size = static_cast<std::int64_t>(program.words.size());
  const std::int64_t sum = std::int64_t{program.initial_size} + program.repeat_size + program.final_size;
  if (program.initial_size < 0 || program.repeat_size < 0 || program.final_size < 0 || sum != size)
    report.error("settings", fmt::format("sections hold {} instructions", sum),
                 fmt::format("{}, as the program", size));
  if (program.prologue_begin < 0 || program.prologue_begin > program.initial_size)
    report.error("settings", fmt::format("prologue begins at {}", program.prologue_begin),
                 fmt::format("0 to {}, inside the initial section", program.initial_size));
  if (program.iterations < 0) report.error("settings", fmt::format("{} iterations", program.iterations), "0 or more");
  if (size > program.machine.instruction_buffer_words)
    report.error("program", fmt::format("{} instructions", size),
                 fmt::format("at most {}, the instruction buffer", program.machine.instruction_buffer_words));
  verify_inner_loop(program, report);
  verify_kernel(program, report);
}

}  // namespace convscope::nve
