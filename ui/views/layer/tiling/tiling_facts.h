#pragma once
// What stands beside the tensors: loop nest, memories, transfers of the step, bounds, and the strategies compared.

#include <QRectF>
#include <QString>
#include <QStringList>

#include "ui/model/snapshot.h"
#include "ui/views/layer/tiling/tensor_panel.h"

namespace convscope::ui {

inline constexpr double fact_row = 18, fact_heading = 24, memory_row = 36;

/// Height that each of them wants.
double loops_height(const TilingScene& scene);
double memories_height(const TilingScene& scene);
double transfers_height();
double why_height(const TilingScene& scene, double width);
double comparison_height(const TilingScene& scene);

void paint_loops(const TilingFrame& frame, const QRectF& box);
void paint_memories(const TilingFrame& frame, const QRectF& box);
void paint_transfers(const TilingFrame& frame, const QRectF& box);
void paint_why(const TilingFrame& frame, const QRectF& box);
void paint_comparison(const TilingFrame& frame, const QRectF& box);

/// "7 168 of 8 192 B (87.5 %)", with what is too much if it is.
QString memory_text(const artifact::TileMemory& memory);
/// Bytes that a tiling moves to and from the machine.
std::int64_t bytes_moved(const artifact::Metrics& metrics);
/// "1.31 ms"
QString time_text(const artifact::Metrics& metrics);
/// Figures of the run's target that tilings are compared by, besides time and bytes; none if nothing is shown.
std::vector<artifact::FigureDescription> tiling_figures(const Snapshot& snapshot);
/// The value of one of them; a dash if there is none.
QString figure_text(const artifact::Metrics& metrics, const artifact::FigureDescription& figure);
/// "14 × 73 × 4 × 24"
QString sizes_text(const std::vector<target::TileSize>& sizes);

}  // namespace convscope::ui
