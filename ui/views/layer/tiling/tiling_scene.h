#pragma once
// What the tiling view draws: a plan, where its tiles cut the tensors, and the figures around it. Steps are asked for
// one at a time, and the cuts are found loop by loop: a plan of a million steps costs what one of a hundred does.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/artifact/explanation.h"
#include "core/artifact/ref.h"
#include "core/artifact/tile_plan.h"
#include "core/target/tilings.h"

namespace convscope::ui {

/// Which tiling of a layer is looked at.
struct TilingChoice {
  enum class Kind { chosen, best_of_strategy, by_hand };
  Kind kind = Kind::chosen;
  int layer = -1;  ///< another layer shows its chosen tiling
  std::string strategy;
  std::vector<std::int64_t> sizes;  ///< only by hand
  bool operator==(const TilingChoice&) const = default;
};

/// An interval of a tensor's dimension that some tile takes.
struct TileCut {
  std::int64_t begin = 0, size = 0;
  int group = -1;          ///< -1: several groups
  std::int64_t order = 0;  ///< among the positions of the loops that move tiles along this dimension
};

/// How a dimension is cut, by begin.
struct TileCuts {
  std::vector<int> loops;      ///< that move tiles along this dimension, from the outermost
  std::int64_t positions = 1;  ///< of those loops
  bool sampled = false;        ///< there are more positions than cuts
  std::vector<TileCut> cuts;
};

/// Equal boxes of one step, and who holds them.
struct HeldBox {
  artifact::TileBox box;
  std::vector<int> groups;
  int first_worker = 0, last_worker = 0;
};

/// Transfers of a step that are alike, summed up.
struct TransferLine {
  artifact::TileMove move = artifact::TileMove::load;
  artifact::TileTensor tensor = artifact::TileTensor::input;
  int group = -1;  ///< -1: all groups
  bool multicast = false;
  std::int64_t commands = 0, bytes = 0, bursts = 0;
  std::array<std::int64_t, 3> box{};  ///< size of the first one
};

/// Where a playback stands, in terms that another plan can be asked for.
struct TilePosition {
  std::vector<artifact::TileLoop> loops;
  std::vector<std::int64_t> index;
  std::int64_t step = 0, steps = 1;
};

class TilingScene {
 public:
  struct Content {
    std::shared_ptr<const artifact::TilePlan> plan;  ///< not null, at least one step
    TilingChoice choice;
    target::Alternative shown;                         ///< its figures; sizes are empty if the target has no tools
    std::vector<target::Alternative> compared;         ///< best of each strategy; empty where a table stands beside
    std::vector<artifact::FigureDescription> figures;  ///< of the target, that tilings are compared by
    std::shared_ptr<const artifact::Explanation> explanation;  ///< may be null
    artifact::Ref subject;
    std::string layer_name;
  };
  /// Looks at no more than some hundred steps for each dimension.
  explicit TilingScene(Content content);

  const artifact::TilePlan& plan() const { return *content_.plan; }
  const Content& content() const { return content_; }
  const TileCuts& cuts(artifact::TileTensor tensor, int dimension) const;
  /// Tiles of a tensor that differ in place, as far as the loops say.
  std::int64_t tiles(artifact::TileTensor tensor) const;
  /// Which of them a step uses, from 0.
  std::int64_t tile_number(artifact::TileTensor tensor, const std::vector<std::int64_t>& index) const;

  /// Step that is the first of the present pass to use the cut positions of two dimensions.
  std::int64_t first_use(artifact::TileTensor tensor, int down, std::int64_t down_order, int across,
                         std::int64_t across_order, const std::vector<std::int64_t>& now) const;
  /// Before (-1), at (0) or after (1) the present tile in this pass.
  int compare(const TileCuts& down, std::int64_t down_order, const TileCuts& across, std::int64_t across_order,
              const std::vector<std::int64_t>& now) const;

  /// Next step after `from` that loads a tensor; nothing if none follows. Looks at a few dozen steps and at those at
  /// which a loop goes on, where loads begin.
  std::optional<std::int64_t> next_load(std::int64_t from, artifact::TileTensor tensor) const;
  TilePosition position(std::int64_t step) const;
  /// The step that corresponds to a position in another plan: loops of the same name keep their index, in proportion
  /// if the number of trips changed; else the same fraction of all steps.
  std::int64_t step_at(const TilePosition& position) const;

  /// Index of the size that a dimension of OUT is cut by, e.g. T_R; nothing if no size has the name of its loop.
  std::optional<std::size_t> size_of(int output_dimension) const;

  /// Transfers step by step; a last line says so where it stops after `csv_transfers`.
  std::string csv() const;
  static constexpr std::int64_t csv_transfers = 20000, csv_steps = 20000;

 private:
  void find_cuts(artifact::TileTensor tensor, int dimension, const std::vector<int>& loops);

  Content content_;
  std::array<std::array<TileCuts, 3>, 3> cuts_;
};

const artifact::TileBox& box_of(const artifact::TileWork& work, artifact::TileTensor tensor);
std::vector<HeldBox> held_boxes(const artifact::TileStep& step, artifact::TileTensor tensor);
/// By kind, tensor and group; by kind and tensor if that is more than `most` lines.
std::vector<TransferLine> transfer_lines(const artifact::TileStep& step, std::size_t most);
/// The transfer whose bursts are marked: the first load of IN or W, of OUT the first store; null if there is none.
const artifact::TileTransfer* moved_now(const artifact::TileStep& step, artifact::TileTensor tensor);
const char* move_name(artifact::TileMove move);

}  // namespace convscope::ui
