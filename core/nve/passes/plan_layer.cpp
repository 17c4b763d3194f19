#include "core/nve/passes/plan_layer.h"

#include <algorithm>
#include <climits>
#include <limits>
#include <map>
#include <string>

#include "core/base/cancellation.h"
#include "core/base/key.h"
#include "core/nve/passes/choose_tiling.h"

namespace convscope::nve {
namespace {

// How often maps are divided anew because programs turned out larger than estimated.
constexpr int most_attempts = 32;

// How many ways to divide a layer are scheduled, once one fits.
constexpr std::size_t most_divisions = 4;

bool fits_registers(const Window& window, const SchedulingMachine& machine) {
  if (!window.polyphase && window.stride_height > largest_lane_stride) return false;
  const StoredColumn column = window.column(machine);
  return column.largest_span() <= column.registers().max_kernel_height();
}

// The vector's upper half is one word, and port B brings it.
bool halves(const Window& window, const SchedulingMachine& machine) {
  const StoredColumn column = window.column(machine);
  const RegisterLayout& registers = column.registers();
  return registers.stride == 1 && registers.words_per_set == 2 && registers.base_words == 2 &&
         machine.lanes == 2 * registers.pixels_per_word;
}

/// A way to divide a layer: its layout, and the most maps that a group may have.
struct Division {
  Window layout;
  int largest = 1;
  double cost = 0;
};

class Planner {
 public:
  Planner(const target::PassRun& run, const std::vector<std::vector<int>>& connections, const OutputSize& output,
          const Switches& switches, const Sharing& sharing, const SchedulingMachine& machine)
      : run_(run),
        connections_(connections),
        output_(output),
        switches_(switches),
        sharing_(switches.sharing ? sharing : Sharing{}),
        machine_(machine) {}

