#pragma once
// What the steps of painting a network graph share.

#include <QPainter>
#include <vector>

#include "ui/parts/drawing.h"
#include "ui/views/network/network_graph/network_graph_painter.h"

namespace convscope::ui {

namespace network_graph_look {
inline constexpr double heading = 26;  ///< pixels
inline constexpr double stripe = 6, text_pixels = 11, line_pixels = 15, bar_units = 5, sign_units = 16;
inline constexpr double all_lines_pixels = 7, two_lines_pixels = 6;  ///< smallest text that is still read
inline constexpr std::size_t most_curves = 300, most_texts = 320;    ///< of a frame; more could not be told apart
inline constexpr std::size_t most_curve_pixels = 16000;              ///< that smooth curves pass in a frame
inline constexpr std::size_t most_single_lines = 4000;               ///< more are drawn once for the same pixels
inline constexpr std::size_t most_drawn_lines = 8000;                ///< and of those, more would be a grey area
inline constexpr double longest_curve = 6000;                        ///< pixels, most of them out of sight

QColor mixed(const QColor& ground, const QColor& colour, double share);
/// Where a box has the sign of its branch.
QRectF sign_box(const QRectF& place, double zoom);
}  // namespace network_graph_look

struct NetworkGraphPainter::Frame : CanvasFrame {
  std::vector<int> boxes = {};  ///< that are seen
  /// Boxes are single-coloured marks.
  bool from_afar() const { return NetworkDrawing::box_height * zoom < 12; }
  bool has_texts() const { return boxes.size() <= scaled_limit(network_graph_look::most_texts, area); }
};

}  // namespace convscope::ui
