#pragma once
// Draws a schedule that is made by hand: one iteration from top to bottom, beside it what has no place yet.

#include <memory>

#include "ui/parts/canvas/canvas.h"
#include "ui/views/program/draft/draft_board.h"

namespace convscope::ui {

/// Rows are cycles of one iteration, columns issue resources, the last column holds what waits. The same row of the
/// loop comes again every interval: slots that other iterations take are hatched. While something is carried, its legal
/// slots are lit. Shares the board with who edits it: for the window's thread.
class DraftPainter : public CanvasPainter {
 public:
  explicit DraftPainter(std::shared_ptr<DraftBoard> board) : board_(std::move(board)) {}

  DraftBoard& board() const { return *board_; }
  const std::shared_ptr<DraftBoard>& shared_board() const { return board_; }
  /// Shows what another painter showed.
  void take_board(std::shared_ptr<DraftBoard> board) { board_ = std::move(board); }

  QSizeF preferred_size() const override { return {960, 640}; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override;
  bool works_on_any_thread() const override { return false; }
  CanvasGeometry geometry(const QRectF& area) const override;
  std::optional<QRectF> place_of(const artifact::Ref& ref) const override;
  artifact::Ref subject() const override;

  /// What lies under a point: a cycle, the resource in whose column, and an operation; -1 if there is none. The column
  /// behind the resources is that of what waits.
  struct Spot {
    std::int64_t cycle = 0;
    int column = 0, operation = -1;
  };
  std::optional<Spot> spot(QPointF point, const QRectF& area) const;
  /// Centre of a slot, in pixels.
  QPointF centre(int column, std::int64_t cycle, const QRectF& area) const;
  /// Centre of an operation, in the table or waiting.
  QPointF centre(int operation, const QRectF& area) const;

 private:
  struct Frame;
  int columns() const;
  int waiting_row(int operation) const;
  QRectF box(const Frame& frame, int column, std::int64_t cycle) const;
  void paint_grid(const Frame& frame) const;
  void paint_legal(const Frame& frame) const;
  void paint_ghosts(const Frame& frame) const;
  void paint_operations(const Frame& frame) const;
  void paint_operation(const Frame& frame, int operation, const QRectF& box) const;
  void paint_headings(const Frame& frame) const;

  std::shared_ptr<DraftBoard> board_;
};

/// Never null: says so if a program can't be scheduled by hand.
std::unique_ptr<CanvasPainter> make_draft_canvas(const Snapshot& snapshot);

}  // namespace convscope::ui
