#include "core/cpu/tree/loops.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace convscope::cpu {
namespace {

constexpr char dimensions[] = {'M', 'H', 'W', 'Y', 'X', 'C'};

int tiles(const std::vector<TileRun>& runs) {
  int tiles = 0;
  for (const TileRun& run : runs) tiles += run.count;
  return tiles;
}

std::string lower(char dimension) {
  return std::string(1, static_cast<char>(std::tolower(dimension)));
}

bool chosen_before(const std::vector<std::string>& chosen, const std::string& name) {
  return std::find(chosen.begin(), chosen.end(), name) != chosen.end();
}

void append(const Plan& plan, char dimension, std::vector<LoopSpec>& list) {
  using enum LoopSpec::Part;
  const std::int64_t trips = iterations(plan, dimension);
  const int factor = plan.block(dimension);
  const std::string name = lower(dimension);
  if (factor > 0) list.push_back({name + "o", dimension, outer, trips / factor});
  if (plan.inside(dimension) || trips <= 1) return;
  if (factor > 0)
    list.push_back({name + "i", dimension, inner, factor});
  else
    list.push_back({name, dimension, whole, trips});
}

/// From the loop at a depth of the order on, of so many outputs as one iteration around it has.
double share_within(const Plan& plan, const std::vector<LoopSpec>& loops, std::size_t depth) {
  const LoopSpec* loop = depth < plan.order.size() ? find_loop(loops, plan.order[depth]) : nullptr;
  if (loop == nullptr || !independent(loop->name)) return 1;
  const auto divided = [&](std::int64_t trips) { return (trips + plan.threads - 1) / plan.threads; };
  const std::vector<TileRun> runs = runs_of(plan, *loop);
  if (runs.empty()) return static_cast<double>(divided(loop->trips)) / static_cast<double>(loop->trips);
  double share = 0, all = 0;
  for (const TileRun& run : runs) {
    const bool one = run.count == 1;
    const double within = one && plan.padding != Padding::rows ? share_within(plan, loops, depth + 1) : 1;
    share += run.extent * static_cast<double>(divided(run.count)) * within;
    all += double{1} * run.extent * run.count;
  }
  return share / all;
}

}  // namespace

std::string inner_name(const Plan& plan, char dimension) {
  return lower(dimension) + (plan.block(dimension) > 0 ? "i" : "");
}

std::int64_t iterations(const Plan& plan, char dimension) {
  switch (dimension) {
    case 'M':
      return plan.inside('M') ? plan.kernels() : tiles(kernel_runs(plan));
    case 'H':
      return plan.problem.out_height();
    case 'W':
      return tiles(pixel_runs(plan));
    case 'Y':
      return plan.problem.kernel_height;
    case 'X':
      return plan.problem.kernel_width;
    default:
      return plan.problem.group_channels();
  }
}

std::vector<LoopSpec> loop_list(const Plan& plan) {
  std::vector<LoopSpec> list;
  for (const char dimension : dimensions) append(plan, dimension, list);
  return list;
}

const LoopSpec* find_loop(const std::vector<LoopSpec>& loops, const std::string& name) {
  const auto found = std::find_if(loops.begin(), loops.end(), [&](const LoopSpec& one) { return one.name == name; });
  return found == loops.end() ? nullptr : &*found;
}

std::vector<TileRun> runs_of(const Plan& plan, const LoopSpec& loop) {
  if (loop.part != LoopSpec::Part::whole) return {};
  if (loop.dimension == 'W') return pixel_runs(plan);
  if (loop.dimension == 'M' && !plan.inside('M')) return kernel_runs(plan);
  return {};
}

bool independent(const std::string& loop) {
  return std::string_view("ghwm").find(loop.front()) != std::string_view::npos;
}

std::string division_fault(const Plan& plan) {
  if (plan.groups() > 1) return {};
  const std::vector<LoopSpec> loops = loop_list(plan);
  for (const std::string& name : plan.order) {
    if (!independent(name)) return "threads would add to the same sums";
    const std::vector<TileRun> runs = runs_of(plan, *find_loop(loops, name));
    const auto is_loop = [](const TileRun& run) { return run.count > 1; };
    if (runs.empty() || std::any_of(runs.begin(), runs.end(), is_loop)) return {};
    if (plan.padding == Padding::rows) return "threads would share a block of rows";
  }
  return "there is no loop to divide";
}

double largest_share(const Plan& plan) {
  const int groups = plan.groups();
  const int most = (groups + plan.threads - 1) / plan.threads;
  if (groups > 1) return static_cast<double>(most) / groups;
  return share_within(plan, loop_list(plan), 0);
}

std::string order_fault(const std::vector<LoopSpec>& loops, const std::vector<std::string>& chosen,
                        const LoopSpec& next) {
  if (chosen_before(chosen, next.name)) return "it has its place";
  for (const LoopSpec& other : loops) {
    const bool waits = next.part == LoopSpec::Part::inner && other.part == LoopSpec::Part::outer;
    if (!waits || chosen_before(chosen, other.name)) continue;
    return other.dimension == next.dimension ? "it stands within " + other.name
                                             : "the outer loop " + other.name + " would stand within it";
  }
  return {};
}

}  // namespace convscope::cpu
