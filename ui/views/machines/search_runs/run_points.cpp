#include "ui/views/machines/search_runs/run_points.h"

#include <sstream>
#include <utility>

#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

using artifact::TriedPath;

QString seconds_text(const Quantity& seconds) {
  return to_text(format_quantity(seconds));
}

/// 1, 2, 5 in every decade, as microseconds and milliseconds.
class SecondsTicker : public QCPAxisTickerLog {
 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return to_text(format_quantity({tick, "s", Origin::derived}));
  }
};

}  // namespace

void style_seconds(QCPAxis& axis, const QString& label, const PlotRange& range) {
  axis.setScaleType(QCPAxis::stLogarithmic);
  auto ticker = QSharedPointer<SecondsTicker>::create();
  ticker->setSubTickCount(8);
  if (range.upper / range.lower < 50) ticker->setLogBase(2);
  axis.setTicker(ticker);
  axis.grid()->setSubGridVisible(true);
  axis.setLabel(label);
  axis.setRange(range.lower, range.upper);
}

QCPGraph* add_points(QCustomPlot& plot, const QVector<double>& x, const QVector<double>& y, const QString& name,
                     const QCPScatterStyle& style) {
  auto* graph = new QCPGraph(plot.xAxis, plot.yAxis);
  graph->setData(x, y);
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setScatterStyle(style);
  graph->setPen(style.pen());
  graph->setName(name);
  return graph;
}

QCPScatterStyle hollow(const QColor& colour, double size) {
  return QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour, 1.4), QBrush(Qt::NoBrush), size);
}

QCPScatterStyle filled(const QColor& colour, double size) {
  return QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour, 1.4), QBrush(colour), size);
}

QString reading_of(const TriedPath& tried, std::size_t number) {
  QString text = QStringLiteral("path %1%2\nestimate %3")
                     .arg(number + 1)
                     .arg(tried.chosen ? QStringLiteral(", chosen") : QString(), seconds_text(tried.estimate));
  if (tried.measured) text += QStringLiteral("\nmeasured %1").arg(seconds_text(*tried.measured));
  if (!tried.outcome.empty()) text += QStringLiteral("\n%1").arg(to_text(tried.outcome));
  if (tried.error) text += QStringLiteral("\nerror %1 of the outputs' rms").arg(tried.error->value, 0, 'g', 3);
  if (!tried.kind.empty()) text += QStringLiteral("\n%1").arg(to_text(tried.kind));
  if (tried.chain > 0) text += QStringLiteral(", sums over %1 at a time").arg(tried.chain);
  return text + QStringLiteral("\n") + to_text(tried.path);
}

ChartTarget target(const QCustomPlot& plot, double x, double y, QString reading) {
  const QPointF at(plot.xAxis->coordToPixel(x), plot.yAxis->coordToPixel(y));
  return {QRectF(at - QPointF(6, 6), QSizeF(12, 12)), -1, std::move(reading), true};
}

std::shared_ptr<const artifact::DecisionTree> tree_of(const Snapshot& snapshot) {
  const auto layer = snapshot.layer();
  return layer && layer->mapped() ? layer->decision_tree() : nullptr;
}

std::string csv_of(const artifact::DecisionTree& tree) {
  std::ostringstream out;
  out.precision(12);
  out << "number,estimate_seconds,measured_seconds,outcome,chosen,path,kind,chain,error\n";
  for (std::size_t i = 0; i < tree.tried.size(); ++i) {
    const TriedPath& tried = tree.tried[i];
    out << i + 1 << ',' << tried.estimate.value << ',';
    if (tried.measured) out << tried.measured->value;
    out << ',' << csv_field(tried.outcome) << ',' << (tried.chosen ? "yes" : "no") << ',' << csv_field(tried.path)
        << ',' << csv_field(tried.kind) << ',' << tried.chain << ',';
    if (tried.error) out << tried.error->value;
    out << '\n';
  }
  return out.str();
}

}  // namespace convscope::ui
