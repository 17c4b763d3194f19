#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <qcustomplot.h>

#include "ui/parts/drawing.h"
#include "ui/views/network/compare/difference_chart.h"
#include "ui/words/difference_text.h"

namespace convscope::ui {
namespace {

using analysis::FigureDifference;
using analysis::Verdict;

constexpr double bar_width = 0.66;
constexpr double label_room = 1.45;  ///< of the widest bar, so that what stands at its end fits
constexpr int rows_at_first = 30;
constexpr int most_labels = 300;  ///< each takes its time; the reading under the pointer tells the others

/// Names of layers: of more than can be read, every so many are left out.
class LayerTicker : public QCPAxisTickerText {
 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override {
    const QVector<double> all = QCPAxisTickerText::createTickVector(step, range);
    const auto every = 1 + all.size() / (most_labels + 1);
    QVector<double> named;
    for (qsizetype tick = 0; tick < all.size(); tick += every) named << all[tick];
    return named;
  }
};

/// Differences on an axis: +2.5 M, −15.
class SignedTicker : public QCPAxisTicker {
 public:
  explicit SignedTicker(std::string unit) : unit_(std::move(unit)) {}

 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    const QString size = to_text(format_quantity({std::abs(tick), unit_, Origin::derived}));
    if (tick == 0) return QStringLiteral("0");
    return (tick < 0 ? QStringLiteral("−") : QStringLiteral("+")) + size;
  }

 private:
  std::string unit_;
};

QString verdict_title(Verdict verdict) {
  if (verdict == Verdict::better) return QStringLiteral("better ✓");
  return verdict == Verdict::worse ? QStringLiteral("worse !") : QStringLiteral("changed");
}

QBrush verdict_brush(const Theme& theme, Verdict verdict) {
  const QColor colour = verdict_colour(theme, verdict);
  return verdict == Verdict::worse ? QBrush(colour, Qt::FDiagPattern) : QBrush(colour);
}

QString axis_label(const std::string& key, const QString& baseline) {
  const auto& names = compared_figure_names();
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.key == key; });
  const QString figure = found == names.end() ? to_text(key) : found->title;
  const QString unit = key == "utilization" ? QStringLiteral(" (percentage points)") : QString();
  return QStringLiteral("%1%2: now − %3").arg(figure, unit, baseline);
}

Origin weakest(const std::vector<DifferenceRow>& rows) {
  Origin origin = Origin::measured;
  for (const DifferenceRow& row : rows)
    if (row.difference && row.difference->origin()) origin = weaker(origin, *row.difference->origin());
  return origin;
}

}  // namespace

double DifferenceChart::shown(const FigureDifference& difference) const {
  return difference.absolute.value_or(0) * (key == "utilization" ? 100 : 1);
}

double DifferenceChart::widest() const {
  double most = 0;
  for (const DifferenceRow& row : rows)
    if (row.difference) most = std::max(most, std::abs(shown(*row.difference)));
  return most > 0 ? most : 1;
}

QString DifferenceChart::title() const {
  if (!total || !total->value || !total->reference) return QStringLiteral("total: not comparable");
  const auto compared =
      std::count_if(rows.begin(), rows.end(), [](const DifferenceRow& row) { return row.difference.has_value(); });
  const bool whole = compared == static_cast<std::ptrdiff_t>(rows.size());
  return QStringLiteral("%1: %2 → %3   %4")
      .arg(whole ? QStringLiteral("total") : QStringLiteral("%1 layers of both").arg(compared),
           value_with_origin(key, *total->reference), value_with_origin(key, *total->value), difference_text(*total));
}

void DifferenceChart::fill_axes(QCustomPlot& plot, const Theme& theme) const {
  const auto names = QSharedPointer<LayerTicker>::create();
  for (std::size_t r = 0; r < rows.size(); ++r) names->addTick(static_cast<double>(r), rows[r].name);
  plot.yAxis->setTicker(names);
  plot.yAxis->setTickLength(0, 0);
  plot.yAxis->setSubTicks(false);
  plot.yAxis->grid()->setVisible(false);
  plot.yAxis->setLabel(QStringLiteral("layer"));
  plot.yAxis->setRangeReversed(true);
  plot.yAxis->setRange(-0.6, static_cast<double>(rows.size()) - 0.4);
  plot.xAxis->setTicker(QSharedPointer<SignedTicker>::create(key == "seconds" ? "s" : ""));
  plot.xAxis->setLabel(axis_label(key, baseline));
  plot.xAxis->setRange(-label_room * widest(), label_room * widest());
  plot.xAxis->grid()->setZeroLinePen(QPen(theme.text, 1.2));
  // The second axis carries the total, above the bars.
  plot.xAxis2->setVisible(true);
  plot.xAxis2->setTicks(false);
  plot.xAxis2->setTickLabels(false);
  plot.xAxis2->setBasePen(Qt::NoPen);
  plot.xAxis2->setLabel(title());
  plot.xAxis2->setLabelFont(with_pixel_size(theme.data_font(), 12));
  plot.xAxis2->setLabelColor(total ? verdict_colour(theme, total->verdict) : theme.text);
}

