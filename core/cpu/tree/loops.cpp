#include "core/cpu/tree/loops.h"

#include <algorithm>
#include <cctype>

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
