#include "ui/views/layer/tiling/tiling_scene.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <tuple>

namespace convscope::ui {
namespace {

using artifact::TileBox;
using artifact::TilePlan;
using artifact::TileStep;
using artifact::TileTensor;
using artifact::TileTransfer;
using artifact::TileWork;

constexpr std::int64_t most_positions = 512;
constexpr std::int64_t steps_looked_at = 64;

using Index = std::vector<std::int64_t>;

/// Sets the loops to a position, counted with the last one fastest.
void set_position(const TilePlan& plan, const std::vector<int>& loops, std::int64_t position, Index& index) {
  for (std::size_t i = loops.size(); i-- > 0;) {
    const auto loop = static_cast<std::size_t>(loops[i]);
    index[loop] = position % plan.loops()[loop].trips;
    position /= plan.loops()[loop].trips;
  }
}

std::int64_t position_of(const TilePlan& plan, const std::vector<int>& loops, const Index& index) {
  std::int64_t position = 0;
  for (const int loop : loops) {
    const auto at = static_cast<std::size_t>(loop);
    position = position * plan.loops()[at].trips + index[at];
  }
  return position;
}

TileStep step_of(const TilePlan& plan, const Index& index) {
  return plan.step(plan.number_of(index));
}

/// Dimensions of each tensor along which some worker's box moves between two steps.
std::array<std::array<bool, 3>, 3> moved(const TileStep& before, const TileStep& after) {
  std::map<std::pair<int, int>, const TileWork*> old;
  for (const TileWork& work : before.work) old[{work.group, work.worker}] = &work;
  std::array<std::array<bool, 3>, 3> result{};
  for (const TileWork& work : after.work) {
    const auto found = old.find({work.group, work.worker});
    if (found == old.end()) continue;
    for (const TileTensor tensor : artifact::tile_tensors) {
      const TileBox &a = box_of(*found->second, tensor), &b = box_of(work, tensor);
      for (std::size_t d = 0; d < 3; ++d) {
        if (a.begin[d] != b.begin[d]) result[static_cast<std::size_t>(tensor)][d] = true;
      }
    }
  }
  return result;
}

std::vector<int> together(const TileCuts& a, const TileCuts& b) {
  std::set<int> loops(a.loops.begin(), a.loops.end());
  loops.insert(b.loops.begin(), b.loops.end());
  return {loops.begin(), loops.end()};
}

bool loads(const TileStep& step, TileTensor tensor) {
  return std::any_of(step.transfers.begin(), step.transfers.end(), [tensor](const TileTransfer& transfer) {
    return transfer.box.tensor == tensor && artifact::is_load(transfer.move);
  });
}

}  // namespace

const TileBox& box_of(const TileWork& work, TileTensor tensor) {
  if (tensor == TileTensor::input) return work.input;
  return tensor == TileTensor::weights ? work.weights : work.output;
}

TilingScene::TilingScene(Content content) : content_(std::move(content)) {
  assert(content_.plan && plan().steps() > 0);
  const auto& loops = plan().loops();
  std::array<std::array<std::vector<int>, 3>, 3> moving;
  const Index start(loops.size(), 0);
  const TileStep first = step_of(plan(), start);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    if (loops[l].trips < 2) continue;
    Index next = start;
    next[l] = 1;
    const auto along = moved(first, step_of(plan(), next));
    for (std::size_t t = 0; t < 3; ++t) {
      for (std::size_t d = 0; d < 3; ++d) {
        if (along[t][d]) moving[t][d].push_back(static_cast<int>(l));
      }
    }
  }
  for (const TileTensor tensor : artifact::tile_tensors) {
    for (int d = 0; d < 3; ++d) {
      find_cuts(tensor, d, moving[static_cast<std::size_t>(tensor)][static_cast<std::size_t>(d)]);
    }
  }
}

