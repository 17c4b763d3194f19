#include "ui/views/network/network_graph/dot_layout.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

namespace convscope::ui {
namespace {

constexpr double points_per_inch = 72, margin = 20;  // a point is one content unit
constexpr int poll_milliseconds = 20;
constexpr qsizetype largest_answer = 64 << 20;
constexpr std::size_t most_splines = 1500;  ///< edges; straight routes cost dot far less

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// "12.5,40" in points, y upward.
std::optional<QPointF> point_of(const QString& text) {
  const QStringList parts = text.split(QChar(','));
  bool x_good = false, y_good = false;
  if (parts.size() != 2) return std::nullopt;
  const QPointF point(parts[0].toDouble(&x_good), parts[1].toDouble(&y_good));
  const bool good = x_good && y_good && std::isfinite(point.x()) && std::isfinite(point.y());
  return good ? std::optional(point) : std::nullopt;
}

/// Reads dot's answer into a layout; every step says whether the answer made sense.
class AnswerReader {
 public:
  AnswerReader(const std::vector<QSizeF>& sizes, const std::vector<LayoutEdge>& edges) : sizes_(sizes), edges_(edges) {}

  std::optional<LayeredLayout> read(const QJsonObject& graph) {
    layout_.curved = true;
    if (!read_bounds(graph) || !read_boxes(graph) || !read_routes(graph)) return std::nullopt;
    find_rows();
    return std::move(layout_);
  }

 private:
  QPointF placed(QPointF point) const { return {point.x() + margin, height_ - point.y() + margin}; }

  bool read_bounds(const QJsonObject& graph) {
    const QStringList corners = graph[QStringLiteral("bb")].toString().split(QChar(','));
    if (corners.size() != 4) return false;
    height_ = corners[3].toDouble();
    layout_.size = {corners[2].toDouble() + 2 * margin, height_ + 2 * margin};
    return layout_.size.width() > 0 && layout_.size.height() > 0;
  }

  bool read_boxes(const QJsonObject& graph) {
    const QJsonArray objects = graph[QStringLiteral("objects")].toArray();
    if (static_cast<std::size_t>(objects.size()) != sizes_.size()) return false;
    layout_.boxes.resize(sizes_.size());
    for (const auto object : objects) {
      const int index = object.toObject()[QStringLiteral("name")].toString().toInt();
      const auto middle = point_of(object.toObject()[QStringLiteral("pos")].toString());
      if (!middle || index < 0 || at(index) >= sizes_.size()) return false;
      const QSizeF size = sizes_[at(index)];
      layout_.boxes[at(index)] = QRectF(placed(*middle) - QPointF(size.width() / 2, size.height() / 2), size);
    }
    return std::all_of(layout_.boxes.begin(), layout_.boxes.end(), [](const QRectF& box) { return !box.isNull(); });
  }

  bool read_routes(const QJsonObject& graph) {
    const QJsonArray drawn = graph[QStringLiteral("edges")].toArray();
    if (static_cast<std::size_t>(drawn.size()) != edges_.size()) return false;
    layout_.routes.resize(edges_.size());
    for (const auto value : drawn) {
      const QJsonObject edge = value.toObject();
      const int index = edge[QStringLiteral("id")].toString().toInt();
      if (index < 0 || at(index) >= edges_.size()) return false;
      for (const QString& text : edge[QStringLiteral("pos")].toString().split(QChar(' '), Qt::SkipEmptyParts)) {
        const auto point = point_of(text);
        if (!point) return false;
        layout_.routes[at(index)].push_back(placed(*point));
      }
    }
    return std::all_of(layout_.routes.begin(), layout_.routes.end(),
                       [](const auto& route) { return route.size() >= 4 && route.size() % 3 == 1; });
  }

  /// dot puts the middles of a rank on one height.
  void find_rows() {
    std::set<long> heights;
    for (const QRectF& box : layout_.boxes) heights.insert(std::lround(box.center().y()));
    layout_.tops.assign(heights.size(), layout_.size.height());
    for (const QRectF& box : layout_.boxes) {
      const auto row = std::distance(heights.begin(), heights.find(std::lround(box.center().y())));
      layout_.layers.push_back(static_cast<int>(row));
      double& top = layout_.tops[static_cast<std::size_t>(row)];
      top = std::min(top, box.top());
    }
  }

  const std::vector<QSizeF>& sizes_;
  const std::vector<LayoutEdge>& edges_;
  double height_ = 0;
  LayeredLayout layout_;
};

}  // namespace

QByteArray dot_question(const std::vector<QSizeF>& sizes, const std::vector<LayoutEdge>& edges) {
  const char* routes = edges.size() <= most_splines ? "spline" : "polyline";
  QByteArray text = QByteArray("digraph g{graph[nodesep=0.35,ranksep=0.65,splines=") + routes +
                    "];node[shape=box,fixedsize=true,label=\"\"];edge[arrowhead=none,tailport=s,headport=n];\n";
  const auto inches = [](double units) { return QByteArray::number(units / points_per_inch, 'f', 5); };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    text += QByteArray::number(static_cast<qulonglong>(i)) + "[width=" + inches(sizes[i].width()) +
            ",height=" + inches(sizes[i].height()) + "];\n";
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    text += QByteArray::number(edges[i].from) + "->" + QByteArray::number(edges[i].to) +
            "[id=" + QByteArray::number(static_cast<qulonglong>(i)) + "];\n";
  }
  return text + "}\n";
}

std::optional<LayeredLayout> dot_answer(const QByteArray& json, const std::vector<QSizeF>& sizes,
                                        const std::vector<LayoutEdge>& edges) {
  const QJsonDocument document = QJsonDocument::fromJson(json);
  if (!document.isObject()) return std::nullopt;
  return AnswerReader(sizes, edges).read(document.object());
}

DotRun run_dot(const QString& program, const QByteArray& question, int limit_milliseconds,
               const std::stop_token& stop) {
  QElapsedTimer timer;
  timer.start();
  QProcess process;
  process.setProcessChannelMode(QProcess::SeparateChannels);
  process.start(program, {QStringLiteral("-Tjson0")});
  if (!process.waitForStarted(limit_milliseconds)) return {DotState::absent, {}};
  process.write(question);
  process.closeWriteChannel();
  DotRun run;
  while (process.state() != QProcess::NotRunning) {
    const bool finished = process.waitForFinished(poll_milliseconds);
    run.json += process.readAllStandardOutput();
    if (finished) break;
    run.state = stop.stop_requested()                   ? DotState::stopped
                : timer.elapsed() >= limit_milliseconds ? DotState::too_slow
                : run.json.size() > largest_answer      ? DotState::failed
                                                        : DotState::done;
    if (run.state == DotState::done) continue;
    process.kill();
    process.waitForFinished();
    return {run.state, {}};
  }
  run.json += process.readAllStandardOutput();
  const bool good = process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
  run.state = good ? DotState::done : DotState::failed;
  return run;
}

}  // namespace convscope::ui
