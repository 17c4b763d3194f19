#include "core/nve/passes/plan_looped.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "core/base/cancellation.h"

namespace convscope::nve {
namespace {

constexpr int most_units = 64;    // of a pass; programs need few
constexpr int tried_units = 8;    // ways to fill a pass, from the smallest that works on
constexpr int products_at_8 = 9;  // of a 3x3 kernel: a shift of 8 shows its sums

/// A shape's body in figures. Inputs play no part but in how many passes there are.
struct LoopedBodyCost {
  LoopedShape shape;
  int around = 0, head = 0, pass = 0, instructions = 0;
};

// The lead for which head and pass take least.
std::optional<LoopedBodyCost> best_lead(LoopedShape shape, const Window& window, const SchedulingMachine& machine) {
  const int per_word = machine.coefficients_per_set(), first = machine.read_to_set + machine.set_to_use;
  std::optional<LoopedBodyCost> best;
  for (int last_lead = 1; last_lead < per_word; ++last_lead) {
    const int words = last_lead >= first ? 0 : (first - last_lead + per_word - 1) / per_word;
    shape.lead = last_lead + words * per_word;
    const auto body = place_looped(shape, window, machine);
    if (!body || !LoopedLayout(shape, window, machine).fits()) continue;
    const LoopedCost cost = looped_cost(shape, *body, window, 0, machine);
    if (cost.instructions > machine.instruction_buffer_words) continue;
    if (best && std::tie(body->pass.length, body->head.length) >= std::tie(best->pass, best->head)) continue;
    best =
        LoopedBodyCost{shape, static_cast<int>(cost.cycles), body->head.length, body->pass.length, cost.instructions};
  }
  return best;
}

std::vector<LoopedBodyCost> bodies_of(const target::PassRun& run, int maps, const Window& window,
                                      const SchedulingMachine& machine) {
  std::vector<LoopedBodyCost> bodies;
  if (machine.coefficients_per_set() < 2) return bodies;
  int tried = 0;
  for (int units = 1; units <= most_units && tried < tried_units; ++units) {
    throw_if_stopped(run.stop);
    if (2 * maps * units * window.kernel_height > machine.instruction_buffer_words) break;
    // One input more than a pass takes, so that there is a pass besides the head.
    const auto best = best_lead({units + 1, maps, units, 0}, window, machine);
    if (!best) continue;
    bodies.push_back(*best);
    ++tried;
  }
  return bodies;
}

constexpr target::Pass looped_bodies{"nve.looped_bodies", bodies_of};

/// Over a strip.
LoopedCost strip_cost(const LoopedBodyCost& body, const LoopedShape& shape, const Window& window, int columns,
                      const SchedulingMachine& machine) {
  const LoopedSizes sizes(shape, window, machine);
  const int further = sizes.passes - 1, pass_words = shape.units * sizes.column_words + sizes.ordered_words;
  const std::int64_t iteration = body.head + std::int64_t{further} * body.pass;
  return {body.instructions, body.around + iteration * columns,
          sizes.resident_words + 1 + 2 * pass_words + std::int64_t{columns} * sizes.passes * pass_words};
}

bool better(const LoopedCost& one, const LoopedCost& other) {
  return std::tie(one.cycles, one.words, one.instructions) < std::tie(other.cycles, other.words, other.instructions);
}

class Divider {
 public:
  Divider(const target::PassRun& run, int inputs, int blocks, const std::vector<Window>& layouts,
          const OutputSize& output, int cores, const SchedulingMachine& machine)
      : run_(run),
        inputs_(inputs),
        blocks_(blocks),
        layouts_(layouts),
        output_(output),
        cores_(cores),
        machine_(machine) {}