  LayerPlan plan(const Window& window) {
    std::vector<Division> divisions;
    for (const Window& layout : layouts_of(window, switches_, machine_)) {
      known_.clear();
      for (const int largest : group_sizes()) {
        const Partition partition = estimated(layout, largest, {});
        if (!partition.groups.empty()) divisions.push_back({layout, largest, cost_of(partition, layout)});
      }
    }
    std::stable_sort(divisions.begin(), divisions.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    LayerPlan best{window, {}};
    double least = std::numeric_limits<double>::max();
    // Programs that turn out larger than estimated are divided again, so that the next best may be better.
    for (std::size_t i = 0; i < divisions.size() && divisions[i].cost < least; ++i) {
      if (!best.groups.empty() && i >= most_divisions) break;
      const Division& division = divisions[i];
      known_.clear();
      const Partition partition = fitting(division);
      if (partition.groups.empty()) continue;
      const double cost = cost_of(partition, division.layout);
      if (cost < least) least = cost, best = {division.layout, partition.groups};
    }
    if (switches_.tiling) tile(best);
    return best;
  }

 private:
  using Structures = std::vector<Structure>;

  // Groups of one structure are tiled alike.
  void tile(LayerPlan& plan) const {
    std::map<std::string, int> tiles;
    for (MapGroup& group : plan.groups) {
      const auto [known, is_new] = tiles.try_emplace(KeyBuilder().add(group.structure).take(), 1);
      if (is_new) known->second = best_tiling(run_, group, plan.window, switches_, output_, machine_).tiles;
      if (known->second > 1) group = tiled(group, known->second);
    }
  }

  // As many maps as fit, or so few that there are 2, 3, … groups for the cores.
  std::vector<int> group_sizes() const {
    if (!switches_.fusion) return {1};
    std::vector<int> sizes{machine_.instruction_buffer_words};
    if (!switches_.partition || sharing_.cores == 1) return sizes;
    const int maps = static_cast<int>(connections_.size());
    for (int groups = 1; groups <= maps; ++groups)
      if (const int size = (maps + groups - 1) / groups; size < sizes.back()) sizes.push_back(size);
    return sizes;
  }

  std::optional<ProgramCost> estimate(const Structure& structure, const Window& window) {
    throw_if_stopped(run_.stop);
    const auto [known, is_new] = known_.try_emplace(KeyBuilder().add(structure).take());
    if (is_new) known->second = estimate_program(structure, window, switches_, output_, machine_);
    return known->second;
  }

  Partition estimated(const Window& window, int largest, const Structures& forbidden) {
    return partition_maps(connections_, largest, [&](const Structure& structure) -> std::optional<ProgramCost> {
      if (std::find(forbidden.begin(), forbidden.end(), structure) != forbidden.end()) return std::nullopt;
      return estimate(structure, window);
    });
  }

  // 32 for a cycle, as in ProgramCost. Words out are the same for every plan but for their last strip.
  double cost_of(const Partition& partition, const Window& window) {
    const ProgramCost& sum = partition.cost;
    std::int64_t busiest = sum.cycles;
    if (sharing_.cores > 1) {
      std::vector<std::int64_t> cycles;
      for (const MapGroup& group : partition.groups)
        cycles.push_back(estimate(group.structure, window).value_or(ProgramCost{}).cycles);
      busiest = busiest_core(std::move(cycles), sharing_.cores);
    }
    const double out = static_cast<double>(connections_.size()) * output_.columns *
                       ((output_.rows + machine_.pixels_per_word() - 1) / machine_.pixels_per_word());
    const double transfers = (static_cast<double>(sum.words) + out) * sharing_.word_cycles +
                             static_cast<double>(sum.pixel_words) * sharing_.pixel_word_cycles +
                             static_cast<double>(sum.columns) * sharing_.column_cycles;
    return 32 * std::max(static_cast<double>(busiest), transfers) + static_cast<double>(sum.words);
  }

  bool fits(const MapGroup& group, const Window& window) const {
    throw_if_stopped(run_.stop);
    return schedule_structure(run_, group.structure, window, switches_, machine_)->reason.empty();
  }

  Partition fitting(const Division& division) {
    const Window& window = division.layout;
    if (switches_.fusion && !switches_.partition) return greedy(window);
    Structures forbidden;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      Partition partition = estimated(window, division.largest, forbidden);
      const std::size_t before = forbidden.size();
      for (const MapGroup& group : partition.groups) {
        if (std::find(forbidden.begin(), forbidden.end(), group.structure) != forbidden.end()) continue;
        if (!fits(group, window)) forbidden.push_back(group.structure);
      }
      if (forbidden.size() == before) return partition;
    }
    return {};
  }

  Partition greedy(const Window& window) {
    auto groups = fuse_maps(connections_, [&](const MapGroup& group) {
      const auto program = schedule_structure(run_, group.structure, window, switches_, machine_);
      return program->reason.empty() ? program->instructions() : INT_MAX;
    });
    const bool all = std::all_of(groups.begin(), groups.end(), [&](const auto& each) { return fits(each, window); });
    if (!all) return {};
    Partition partition{std::move(groups), {}};
    for (const MapGroup& group : partition.groups)
      if (const auto cost = estimate(group.structure, window)) partition.cost = partition.cost + *cost;
    return partition;
  }

  const target::PassRun& run_;
  const std::vector<std::vector<int>>& connections_;
  const OutputSize& output_;
  const Switches& switches_;
  const Sharing sharing_;
  const SchedulingMachine& machine_;
  std::map<std::string, std::optional<ProgramCost>> known_;  // of one layout, by structure
};

}  // namespace

std::vector<Window> layouts_of(const Window& window, const Switches& switches, const SchedulingMachine& machine) {
  std::vector<Window> layouts{window};
  if (switches.polyphase && window.stride_height > 1 && window.dilation_height == 1) {
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
                     const OutputSize& output, const Switches& switches, const Sharing& sharing,
                     const SchedulingMachine& machine) {
  return Planner(run, connections, output, switches, sharing, machine).plan(window);
}

}  // namespace convscope::nve
