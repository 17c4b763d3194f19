#include "core/snowflake/examine_program.h"

#include <cmath>

#include <fmt/format.h>

#include "core/snowflake/host/run.h"
#include "core/snowflake/verify/verify_program.h"
#include "core/target/examine.h"

namespace convscope::snowflake {
namespace {

constexpr std::uint64_t examined_seed = 1;

artifact::NamedQuantity examined(const char* key, double value, const char* unit, Origin origin) {
  return {key, {value, unit, origin}};
}

/// Where maps and kernels lie is the program's own affair; what kind of region they come from and go to is not.
MapsPlace plain_place(const Program& program, MapsPlace place) {
  const auto count = static_cast<int>(program.regions.size());
  const bool known = place.region >= 0 && place.region < count;
  place.region = known ? static_cast<int>(program.regions[static_cast<std::size_t>(place.region)].kind) : -1;
  place.offset = 0;
  place.pitch = 1;
  return place;
}

ProgramLayer plain_layer(const Program& program, ProgramLayer layer) {
  layer.name.clear();
  layer.in = plain_place(program, layer.in);
  layer.out = plain_place(program, layer.out);
  layer.bypass = plain_place(program, layer.bypass);
  layer.kernels = {};
  return layer;
}

bool same_machine(const Program& program, const Program& wanted, const Location& where, Diagnostics& diagnostics) {
  if (program.machine == wanted.machine) return true;
  target::refuse_machine(parameter_values(program.machine), parameter_values(wanted.machine), where, diagnostics);
  return false;
}

bool same_layers(const Program& program, const Program& wanted, const Location& where, Diagnostics& diagnostics) {
  bool same = program.layers.size() == wanted.layers.size();
  for (std::size_t i = 0; same && i < program.layers.size(); ++i)
    same = plain_layer(program, program.layers[i]) == plain_layer(wanted, wanted.layers[i]);
  if (!same)
    diagnostics.error(where, "computes something else",
                      fmt::format("the {} layer(s) of {}: maps, kernel, stride, padding, fixed point as there",
                                  wanted.layers.size(), wanted.name));
  return same;
}

}  // namespace

target::Examination examine_program(const Program& program, const Program& wanted, const std::string& file,
                                    std::int64_t steps, const std::stop_token& stop, Diagnostics& diagnostics) {
  const Location where{file, 0, {}};
  target::Examination result;
  result.same_task =
      same_machine(program, wanted, where, diagnostics) && same_layers(program, wanted, where, diagnostics);
  if (!result.same_task) return result;
  const VerifiedRun verified = verify_program(program, diagnostics, {steps}, stop);
  result.verified = verified.ok;
  if (!verified.ok) return result;
  const auto run = run_and_compare(program, examined_seed, diagnostics, {steps}, stop);
  if (!run) return result;
  if (!run->equal()) diagnostics.error(where, run->text(), "the outputs of the fixed-point reference");
  result.matches = run->equal();
  result.figures = {
      examined("cycles", static_cast<double>(std::llround(run->result.cycles)), "cycles", Origin::simulated),
      examined("instructions", static_cast<double>(program.code.size()), "", Origin::derived)};
  return result;
}

}  // namespace convscope::snowflake
