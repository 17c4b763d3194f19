#include "core/nve/examine_program.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/nve/check_program.h"
#include "core/nve/verify/verify_program.h"
#include "core/target/examine.h"

namespace convscope::nve {
namespace {

artifact::NamedQuantity examined(const char* key, std::int64_t value, const char* unit, Origin origin) {
  return {key, {static_cast<double>(value), unit, origin}};
}

/// Names and the order of inputs change nothing.
network::Layer plain_layer(const Program& program) {
  network::Layer layer = layer_of(program);
  layer.name.clear();
  for (std::vector<int>& inputs : layer.inputs) std::sort(inputs.begin(), inputs.end());
  return layer;
}

std::string geometry(const network::Layer& layer) {
  return fmt::format("{}x{} over {} maps of {}x{}, stride {}x{}, to {} maps of {}x{}", layer.kernel.height,
                     layer.kernel.width, layer.in.maps, layer.in.size.height, layer.in.size.width, layer.stride.height,
                     layer.stride.width, layer.out.maps, layer.out.size.height, layer.out.size.width);
}

bool same_machine(const Program& program, const Program& wanted, const Location& where, Diagnostics& diagnostics) {
  if (program.machine == wanted.machine) return true;
  target::refuse_machine(parameter_values(program.machine), parameter_values(wanted.machine), where, diagnostics);
  return false;
}

bool same_layer(const Program& program, const Program& wanted, const Location& where, Diagnostics& diagnostics) {
  const network::Layer own = plain_layer(program), ours = plain_layer(wanted);
  if (own == ours && program.activation_shift == wanted.activation_shift && program.bias_shift == wanted.bias_shift)
    return true;
  diagnostics.error(where, "computes something else: " + geometry(own),
                    geometry(ours) + ", with the same connections, padding and activation");
  return false;
}

/// Cycles of a strip as hostile sizes have them; nothing if they are more than 64 bits count.
std::optional<std::int64_t> strip_cycles(const Program& program) {
  std::int64_t repeated = 0;
  if (__builtin_mul_overflow(program.cycles_per_iteration(), std::int64_t{program.iterations}, &repeated) ||
      __builtin_add_overflow(repeated, std::int64_t{program.initial_size} + program.final_size, &repeated))
    return std::nullopt;
  return repeated;
}

bool within(const Program& program, std::int64_t steps, const Location& where, Diagnostics& diagnostics) {
  const auto strip = strip_cycles(program);
  if (strip && *strip <= steps / std::max(1, program.strips())) return true;
  diagnostics.error(where,
                    strip ? fmt::format("takes {} cycles for each of {} strips", *strip, program.strips())
                          : std::string("takes more cycles than can be counted"),
                    fmt::format("at most {} together", steps));
  return false;
}

}  // namespace

target::Examination examine_program(const Program& program, const Program& wanted, const std::string& file,
                                    std::int64_t steps, const std::stop_token& stop, Diagnostics& diagnostics) {
  const Location where{file, 0, {}};
  target::Examination result;
  result.same_task =
      same_machine(program, wanted, where, diagnostics) && same_layer(program, wanted, where, diagnostics);
  if (!result.same_task || !within(program, steps, where, diagnostics)) return result;
  result.verified = verify_program(program, diagnostics);
  if (!result.verified) return result;
  const std::int64_t cycles = program.cycles_per_strip() * program.strips();
  result.figures = {examined("cycles", cycles, "cycles", Origin::derived),
                    examined("instructions", static_cast<std::int64_t>(program.words.size()), "", Origin::derived),
                    examined("initiation_interval", program.cycles_per_iteration(), "cycles", Origin::derived)};
  const ProgramCheck check = check_programs({program}, layer_of(program), {}, stop, diagnostics);
  result.matches = check.ran && check.matches;
  return result;
}

}  // namespace convscope::nve
