#include "core/nve/passes/plan_layer.h"

#include <algorithm>
#include <climits>

#include "core/base/cancellation.h"

namespace convscope::nve {
namespace {

// How often maps are divided anew because programs turned out larger than estimated.
constexpr int most_attempts = 32;

bool fits_registers(const Window& window, const SchedulingMachine& machine) {
  const StoredColumn column = window.column(machine);
  return column.largest_kernel() <= column.registers().max_kernel_height();
}

// The vector's upper half is one word, and port B brings it.
bool halves(const Window& window, const SchedulingMachine& machine) {
  const StoredColumn column = window.column(machine);
  const RegisterLayout& registers = column.registers();
  return registers.stride == 1 && registers.words_per_set == 2 && registers.base_words == 2 &&
         machine.lanes == 2 * registers.pixels_per_word;
}

class Planner {
 public:
  Planner(const target::PassRun& run, const std::vector<std::vector<int>>& connections, const OutputSize& output,
          const Switches& switches, const SchedulingMachine& machine)
      : run_(run), connections_(connections), output_(output), switches_(switches), machine_(machine) {}

  LayerPlan plan(const Window& window) const {
    std::vector<std::pair<ProgramCost, Window>> layouts;
    for (const Window& layout : layouts_of(window, switches_, machine_)) {
      const Partition partition = estimated(layout, {});
      if (!partition.groups.empty()) layouts.emplace_back(partition.cost, layout);
    }
    std::stable_sort(layouts.begin(), layouts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [cost, layout] : layouts) {
      LayerPlan plan{layout, groups(layout)};
      if (!plan.groups.empty()) return plan;
    }
    return {window, {}};
  }

 private:
  using Structures = std::vector<Structure>;

  Partition estimated(const Window& window, const Structures& forbidden) const {
    const int largest = switches_.fusion ? machine_.instruction_buffer_words : 1;
    return partition_maps(connections_, largest, [&](const Structure& structure) -> std::optional<ProgramCost> {
      throw_if_stopped(run_.stop);
      if (std::find(forbidden.begin(), forbidden.end(), structure) != forbidden.end()) return std::nullopt;
      return estimate_program(structure, window, switches_, output_, machine_);
    });
  }

  bool fits(const MapGroup& group, const Window& window) const {
    throw_if_stopped(run_.stop);
    return schedule_structure(run_, group.structure, window, switches_, machine_)->reason.empty();
  }

  std::vector<MapGroup> groups(const Window& window) const {
    if (switches_.fusion && !switches_.partition) return greedy(window);
    Structures forbidden;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      Partition partition = estimated(window, forbidden);
      const std::size_t before = forbidden.size();
      for (const MapGroup& group : partition.groups) {
        if (std::find(forbidden.begin(), forbidden.end(), group.structure) != forbidden.end()) continue;
        if (!fits(group, window)) forbidden.push_back(group.structure);
      }
      if (forbidden.size() == before) return std::move(partition.groups);
    }
    return {};
  }

  std::vector<MapGroup> greedy(const Window& window) const {
    auto groups = fuse_maps(connections_, [&](const MapGroup& group) {
      const auto program = schedule_structure(run_, group.structure, window, switches_, machine_);
      return program->reason.empty() ? program->instructions() : INT_MAX;
    });
    const bool all = std::all_of(groups.begin(), groups.end(), [&](const auto& each) { return fits(each, window); });
    return all ? groups : std::vector<MapGroup>{};
  }

  const target::PassRun& run_;
  const std::vector<std::vector<int>>& connections_;
  const OutputSize& output_;
  const Switches& switches_;
  const SchedulingMachine& machine_;
};

}  // namespace

std::vector<Window> layouts_of(const Window& window, const Switches& switches, const SchedulingMachine& machine) {
  std::vector<Window> layouts{window};
  if (switches.polyphase && window.stride_height > 1) {
    layouts.push_back(window);
    layouts.back().polyphase = true;
  }
  for (std::size_t i = 0, count = layouts.size(); switches.half_vector && i < count; ++i) {
    if (!halves(layouts[i], machine)) continue;
    layouts.push_back(layouts[i]);
    layouts.back().half_vector = true;
  }
  layouts.erase(std::remove_if(layouts.begin(), layouts.end(),
                               [&](const Window& layout) { return !fits_registers(layout, machine); }),
                layouts.end());
  return layouts;
}

LayerPlan plan_layer(const target::PassRun& run, const std::vector<std::vector<int>>& connections, const Window& window,
                     const OutputSize& output, const Switches& switches, const SchedulingMachine& machine) {
  return Planner(run, connections, output, switches, machine).plan(window);
}

}  // namespace convscope::nve