void TilingScene::find_cuts(TileTensor tensor, int dimension, const std::vector<int>& loops) {
  const auto d = static_cast<std::size_t>(dimension);
  TileCuts& result = cuts_[static_cast<std::size_t>(tensor)][d];
  result.loops = loops;
  for (const int loop : loops) result.positions *= plan().loops()[static_cast<std::size_t>(loop)].trips;
  const std::int64_t looked_at = std::min(result.positions, most_positions);
  result.sampled = looked_at < result.positions;
  std::map<std::pair<std::int64_t, std::int64_t>, TileCut> found;
  Index index(plan().loops().size(), 0);
  for (std::int64_t i = 0; i < looked_at; ++i) {
    const std::int64_t order = result.sampled ? i * (result.positions / looked_at) : i;
    set_position(plan(), loops, order, index);
    for (const TileWork& work : step_of(plan(), index).work) {
      const TileBox& box = box_of(work, tensor);
      if (box.elements() == 0) continue;
      const auto key = std::pair(box.begin[d], box.size[d]);
      const auto [place, added] = found.try_emplace(key, TileCut{box.begin[d], box.size[d], work.group, order});
      if (!added && place->second.group != work.group) place->second.group = -1;
    }
  }
  for (const auto& [key, cut] : found) result.cuts.push_back(cut);
}

const TileCuts& TilingScene::cuts(TileTensor tensor, int dimension) const {
  return cuts_[static_cast<std::size_t>(tensor)][static_cast<std::size_t>(dimension)];
}

std::int64_t TilingScene::tiles(TileTensor tensor) const {
  std::set<int> loops;
  for (int d = 0; d < 3; ++d) loops.insert(cuts(tensor, d).loops.begin(), cuts(tensor, d).loops.end());
  std::int64_t product = 1;
  for (const int loop : loops) product *= plan().loops()[static_cast<std::size_t>(loop)].trips;
  return product;
}

std::int64_t TilingScene::tile_number(TileTensor tensor, const Index& index) const {
  std::set<int> loops;
  for (int d = 0; d < 3; ++d) loops.insert(cuts(tensor, d).loops.begin(), cuts(tensor, d).loops.end());
  return position_of(plan(), {loops.begin(), loops.end()}, index);
}

std::int64_t TilingScene::first_use(TileTensor tensor, int down, std::int64_t down_order, int across,
                                    std::int64_t across_order, const Index& now) const {
  const TileCuts &rows = cuts(tensor, down), &columns = cuts(tensor, across);
  const std::vector<int> loops = together(rows, columns);
  Index index = now;
  if (!loops.empty()) {
    std::fill(index.begin() + loops.front(), index.end(), 0);
  }
  set_position(plan(), rows.loops, down_order, index);
  set_position(plan(), columns.loops, across_order, index);
  return plan().number_of(index);
}

int TilingScene::compare(const TileCuts& down, std::int64_t down_order, const TileCuts& across,
                         std::int64_t across_order, const Index& now) const {
  Index there = now;
  set_position(plan(), down.loops, down_order, there);
  set_position(plan(), across.loops, across_order, there);
  const std::vector<int> loops = together(down, across);
  const std::int64_t a = position_of(plan(), loops, there), b = position_of(plan(), loops, now);
  return a < b ? -1 : a > b ? 1 : 0;
}

std::optional<std::int64_t> TilingScene::next_load(std::int64_t from, TileTensor tensor) const {
  const std::int64_t near_end = std::min(plan().steps(), from + 1 + steps_looked_at);
  for (std::int64_t step = from + 1; step < near_end; ++step) {
    if (loads(plan().step(step), tensor)) return step;
  }
  const Index now = plan().index_of(from);
  for (std::size_t l = now.size(); l-- > 0;) {
    if (now[l] + 1 >= plan().loops()[l].trips) continue;
    Index next = now;
    ++next[l];
    std::fill(next.begin() + static_cast<std::ptrdiff_t>(l) + 1, next.end(), 0);
    const std::int64_t step = plan().number_of(next);
    if (step >= near_end && loads(plan().step(step), tensor)) return step;
  }
  return std::nullopt;
}

TilePosition TilingScene::position(std::int64_t step) const {
  return {plan().loops(), plan().index_of(step), step, plan().steps()};
}

