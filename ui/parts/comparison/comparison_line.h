#pragma once
// One line above a layer's picture: how what it shows differs from the baseline. The same figures and words as in
// tables; the same painter for window and export.

#include <QRectF>
#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/compare_figures.h"
#include "ui/model/view.h"

namespace convscope::ui {

/// What a view shows of a layer: decides which figures are compared.
using ComparedArtifact = artifact::ArtifactKind;

struct ComparisonLine {
  QString baseline;                                     ///< its name; empty: nothing is compared, there is no line
  QString obstacle;                                     ///< why this layer can't be compared; else empty
  std::vector<analysis::FigureDifference> differences;  ///< with labels for people
  bool empty() const { return baseline.isEmpty(); }
  /// Everything in words, in lines.
  QString reading() const;
};

/// Of the selected layer and program. Makes the baseline's artifacts, so it may take its time: not for the window's
/// thread.
ComparisonLine comparison_line(const Snapshot& snapshot, ComparedArtifact artifact);

inline constexpr double comparison_line_height = 24;  ///< logical pixels

/// As many figures as fit, then "…".
void paint_comparison_line(QPainter& painter, const QRectF& box, const Theme& theme, const ComparisonLine& line);

/// The painter with the line above it; the painter itself if there is nothing to compare, or nothing but a message.
std::unique_ptr<ViewPainter> with_comparison_line(std::unique_ptr<ViewPainter> painter, ComparisonLine line);

}  // namespace convscope::ui