void DifferenceChart::mark_selection(QCustomPlot& plot, const Theme& theme) const {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].layer < 0 || rows[r].layer != selected_layer) continue;
    auto* band = new QCPItemRect(&plot);
    band->setLayer(QStringLiteral("background"));
    band->topLeft->setCoords(plot.xAxis->range().lower, static_cast<double>(r) - 0.5);
    band->bottomRight->setCoords(plot.xAxis->range().upper, static_cast<double>(r) + 0.5);
    band->setPen(QPen(theme.selection, 1.5));
    band->setBrush(theme.raised);
  }
}

void DifferenceChart::add_bars(QCustomPlot& plot, const Theme& theme, Verdict verdict) const {
  auto* bars = new QCPBars(plot.yAxis, plot.xAxis);
  bars->setWidthType(QCPBars::wtPlotCoords);
  bars->setWidth(bar_width);
  bars->setBrush(verdict_brush(theme, verdict));
  bars->setPen(QPen(verdict_colour(theme, verdict), 1.2, theme.line_style(weakest(rows))));
  bars->setAntialiased(false);
  bars->setName(verdict_title(verdict));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].difference && rows[r].difference->verdict == verdict)
      bars->addData(static_cast<double>(r), shown(*rows[r].difference));
  }
  if (bars->data()->isEmpty()) plot.removePlottable(bars);
}

/// Rows whose bars are labelled: all, or of very many the largest differences.
std::vector<std::size_t> DifferenceChart::labelled_rows() const {
  std::vector<std::size_t> labelled(rows.size());
  std::iota(labelled.begin(), labelled.end(), std::size_t{0});
  if (labelled.size() <= static_cast<std::size_t>(most_labels)) return labelled;
  const auto size = [this](std::size_t r) { return rows[r].difference ? std::abs(shown(*rows[r].difference)) : 0; };
  std::nth_element(labelled.begin(), labelled.begin() + most_labels, labelled.end(),
                   [&](std::size_t a, std::size_t b) { return std::pair(size(b), a) < std::pair(size(a), b); });
  labelled.resize(static_cast<std::size_t>(most_labels));
  return labelled;
}

void DifferenceChart::label_bars(QCustomPlot& plot, const Theme& theme) const {
  for (const std::size_t r : labelled_rows()) {
    const auto& difference = rows[r].difference;
    const double end = difference ? shown(*difference) : 0;
    auto* label = new QCPItemText(&plot);
    label->setText(difference ? difference_text(*difference) : rows[r].reason);
    label->setPositionAlignment((end < 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    label->setPadding(QMargins(5, 0, 5, 0));
    label->setFont(with_pixel_size(difference ? theme.data_font() : theme.label_font(), 11));
    label->setColor(difference ? verdict_colour(theme, difference->verdict) : theme.muted_text);
    label->position->setCoords(end, static_cast<double>(r));
  }
}

void DifferenceChart::fill(QCustomPlot& plot, const Theme& theme) const {
  fill_axes(plot, theme);
  mark_selection(plot, theme);
  for (const Verdict verdict : {Verdict::better, Verdict::worse, Verdict::changed}) add_bars(plot, theme, verdict);
  label_bars(plot, theme);
}

void DifferenceChart::open(QCustomPlot& plot) const {
  plot.yAxis->setRange(-0.6, std::min<double>(rows_at_first, static_cast<double>(rows.size())) - 0.4);
}

std::vector<ChartTarget> DifferenceChart::targets(const QCustomPlot& plot) const {
  std::vector<ChartTarget> found;
  const QRectF inner = plot.axisRect()->rect();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = static_cast<double>(r);
    const double top = plot.yAxis->coordToPixel(row - 0.5), bottom = plot.yAxis->coordToPixel(row + 0.5);
    if (bottom < inner.top() || top > inner.bottom()) continue;
    QString reading = rows[r].name;
    if (rows[r].difference) reading += '\n' + difference_tip(*rows[r].difference, baseline);
    if (!rows[r].reason.isEmpty()) reading += '\n' + rows[r].reason;
    // The whole row, its name included: small differences are hard to hit.
    found.push_back({QRectF(QPointF(0, top), QPointF(inner.right(), bottom)), rows[r].layer, reading});
  }
  return found;
}

}  // namespace convscope::ui