std::int64_t TilingScene::step_at(const TilePosition& position) const {
  const auto& loops = plan().loops();
  const double fraction =
      static_cast<double>(position.step) / static_cast<double>(std::max<std::int64_t>(1, position.steps));
  const auto by_fraction =
      std::min(plan().steps() - 1, static_cast<std::int64_t>(fraction * static_cast<double>(plan().steps())));
  Index index(loops.size(), 0);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const auto same = std::find_if(position.loops.begin(), position.loops.end(),
                                   [&](const artifact::TileLoop& loop) { return loop.name == loops[l].name; });
    if (same == position.loops.end()) return by_fraction;
    const std::int64_t old = position.index[static_cast<std::size_t>(same - position.loops.begin())];
    index[l] = std::min(loops[l].trips - 1, same->trips == loops[l].trips ? old : old * loops[l].trips / same->trips);
  }
  return plan().number_of(index);
}

std::optional<std::size_t> TilingScene::size_of(int output_dimension) const {
  const auto& sizes = content_.shown.sizes;
  const char* fallback = output_dimension == 1 ? "rows" : "columns";
  const auto& moving = cuts(TileTensor::output, output_dimension).loops;
  // A dimension that isn't cut yet has no loop that moves along it, but may have a size.
  const std::string name = moving.empty() ? fallback : plan().loops()[static_cast<std::size_t>(moving.back())].name;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].label == name) return i;
  }
  return std::nullopt;
}

std::vector<HeldBox> held_boxes(const TileStep& step, TileTensor tensor) {
  std::vector<HeldBox> result;
  std::map<std::pair<std::array<std::int64_t, 3>, std::array<std::int64_t, 3>>, std::size_t> known;
  for (const TileWork& work : step.work) {
    const TileBox& box = box_of(work, tensor);
    const auto [place, added] = known.try_emplace({box.begin, box.size}, result.size());
    if (added) result.push_back({box, {}, work.worker, work.worker});
    HeldBox& held = result[place->second];
    if (held.groups.empty() || held.groups.back() != work.group) held.groups.push_back(work.group);
    held.first_worker = std::min(held.first_worker, work.worker);
    held.last_worker = std::max(held.last_worker, work.worker);
  }
  return result;
}

std::vector<TransferLine> transfer_lines(const TileStep& step, std::size_t most) {
  const auto sum = [&](bool by_group) {
    std::vector<TransferLine> lines;
    std::map<std::tuple<artifact::TileMove, TileTensor, int>, std::size_t> known;
    for (const TileTransfer& transfer : step.transfers) {
      const int group = by_group ? transfer.group : -1;
      const auto [place, added] = known.try_emplace({transfer.move, transfer.box.tensor, group}, lines.size());
      if (added) lines.push_back({transfer.move, transfer.box.tensor, group, false, 0, 0, 0, transfer.box.size});
      TransferLine& line = lines[place->second];
      line.multicast = line.multicast || transfer.worker < 0;
      line.commands += transfer.shared ? 0 : 1;
      line.bytes += transfer.bytes;
      line.bursts += transfer.bursts;
    }
    return lines;
  };
  std::vector<TransferLine> lines = sum(true);
  return lines.size() <= most ? lines : sum(false);
}

const TileTransfer* moved_now(const TileStep& step, TileTensor tensor) {
  const TileTransfer* found = nullptr;
  for (const TileTransfer& transfer : step.transfers) {
    if (transfer.box.tensor != tensor || transfer.shared) continue;
    // Of OUT the way out is what every tiling has; partial sums that come back are loads.
    if (artifact::is_load(transfer.move) != (tensor == TileTensor::output)) return &transfer;
    if (!found) found = &transfer;
  }
  return found;
}

const char* move_name(artifact::TileMove move) {
  switch (move) {
    case artifact::TileMove::load:
      return "load";
    case artifact::TileMove::store:
      return "store";
    case artifact::TileMove::load_partial_sums:
      return "load partial sums";
    case artifact::TileMove::store_partial_sums:
      return "store partial sums";
    case artifact::TileMove::load_residual:
      return "load residual";
  }
  return "";
}

}  // namespace convscope::ui
