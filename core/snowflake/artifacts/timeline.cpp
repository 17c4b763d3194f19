#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/snowflake/artifacts/program_view.h"
#include "core/snowflake/simulate/recording.h"

namespace convscope::snowflake {
namespace {

using artifact::OperationClass;
using artifact::TimelineCell;

/// How an activity looks, and what it is called in every artifact.
struct Looks {
  OperationClass kind;
  const char* label;
  artifact::OperationKey key;
};

Looks looks_of(Activity activity) {
  switch (activity) {
    case Activity::issue:
      return {OperationClass::control, "issue", 0};
    case Activity::wait_raw:
      return {OperationClass::other, "waits for a result", 0};
    case Activity::wait_queue:
      return {OperationClass::other, "queue full", 0};
    case Activity::wait_load_unit:
    case Activity::stall_load_unit:
      return {OperationClass::other, "load unit full", 0};
    case Activity::wait_bank:
    case Activity::stall_bank:
      return {OperationClass::other, "waits for instructions", 0};
    case Activity::mac:
      return {OperationClass::multiply_accumulate, "MAC", work_key()};
    case Activity::max:
      return {OperationClass::activation, "MAX", work_key()};
    case Activity::vmov:
      return {OperationClass::read, "VMOV", work_key()};
    case Activity::stall_data:
      return {OperationClass::other, "waits for data", 0};
    case Activity::stall_bookkeeping:
      return {OperationClass::other, "bookkeeping", 0};
    case Activity::stall_store:
      return {OperationClass::other, "waits for stores", 0};
    case Activity::stall_gather:
      return {OperationClass::other, "gather adder", 0};
    case Activity::load_maps:
      return {OperationClass::pixels, "maps", load_key(LoadTarget::maps)};
    case Activity::load_kernels:
      return {OperationClass::coefficients, "kernels", load_key(LoadTarget::kernels)};
    case Activity::load_instructions:
      return {OperationClass::transfer, "instructions", 0};
    case Activity::store_outputs:
      return {OperationClass::write, "outputs", store_key()};
  }
  return {OperationClass::other, "", 0};
}

std::vector<std::string> resource_names(const Machine& machine) {
  std::vector<std::string> names{"control", "CUs"};
  for (int unit = 0; unit < machine.load_units; ++unit) names.push_back(fmt::format("load unit {}", unit));
  names.emplace_back("store");
  return names;
}

/// Place in `resource_names`; -1 for units that the machine doesn't have.
std::int32_t resource_of(Resource resource, const Machine& machine) {
  constexpr auto first_unit = static_cast<std::int32_t>(Resource::load_unit_0);
  if (resource == Resource::store) return first_unit + machine.load_units;
  const auto index = static_cast<std::int32_t>(resource);
  return index < first_unit + machine.load_units ? index : -1;
}

/// Whole cycles; what is shorter than one takes one.
void add_cell(artifact::TimelineSection& section, std::int32_t resource, const RecordedInterval& interval) {
  const Looks looks = looks_of(interval.activity);
  const std::int64_t end = std::min<std::int64_t>(section.length, std::llround(std::ceil(interval.end())));
  const std::int64_t begin = std::min<std::int64_t>(std::llround(std::floor(interval.begin)), end - 1);
  section.cells.push_back({resource, begin, end - begin, looks.key, 0, looks.kind, looks.label});
}

}  // namespace

std::shared_ptr<const artifact::Timeline> make_timeline(const Program& program, const std::stop_token& stop) {
  constexpr std::size_t most_cells = 60'000;  // the recorder joins what is more
  const Recording recorded = record(program, most_cells / resources, {}, stop);
  artifact::TimelineSection section{"run", std::llround(std::ceil(recorded.result.cycles)), 1, 0, 0, {}};
  for (std::size_t i = 0; i < resources; ++i) {
    const std::int32_t resource = resource_of(static_cast<Resource>(i), program.machine);
    if (resource < 0) continue;
    // A full queue is what the control pipeline aims at: then it has nothing to do.
    for (const RecordedInterval& interval : recorded.intervals[i])
      if (interval.activity != Activity::wait_queue) add_cell(section, resource, interval);
  }
  std::stable_sort(section.cells.begin(), section.cells.end(), [](const TimelineCell& a, const TimelineCell& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.resource < b.resource;
  });
  std::vector<artifact::TimelineSection> sections;
  sections.push_back(std::move(section));
  return std::make_shared<const artifact::Timeline>(resource_names(program.machine), std::move(sections));
}

}  // namespace convscope::snowflake
