#pragma once
// A network's drawing, laid out once for a network and a detail, and the figures of a moment beside it.

#include <QPointF>
#include <QRectF>
#include <QString>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ui/views/network_graph/layered_layout.h"
#include "ui/views/network_graph/network_boxes.h"
#include "ui/views/network_graph/operator_kind.h"
#include "ui/views/view.h"

namespace convscope::ui {

/// Boxes and flows with their places. Immutable.
class NetworkDrawing {
 public:
  static constexpr double box_width = 236, box_height = 68, terminal_height = 40;

  NetworkDrawing(std::shared_ptr<const network::Network> network, NetworkDetail detail);

  const network::Network& network() const { return *network_; }
  const std::shared_ptr<const network::Network>& shared_network() const { return network_; }
  NetworkDetail detail() const { return detail_; }
  const NetworkBoxes& content() const { return content_; }
  const LayeredLayout& layout() const { return layout_; }
  QRectF place(int box) const { return layout_.boxes[static_cast<std::size_t>(box)]; }
  /// Box of a layer, or -1.
  int box_of(int layer) const;
  OperatorKind kind(int box) const;
  /// What a route covers, bends and all.
  const QRectF& reach(int flow) const { return reaches_[static_cast<std::size_t>(flow)]; }
  /// Boxes that meet a stretch of content; binary search over rows and within them.
  std::vector<int> boxes_in(const QRectF& content) const;
  /// The box at a point, or -1.
  int box_at(QPointF content) const;

 private:
  std::shared_ptr<const network::Network> network_;
  NetworkDetail detail_;
  NetworkBoxes content_;
  LayeredLayout layout_;
  std::vector<std::vector<int>> rows_;  ///< boxes from left to right
  std::vector<QRectF> reaches_;
};

/// How a target sees a box.
enum class BoxState { unknown, mapped, partly, unmapped };

class NetworkGraphScene {
 public:
  NetworkGraphScene(std::shared_ptr<const NetworkDrawing> drawing, const Snapshot& snapshot);

  const NetworkDrawing& drawing() const { return *drawing_; }
  /// Result of a layer, from the run before if need be; may be null.
  const target::CompiledLayer* result(int layer) const;
  /// By the layers that multiply; by the first if none does.
  BoxState state(int box) const;
  QString title(int box) const;
  QString operators(int box) const;
  QString shape(int box) const;
  /// MACs, and cycles and utilization once compiled.
  QString figures(int box) const;
  QString reading(int box) const;
  std::string csv() const;

 private:
  QString layer_reading(int layer) const;

  std::shared_ptr<const NetworkDrawing> drawing_;
  std::vector<std::shared_ptr<const target::CompiledLayer>> results_;
};

/// Keeps the last drawing, since figures change far more often than networks. Usable from several threads.
class NetworkDrawingCache {
 public:
  std::shared_ptr<const NetworkDrawing> get(std::shared_ptr<const network::Network> network, NetworkDetail detail);

 private:
  std::mutex mutex_;
  std::shared_ptr<const NetworkDrawing> last_;
};

}  // namespace convscope::ui
