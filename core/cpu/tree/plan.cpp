#include "core/cpu/tree/plan.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <tuple>

#include "core/base/numbers.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

using namespace std::string_view_literals;  // compared by their lengths first: every path is read once a level

constexpr std::string_view tails[] = {"none", "narrow", "scalar", "masked", "shared"};
constexpr std::string_view paddings[] = {"none", "tests", "peeled", "buffer", "rows", "tile", "indirection"};
constexpr std::string_view partials[] = {"discard", "direct", "smaller"};

template <typename Enum>
Enum find(std::span<const std::string_view> names, const std::string& value) {
  const auto found = std::find(names.begin(), names.end(), value);
  return static_cast<Enum>(found == names.end() ? 0 : found - names.begin());
}

int number(const std::string& value) {
  return parse_integer<int>(value).value_or(0);
}

void take_layout(Layout& layout, const std::string& value) {
  if (auto parsed = parse_layout(value)) layout = *std::move(parsed);
}

/// From here on the microkernel's problem is the product of the largest block.
void take_tiles(Plan& plan, const std::string& value) {
  if (!plan.winograd() || plan.outputs <= 0) return;
  plan.block_tiles = number(value);
  const TileGrid grid = tile_grid(plan);
  const TileBlocks blocks = tile_blocks(grid, plan.block_tiles);
  plan.problem = product_problem(plan.convolution, grid, blocks.rows.front().extent, blocks.columns.front().extent);
}

void take(Plan& plan, const Choice& choice) {
  const auto& [level, value] = choice;
  if (level == "family"sv) plan.family = find_family(value);
  if (level == "microkernel"sv) plan.kernel = find_microkernel(value);
  if (level == "image"sv) take_layout(plan.image, value);
  if (level == "kernel"sv) take_layout(plan.weights, value);
  if (level == "output"sv) take_layout(plan.output, value);
  if (level == "transform"sv) plan.outputs = number(value);
  if (level == "points"sv) plan.points = value;
  if (level == "partial"sv) plan.partial = find<Partial>(partials, value);
  if (level == "tiles"sv) take_tiles(plan, value);
  if (level == "tile"sv) std::tie(plan.pixels, plan.vectors) = parse_pair(value, 'x').value_or(std::pair{1, 1});
  if (level == "operand"sv) plan.operand = value;
  if (level == "tail"sv) plan.tail = find<Tail>(tails, value);
  if (level == "unroll"sv) plan.unroll = std::max(number(value), 1);
  if (level.starts_with("block ") && number(value) > 0)
    plan.blocks.push_back({static_cast<char>(std::toupper(level.back())), number(value)});
  if (level.starts_with("loop ")) plan.order.push_back(value);
  if (level == "padding"sv) plan.padding = find<Padding>(paddings, value);
  if (level == "prefetch"sv) plan.prefetch = number(value), plan.prefetches_next = value == "next";
  if (level == "store"sv) plan.streaming = value == "streaming";
  if (level == "threads"sv) plan.threads = value == "openmp" ? plan.problem.threads : 1;
}

bool rows_joined(const Layout& layout) {
  return layout.blocked == 0 && layout.order.find("HW") != std::string::npos;
}

/// A 1x1 kernel doesn't see where a row ends.
bool collapsible(const Plan& plan) {
  const Problem& p = plan.problem;
  return p.kernel_height == 1 && p.kernel_width == 1 && p.stride_height == 1 && p.stride_width == 1 &&
         p.height + p.width > 2 && p.pad_top + p.pad_bottom + p.pad_left + p.pad_right == 0 &&
         std::int64_t{p.height} * p.width <= 1 << 28 && rows_joined(plan.image) && rows_joined(plan.output);
}

}  // namespace

bool Plan::accumulates() const {
  for (const char dimension : {'Y', 'X', 'C'}) {
    const int extent = dimension == 'Y'   ? problem.kernel_height
                       : dimension == 'X' ? problem.kernel_width
                                          : problem.group_channels();
    if (extent > 1 && (!inside(dimension) || block(dimension) > 0)) return true;
  }
  return false;
}

int Plan::groups() const {
  return kernel->strategy == Strategy::depthwise ? 1 : problem.groups;
}

int Plan::kernels() const {
  return problem.kernels / groups();
}

int Plan::block(char dimension) const {
  for (const Block& block : blocks)
    if (block.dimension == dimension) return block.factor;
  return 0;
}

Plan decode(const Problem& problem, const Path& path) {
  Plan plan;
  plan.problem = plan.convolution = problem;
  for (const Choice& choice : path.choices) take(plan, choice);
  plan.image.storage = problem.stored.image;
  plan.weights.storage = problem.stored.weights;
  plan.output.storage = problem.stored.output;
  if (path.find("output") && !plan.winograd() && collapsible(plan)) {
    plan.collapsed = true;
    plan.problem.width *= plan.problem.height;
    plan.problem.height = 1;
  }
  return plan;
}

}  // namespace convscope::cpu