  std::vector<LoopedGroup> divide(int maps) {
    int most = std::min(maps, machine_.accumulators);
    while (most > 0 && !group_of(most)) --most;
    if (most == 0) return {};
    std::vector<LoopedGroup> best;
    std::int64_t least = 0;
    const int fewest = (maps + most - 1) / most;
    std::vector<int> sizes{most};
    for (int groups = fewest; groups < fewest + 2; ++groups) sizes.push_back((maps + groups - 1) / groups);
    if (cores_ > 1) sizes.push_back(std::max(1, maps / ((fewest + cores_ - 1) / cores_ * cores_)));
    for (const int size : sizes) {
      std::vector<LoopedGroup> groups = cut(maps, size);
      const std::int64_t cycles = busiest(groups);
      if (groups.empty() || (!best.empty() && cycles >= least)) continue;
      best = std::move(groups);
      least = cycles;
    }
    return best;
  }

 private:
  // Asked for each group, of which all but one or two are alike.
  std::optional<LoopedGroup> group_of(int maps) {
    const auto [known, is_new] = known_.try_emplace(maps);
    if (is_new) known->second = best_group_of(maps);
    return known->second;
  }

  std::optional<LoopedGroup> best_group_of(int maps) const {
    std::optional<LoopedGroup> best;
    for (const Window& window : layouts_) {
      const auto bodies = looped_bodies(run_, maps, window, machine_);
      for (const LoopedBodyCost& body : *bodies) {
        LoopedShape shape = body.shape;
        shape.inputs = inputs_;
        const LoopedCost cost = strip_cost(body, shape, window, output_.columns, machine_);
        if (!best || better(cost, best->cost)) best = LoopedGroup{shape, window, cost};
      }
    }
    return best;
  }

  std::vector<LoopedGroup> cut(int maps, int size) {
    std::vector<LoopedGroup> groups;
    for (int left = maps; left > 0; left -= groups.back().shape.maps) {
      const auto group = group_of(std::min(left, size));
      if (!group) return {};
      groups.push_back(*group);
    }
    return groups;
  }

  std::int64_t busiest(const std::vector<LoopedGroup>& groups) const {
    std::vector<std::int64_t> cycles;
    std::int64_t sum = 0;
    for (const LoopedGroup& group : groups) {
      sum += group.cost.cycles;
      for (int block = 0; cores_ > 1 && block < blocks_; ++block) cycles.push_back(group.cost.cycles);
    }
    return cores_ > 1 ? busiest_core(std::move(cycles), cores_) : sum * blocks_;
  }

  const target::PassRun& run_;
  int inputs_, blocks_;
  const std::vector<Window>& layouts_;
  OutputSize output_;
  int cores_;
  const SchedulingMachine& machine_;
  std::map<int, std::optional<LoopedGroup>> known_;
};

StructureProgram make_scaled(const target::PassRun&, const LoopedShape& shape, const Window& window, int products,
                             const SchedulingMachine& machine) {
  const SumScale scale = scale_sums(products, machine);
  return make_looped(shape, window, scale.activation_shift, scale.bias_shift, machine);
}

constexpr target::Pass scaled_program{"nve.looped", make_scaled};

}  // namespace

std::vector<LoopedGroup> divide_looped(const target::PassRun& run, int inputs, int maps, int blocks,
                                       const std::vector<Window>& layouts, const OutputSize& output, int cores,
                                       const SchedulingMachine& machine) {
  return Divider(run, inputs, blocks, layouts, output, cores, machine).divide(maps);
}

target::Remembered<StructureProgram> looped_program(const target::PassRun& run, const LoopedShape& shape,
                                                    const Window& window, int products,
                                                    const SchedulingMachine& machine) {
  return scaled_program(run, shape, window, products, machine);
}

SumScale scale_sums(int products, const SchedulingMachine& machine) {
  SumScale scale;
  for (std::int64_t root = products_at_8; scale.bias_shift < machine.bias_shift && root < products; root *= 4)
    ++scale.bias_shift;
  scale.activation_shift += scale.bias_shift;
  return scale;
}

std::int64_t largest_weight(std::int64_t products, const SumScale& scale) {
  constexpr std::int64_t largest_sum = INT32_MAX, largest_pixel = 255, largest_bias = 32768;
  return std::max<std::int64_t>(0, (largest_sum - (largest_bias << scale.bias_shift)) / (largest_pixel * products));
}

}  // namespace convscope::nve
