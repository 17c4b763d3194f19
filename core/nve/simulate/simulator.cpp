#include "core/nve/simulate/simulator.h"

#include <fmt/format.h>

#include "core/nve/architecture/pass_order.h"
#include "core/nve/simulate/strip_simulator.h"

namespace convscope::nve {
namespace {

bool in_range(int position, std::size_t size) {
  return position >= 0 && static_cast<std::size_t>(position) < size;
}

bool stream_fits(const Program& program, const SectionTraffic& traffic) {
  for (const StreamWord& item : traffic.stream) {
    if ((item.kind == StreamWord::Kind::unit || item.kind == StreamWord::Kind::ordered) && program.units < 1)
      return false;
    if (item.kind == StreamWord::Kind::coefficients && !in_range(item.index, program.coefficient_words.size()))
      return false;
  }
  for (const OutputWord& item : traffic.outputs)
    if (!in_range(item.map, program.maps.size()) || !in_range(item.half, 2)) return false;
  return true;
}

}  // namespace

std::string structure_complaint(const Program& program) {
  const auto size = std::int64_t{program.initial_size} + program.repeat_size + program.final_size;
  if (program.initial_size < 0 || program.repeat_size < 0 || program.final_size < 0 ||
      size != static_cast<std::int64_t>(program.words.size()))
    return fmt::format("sections of {}, {} and {} instructions; expected {} in all", program.initial_size,
                       program.repeat_size, program.final_size, program.words.size());
  if (program.pass_size < 0 || program.pass_size > program.repeat_size || program.passes < 0)
    return fmt::format("{} passes of {} of {} instructions that repeat", program.passes, program.pass_size,
                       program.repeat_size);
  if (program.units > 0)
    if (std::string complaint = pass_order_complaint(program); !complaint.empty()) return complaint;
  if (program.lane_stride() < 1 || program.lane_stride() > largest_lane_stride)
    return fmt::format("vertical subsampling {}; expected 1 to {}", program.lane_stride(), largest_lane_stride);
  for (const SectionTraffic* traffic : {&program.initial, &program.repeat, &program.pass, &program.final})
    if (!stream_fits(program, *traffic)) return "traffic names a coefficient word, map or half that does not exist";
  return {};
}

StripRun run_strip(const Program& program, const ActivationTable& activation, const Host& host,
                   const std::stop_token& stop) {
  if (std::string complaint = structure_complaint(program); !complaint.empty()) {
    StripRun run;
    run.hazard = Hazard{0, 0, "load", std::move(complaint)};
    return run;
  }
  simulation::NoObserver observer;
  return simulation::StripSimulator(program, activation, host, observer).run(stop);
}

}  // namespace convscope::nve
