#include "core/cpu/tree/tree.h"

#include <algorithm>
#include <array>
#include <random>

#include "core/base/text.h"
#include "core/cpu/tree/levels.h"
#include "core/cpu/tree/loops.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

struct Level {
  std::string_view name;
  LevelOptions options;
};

template <char dimension>
std::vector<Option> blocks(const LevelInput& in) {
  return block_options(in, dimension);
}

constexpr std::array<Level, 13> before_loops{{{"family", family_options},
                                              {"microkernel", microkernel_options},
                                              {"image", image_options},
                                              {"kernel", kernel_options},
                                              {"output", output_options},
                                              {"tile", tile_options},
                                              {"operand", operand_options},
                                              {"tail", tail_options},
                                              {"unroll", unroll_options},
                                              {"block m", blocks<'M'>},
                                              {"block h", blocks<'H'>},
                                              {"block w", blocks<'W'>},
                                              {"block c", blocks<'C'>}}};
/// Between the layouts and the tile.
constexpr std::size_t winograd_depth = 5;
constexpr std::array<Level, 4> winograd_levels{{{"transform", transform_options},
                                                {"points", point_options},
                                                {"partial", partial_options},
                                                {"tiles", block_of_tiles_options}}};
constexpr std::size_t partial_level = 2;  ///< only where some tile is partial
constexpr std::array<Level, 4> after_loops{{{"padding", padding_options},
                                            {"prefetch", prefetch_options},
                                            {"store", store_options},
                                            {"threads", thread_options}}};

/// Level at a depth; no options: the path is complete.
struct Position {
  std::string name;
  LevelOptions options = nullptr;
};

Position position(const Plan& plan, std::size_t depth) {
  if (plan.winograd() && depth >= winograd_depth) {
    std::size_t level = depth - winograd_depth;
    const bool whole = plan.outputs > 0 && !has_partial_tiles(plan);
    if (whole && level >= partial_level) ++level;
    if (level < winograd_levels.size())
      return {std::string(winograd_levels[level].name), winograd_levels[level].options};
    depth -= winograd_levels.size() - (whole ? 1 : 0);
  }
  if (depth < before_loops.size()) return {std::string(before_loops[depth].name), before_loops[depth].options};
  depth -= before_loops.size();
  const std::size_t loops = loop_list(plan).size();
  if (depth < loops) return {"loop " + std::to_string(depth + 1), loop_options};
  depth -= loops;
  if (depth < after_loops.size()) return {std::string(after_loops[depth].name), after_loops[depth].options};
  return {};
}

double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// One of the options that aren't rejected; null if all are.
const Option* pick(const std::vector<Option>& options, Drawing drawing, std::mt19937_64& random) {
  const auto weight = [&](const Option& o) { return drawing == Drawing::weighted || o.weight == 0 ? o.weight : 1; };
  double sum = 0;
  for (const Option& o : options) sum += weight(o);
  double at = uniform(random) * sum;
  const Option* last = nullptr;
  for (const Option& o : options) {
    if (!o.rejected.empty()) continue;
    last = &o;
    if ((at -= weight(o)) < 0) break;
  }
  return last;
}

std::optional<Path> walk(const Problem& problem, const TreeMachine& machine, const Weights& weights, Drawing drawing,
                         std::mt19937_64& random) {
  Path path;
  for (std::string level = next_level(problem, path); !level.empty(); level = next_level(problem, path)) {
    const std::vector<Option> values = options(problem, machine, weights, path);
    const Option* picked = pick(values, drawing, random);
    if (picked == nullptr) return std::nullopt;
    path.choices.push_back({level, picked->value});
  }
  return path;
}

std::string refusal(const std::vector<Option>& values, const std::string& value) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const Option& o) { return o.value == value; });
  return found == values.end() ? "no such value" : found->rejected;
}

bool refuse(const std::string& level, const std::string& what, Diagnostics& diagnostics) {
  diagnostics.error({{}, 0, "level " + in_quotes(level)}, what, {}, "draw a path, or choose level after level");
  return false;
}

}  // namespace

std::string next_level(const Problem& problem, const Path& path) {
  return position(decode(problem, path), path.choices.size()).name;
}

std::vector<Option> options(const Problem& problem, const TreeMachine& machine, const Weights& weights,
                            const Path& path) {
  const Plan plan = decode(problem, path);
  const Position at = position(plan, path.choices.size());
  return at.options == nullptr ? std::vector<Option>() : at.options({problem, machine, weights, plan});
}

std::optional<Path> draw(const Problem& problem, const TreeMachine& machine, const Weights& weights, Drawing drawing,
                         std::uint64_t seed) {
  constexpr int tries = 100;
  std::mt19937_64 random(seed);
  for (int i = 0; i < tries; ++i)
    if (auto path = walk(problem, machine, weights, drawing, random)) return path;
  return std::nullopt;
}

TreeMachine any_machine(const Problem& problem) {
  TreeMachine machine;
  for (const FamilyTraits& one : families()) machine.families.push_back(one.family);
  machine.threads = problem.threads;
  return machine;
}

bool check(const Problem& problem, const TreeMachine& machine, const Path& path, Diagnostics& diagnostics) {
  if (const std::string wrong = fault(problem); !wrong.empty()) {
    diagnostics.error({{}, 0, "problem"}, wrong);
    return false;
  }
  Path before;
  for (const Choice& choice : path.choices) {
    const std::string level = next_level(problem, before);
    if (level != choice.level)
      return refuse(choice.level, level.empty() ? "the path is complete before it" : "expected " + in_quotes(level),
                    diagnostics);
    const std::string why = refusal(options(problem, machine, {}, before), choice.value);
    if (!why.empty()) return refuse(level, in_quotes(choice.value) + ": " + why, diagnostics);
    before.choices.push_back(choice);
  }
  const std::string left = next_level(problem, before);
  return left.empty() || refuse(left, "the path ends before it", diagnostics);
}

}  // namespace convscope::cpu
