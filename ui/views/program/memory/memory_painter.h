#pragma once
// Paints memories: how full each is, and which words hold what and when.

#include <memory>
#include <set>

#include "core/artifact/links.h"
#include "core/artifact/memory_map.h"
#include "ui/parts/canvas/canvas.h"
#include "ui/views/program/operation_index.h"

namespace convscope::ui {

/// Memories of a program, those with blocks as maps of words x cycles.
class MemoryScene {
 public:
  /// `links` may be null: the words of a selected operation aren't marked then; `graph` names operations.
  MemoryScene(std::shared_ptr<const artifact::MemoryMap> map, std::shared_ptr<const artifact::Links> links,
              artifact::Ref subject, std::shared_ptr<const artifact::TaskGraph> graph = nullptr,
              std::int64_t run_length = 0);

  const std::vector<artifact::Memory>& memories() const { return map_->memories; }
  const artifact::Ref& subject() const { return subject_; }
  /// Indices of memories that have blocks.
  const std::vector<int>& mapped() const { return mapped_; }
  /// Cycles of the run, and at least as far as blocks live.
  std::int64_t cycles() const { return cycles_; }
  /// The block that holds a word at a cycle; the smallest if several do; null if none.
  const artifact::MemoryBlock* block(int memory, std::int64_t word, std::int64_t cycle) const;
  /// Words that an operation touches.
  std::vector<artifact::MemoryWord> words_of(artifact::OperationKey operation) const;
  /// Whether a word of the memory can be selected: those are that operations are known to touch; programs lie in
  /// others.
  bool is_data_memory(int memory) const { return data_.contains(memory); }
  /// "read or written by rd a, wr b"; empty if no operation is known to touch the word.
  QString users_of(artifact::MemoryWord word) const;
  /// Kinds of what the memories hold, in the order of all kinds.
  std::vector<artifact::OperationClass> kinds() const;
  std::string csv() const;

 private:
  std::shared_ptr<const artifact::MemoryMap> map_;
  OperationIndex operations_;
  std::shared_ptr<const artifact::Links> links_;
  artifact::Ref subject_;
  std::vector<int> mapped_;
  std::set<int> data_;
  std::int64_t cycles_ = 1;
};

class MemoryPainter : public CanvasPainter {
 public:
  explicit MemoryPainter(std::shared_ptr<const MemoryScene> scene) : scene_(std::move(scene)) {}

  const MemoryScene& scene() const { return *scene_; }
  CanvasGeometry geometry(const QRectF& area) const override;
  artifact::Ref subject() const override { return scene_->subject(); }
  /// Words are always in sight, so only the cycle tells where to look.
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  QSizeF preferred_size() const override;
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_->csv(); }
  /// Where a block of a mapped memory is painted.
  QRectF block_box(int memory, const artifact::MemoryBlock& block, const QRectF& area) const;

 private:
  struct Frame;
  struct Spot {
    int memory = 0;
    std::int64_t word = 0, cycle = 0;
  };
  double bars_height() const;
  QRectF map_box(std::size_t index, const QRectF& plot) const;
  std::optional<Spot> spot(QPointF point, const QRectF& area) const;
  int bar_at(QPointF point, const QRectF& area) const;
  void paint_bars(const Frame& frame) const;
  void paint_legend(const Frame& frame) const;
  void paint_map(const Frame& frame, std::size_t index) const;
  void paint_block(const Frame& frame, const artifact::MemoryBlock& block, const QRectF& box) const;
  void paint_words(const Frame& frame, int memory, const QRectF& map) const;
  void paint_marked_words(const Frame& frame, int memory, const QRectF& map) const;
  void paint_time(const Frame& frame) const;

  std::shared_ptr<const MemoryScene> scene_;
};

/// Never null: says what to do if there is no memory map.
std::unique_ptr<CanvasPainter> make_memory_canvas(const Snapshot& snapshot);
std::unique_ptr<ViewPainter> make_memory_painter(const Snapshot& snapshot);
QWidget* make_memory_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
