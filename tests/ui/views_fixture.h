#pragma once
// A small made-up target's results: what views show without any compiler.

#include <QImage>
#include <memory>

#include "ui/model/view.h"
#include "ui/parts/canvas/canvas.h"

namespace convscope::ui::test {

/// A layer with a three-operation loop on two resources:
///   cycle  load  mac
///     0    rd a  .
///     1    .     mac
///     2    .     act (the next iteration's, one stage ahead, in the steady state)
class MadeUpLayer : public target::CompiledLayer {
 public:
  explicit MadeUpLayer(std::string reason = {}, std::int64_t repeats = 20);
  const std::string& reason() const override { return reason_; }
  const artifact::Metrics& metrics() const override { return metrics_; }
  int program_count() const override { return 2; }
  std::string program_name(int program) const override { return program == 0 ? "maps 0-1" : "maps 2-3"; }
  int program_of(artifact::OperationKey operation) const override;
  std::shared_ptr<const artifact::TaskGraph> task_graph(int program) const override;
  std::shared_ptr<const artifact::Timeline> timeline(int program) const override;
  std::shared_ptr<const artifact::Listing> listing(int program) const override;
  std::shared_ptr<const artifact::MemoryMap> memory_map(int program) const override;
  std::shared_ptr<const artifact::Links> links(int program) const override;
  std::shared_ptr<const artifact::TilePlan> tile_plan() const override;
  std::shared_ptr<const artifact::Source> source(int program) const override;
  std::string program_file(int program) const override;
  std::shared_ptr<const artifact::DecisionTree> decision_tree() const override;
  std::shared_ptr<const artifact::Explanation> explanation() const override;

  artifact::Metrics metrics_;

 private:
  std::string reason_;
  std::int64_t repeats_;
};

inline constexpr artifact::OperationKey read_key = 11, mac_key = 12, act_key = 13;
/// Operations of the second program have keys larger by this.
inline constexpr artifact::OperationKey second_program = 100;

/// Two layers, the first selected, mac_per_instruction published twice for the first.
Snapshot made_up_snapshot(std::int64_t repeats = 20);
/// The same network at another level.
std::shared_ptr<const engine::CompiledNetwork> made_up_run(const std::string& level, std::int64_t repeats = 20);

/// Two workers in one group, each half of 4 output maps of 6 x 8; rows outermost, `rows` tiles of them.
std::shared_ptr<const artifact::TilePlan> made_up_plan(std::int64_t rows = 3);

/// The snapshot with one run pinned and chosen, named "pinned": its first layer took 600 cycles in place of 500,
/// reached 6 MACs per instruction in place of 8, and read 3000 bytes in place of 4000.
Snapshot with_baseline(Snapshot snapshot);

QImage painted(const ViewPainter& painter, QSize size, const Theme& theme);
/// Pixels that differ from the most frequent one.
int drawn_pixels(const QImage& image);
/// Fields of each line; understands quotes. Every line of a good file has as many as the first.
std::vector<std::size_t> csv_widths(const std::string& csv);

}  // namespace convscope::ui::test
