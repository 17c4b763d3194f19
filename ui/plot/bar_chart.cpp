#include "ui/plot/bar_chart.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <qcustomplot.h>

#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

constexpr double group_width = 0.84;
constexpr int most_bars = 1500;  ///< of a part at once: more are narrower than a pixel on most screens
constexpr double letter_width = 7.5, axis_width = 80;  // pixels, of names on the axis and beside it
constexpr double least_name_distance = 13;             // pixels between turned names
constexpr double least_stack_width = 12;               // pixels of a bar in a range that a widget opens with
constexpr std::size_t most_labelled = 40;              // bars: more have no room for names above them
constexpr std::size_t most_at_once = 24;               // layers: more are looked at in parts
constexpr std::size_t most_beside_total = 12;          // layers that are still seen beside their sum

QBrush brush_of(const BarFill& fill, const Theme& theme) {
  constexpr Qt::BrushStyle published[] = {Qt::FDiagPattern, Qt::Dense5Pattern, Qt::HorPattern, Qt::DiagCrossPattern};
  constexpr Qt::BrushStyle pinned[] = {Qt::SolidPattern, Qt::BDiagPattern, Qt::VerPattern, Qt::CrossPattern};
  const QColor colour = colour_of(fill, theme);
  constexpr Qt::BrushStyle hatchings[] = {Qt::BDiagPattern, Qt::FDiagPattern, Qt::VerPattern, Qt::DiagCrossPattern};
  if (fill.hatched) return {colour, hatchings[fill.hatching % 4]};
  if (fill.kind == BarFill::Kind::baseline) return {colour, published[fill.index % 4]};
  if (fill.kind == BarFill::Kind::pinned) return {colour, pinned[fill.index % 4]};
  return colour;
}

QPen pen_of(const BarStack& stack, const BarFill& fill, const Theme& theme) {
  if (stack.current) return QPen(theme.text, 1.5, theme.line_style(stack.origin));
  const bool grey = fill.kind == BarFill::Kind::baseline || fill.kind == BarFill::Kind::pinned || fill.hatched;
  return grey ? QPen(theme.baseline, 1.2, theme.line_style(stack.origin))
              : QPen(theme.border, 1, theme.line_style(stack.origin));
}

/// Values as people write them on an axis: 15, 2.5 M.
class PrefixTicker : public QCPAxisTicker {
 public:
  explicit PrefixTicker(double full) : full_(full) {}

 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override {
    QVector<double> ticks = QCPAxisTicker::createTickVector(step, range);
    // Above is room for names only: a share of 120 % is none.
    if (!std::isnan(full_))
      ticks.erase(std::remove_if(ticks.begin(), ticks.end(), [&](double t) { return t > full_ * 1.0001; }),
                  ticks.end());
    return ticks;
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return to_text(format_quantity({tick, "", Origin::derived}));
  }

 private:
  double full_;
};

/// Names of categories; where they would lie on each other only every second, third, …
class NameTicker : public QCPAxisTickerText {
 public:
  explicit NameTicker(const QCPAxis& axis) : axis_(axis) {}

 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override {
    const QVector<double> all = QCPAxisTickerText::createTickVector(step, range);
    const double width = axis_.parentPlot()->viewport().width() - axis_width;
    const double distance = range.size() > 0 ? std::max(1.0, width / range.size()) : least_name_distance;
    const auto stride = static_cast<int>(std::ceil(least_name_distance / distance));
    QVector<double> ticks;
    for (const double tick : all) {
      if (stride <= 1 || std::llround(tick) % stride == 0) ticks << tick;
    }
    return ticks;
  }

 private:
  const QCPAxis& axis_;
};

/// Bars of which, where very many are seen at once, only the tallest of each pixel is drawn.
class ManyBars : public QCPBars {
 public:
  using QCPBars::QCPBars;

 protected:
  void draw(QCPPainter* painter) override {
    QCPBarsDataContainer::const_iterator bar, end;
    getVisibleDataBounds(bar, end);
    if (end - bar <= most_bars) return QCPBars::draw(painter);
    painter->setAntialiasing(false);
    const double zero = valueAxis()->coordToPixel(0);
    const double unit = keyAxis()->coordToPixel(1) - keyAxis()->coordToPixel(0);
    const double wide = std::max(1.0, unit * width());
    QPainterPath bars;  // at once: one after the other they would take longer than all else
    bars.setFillRule(Qt::WindingFill);
    while (bar != end) {
      const auto pixel = std::lround(keyAxis()->coordToPixel(bar->key));
      double tallest = bar->value;
      for (; bar != end && std::lround(keyAxis()->coordToPixel(bar->key)) == pixel; ++bar)
        tallest = std::max(tallest, bar->value);
      const double top = tallest > 0 ? std::min(valueAxis()->coordToPixel(tallest), zero - 1) : zero;
      bars.addRect(QRectF(static_cast<double>(pixel), top, wide, zero - top));
    }
    painter->fillPath(bars, brush());
  }
};

QString value_text(double value, const QString& unit) {
  return to_text(format_quantity({value, unit.toStdString(), Origin::derived}));
}

/// Above a bar is less room than in a legend.
QString stack_label(const BarStack& stack) {
  constexpr qsizetype longest = 14;
  const QString& label = stack.label.isEmpty() ? stack.name : stack.label;
  return label.size() <= longest ? label : label.left(longest - 1) + QStringLiteral("…");
}

double stack_value(const BarStack& stack, std::size_t category, std::size_t parts) {
  double sum = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    if (!std::isnan(stack.parts[p].values[category])) sum += stack.parts[p].values[category];
  }
  return sum;
}

}  // namespace

QColor colour_of(const BarFill& fill, const Theme& theme) {
  if (fill.kind == BarFill::Kind::series) return theme.series[fill.index % series_colours];
  if (fill.kind == BarFill::Kind::operation) return theme.colour(artifact::operation_classes[fill.index]);
  return theme.baseline;
}

std::size_t BarChart::drawn() const {
  const bool has_total = !categories.empty() && categories.back().layer < 0;
  return sums && has_total && categories.size() > most_beside_total ? categories.size() - 1 : categories.size();
}

double BarChart::highest() const {
  double most = 0;
  for (const BarStack& stack : stacks) {
    for (std::size_t c = 0; c < drawn(); ++c) most = std::max(most, stack_value(stack, c, stack.parts.size()));
  }
  return most > 0 ? most : 1;
}

double BarChart::stack_width() const {
  return group_width / static_cast<double>(std::max<std::size_t>(1, stacks.size()));
}

double BarChart::stack_centre(std::size_t category, std::size_t stack) const {
  return static_cast<double>(category) - group_width / 2 + (static_cast<double>(stack) + 0.5) * stack_width();
}

QSizeF BarChart::preferred_size() const {
  const double bars = static_cast<double>(categories.size() * stacks.size());
  return {std::clamp(160 + bars * 20, 720.0, 6000.0), 480};
}

bool BarChart::names_fit(const QCustomPlot& plot) const {
  qsizetype longest = 0;
  for (const BarCategory& category : categories) longest = std::max(longest, category.name.size());
  return static_cast<double>(longest) * letter_width * static_cast<double>(categories.size()) <=
         std::min<double>(preferred_size().width(), plot.width()) - axis_width;
}

int BarChart::hanging_name(const QCustomPlot& plot) const {
  if (drawn() == 0) return 0;
  const double half_group = 0.5 * plot.width() / static_cast<double>(drawn() + 1);
  return static_cast<int>(0.5 * letter_width * static_cast<double>(categories[drawn() - 1].name.size()) - half_group);
}

bool BarChart::labels_fit(const QCustomPlot& plot) const {
  const int least = above_another ? least_labelled_height_without_names : least_labelled_height;
  return plot.height() >= least && categories.size() * stacks.size() <= most_labelled;
}

double BarChart::label_room(const QCustomPlot& plot) const {
  qsizetype longest = 0;
  for (const BarStack& stack : stacks)
    longest = stack.labelled ? std::max(longest, stack_label(stack).size()) : longest;
  if (longest == 0 || !labels_fit(plot)) return 1.08;
  // Of the height that is left for bars; labels are set in small letters.
  const double height = (preferred_size().height() - 120) * (above_another ? 0.6 : 1);
  const double share = static_cast<double>(longest + 1) * 6.2 / height;
  return std::max(1.08, 1 / (1 - std::min(0.5, share)));
}

Qt::Orientations BarChart::zooms() const {
  return drawn() > most_at_once ? Qt::Horizontal : Qt::Orientations();
}

std::optional<ChartSpan> BarChart::span() const {
  if (!zooms()) return std::nullopt;
  ChartSpan span{-0.6, static_cast<double>(drawn()) - 0.4, {}};
  for (std::size_t c = 0; c < drawn(); ++c) {
    if (categories[c].layer >= 0 && categories[c].layer == selected_layer) span.selected = static_cast<double>(c);
  }
  return span;
}

void BarChart::open(QCustomPlot& plot) const {
  const auto whole = span();
  if (!whole) return;
  const double group = std::max(22.0, least_stack_width * static_cast<double>(stacks.size()) / group_width);
  const double seen = std::max(6.0, std::floor((plot.width() - axis_width) / group));
  plot.xAxis->setRange(whole->first, std::min(whole->last, whole->first + seen));
}

void BarChart::fill_axes(QCustomPlot& plot, const Theme& theme) const {
  const auto names = QSharedPointer<NameTicker>::create(*plot.xAxis);
  for (std::size_t c = 0; c < drawn(); ++c) names->addTick(static_cast<double>(c), categories[c].name);
  plot.xAxis->setTicker(names);
  plot.xAxis->setTickLength(0, 0);
  plot.xAxis->setSubTicks(false);
  plot.xAxis->grid()->setVisible(false);
  plot.xAxis->setTickLabelRotation(names_fit(plot) ? 0 : 60);
  plot.xAxis->setLabel(above_another ? QString() : category_label);
  plot.xAxis->setTickLabels(!above_another);
  plot.legend->setVisible(!above_another);
  constexpr int margin = 15, aligned_margin = 78;
  const int right = std::max(margin, names_fit(plot) ? 0 : hanging_name(plot));
  plot.axisRect()->setMinimumMargins(QMargins(aligned ? aligned_margin : margin, margin, right, margin));
  plot.xAxis->setRange(-0.6, static_cast<double>(drawn()) - 0.4);
  plot.yAxis->setTicker(QSharedPointer<PrefixTicker>::create(full));
  plot.yAxis->setSubTicks(std::isnan(full));
  plot.yAxis->setLabel(value_label);
  plot.yAxis->setRange(0, highest() * label_room(plot));
  if (drawn() > 1 && categories[drawn() - 1].layer < 0) {
    auto* separator = new QCPItemStraightLine(&plot);
    const double x = static_cast<double>(drawn()) - 1.5;
    separator->point1->setCoords(x, 0);
    separator->point2->setCoords(x, 1);
    separator->setPen(QPen(theme.border, 1));
  }
}

void BarChart::mark_selection(QCustomPlot& plot, const Theme& theme) const {
  for (std::size_t c = 0; c < drawn(); ++c) {
    if (categories[c].layer < 0 || categories[c].layer != selected_layer) continue;
    auto* band = new QCPItemRect(&plot);
    band->setLayer(QStringLiteral("background"));
    band->topLeft->setCoords(static_cast<double>(c) - 0.5, plot.yAxis->range().upper);
    band->bottomRight->setCoords(static_cast<double>(c) + 0.5, 0);
    band->setPen(QPen(theme.selection, 1.5));
    band->setBrush(theme.raised);
  }
}

void BarChart::label_stacks(QCustomPlot& plot, const Theme& theme) const {
  if (!labels_fit(plot)) return;
  for (std::size_t s = 0; s < stacks.size(); ++s) {
    for (std::size_t c = 0; stacks[s].labelled && c < drawn(); ++c) {
      const double value = stack_value(stacks[s], c, stacks[s].parts.size());
      if (value <= 0) continue;
      auto* label = new QCPItemText(&plot);
      label->setText(stack_label(stacks[s]));
      label->setRotation(-90);
      label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
      label->setPadding(QMargins(4, 0, 0, 0));
      label->setFont(with_pixel_size(theme.label_font(), 10));
      label->setColor(stacks[s].current ? theme.text : theme.muted_text);
      label->position->setCoords(stack_centre(c, s), value);
    }
  }
}

void BarChart::fill(QCustomPlot& plot, const Theme& theme) const {
  fill_axes(plot, theme);
  mark_selection(plot, theme);
  QStringList named;
  for (std::size_t s = 0; s < stacks.size(); ++s) add_parts(plot, theme, s, named);
  // Later parts reach higher: paint them first, so that what lies below stays visible.
  for (int i = plot.plottableCount() - 1; i >= 0; --i) {
    plot.plottable(i)->setLayer(QStringLiteral("grid"));
    plot.plottable(i)->setLayer(QStringLiteral("main"));
  }
  add_stacks_to_legend(plot, theme);
  label_stacks(plot, theme);
}

void BarChart::add_parts(QCustomPlot& plot, const Theme& theme, std::size_t stack, QStringList& named) const {
  std::vector<double> below(categories.size(), 0);
  for (const BarPart& part : stacks[stack].parts) {
    auto* bars = new ManyBars(plot.xAxis, plot.yAxis);
    bars->setWidthType(QCPBars::wtPlotCoords);
    bars->setWidth(stack_width() * 0.9);
    bars->setBrush(brush_of(part.fill, theme));
    bars->setPen(pen_of(stacks[stack], part.fill, theme));
    bars->setAntialiased(false);
    bars->setName(part.name);
    bars->setProperty(stack_property, stacks[stack].name);
    if (named.contains(part.name)) bars->removeFromLegend();
    named << part.name;
    // Parts are stacked in data, where each keeps its own base, rather than by QCustomPlot's chains.
    for (std::size_t c = 0; c < drawn(); ++c) {
      if (std::isnan(part.values[c])) continue;
      below[c] += part.values[c];
      bars->addData(stack_centre(c, stack), below[c]);
    }
  }
}

void BarChart::add_stacks_to_legend(QCustomPlot& plot, const Theme& theme) const {
  for (const BarStack& stack : stacks) {
    if (stack.parts.size() < 2 || !stack.parts.front().fill.hatched) continue;
    auto* entry = new QCPBars(plot.xAxis, plot.yAxis);  // without bars: only to be named, and to hide the stack's
    BarFill fill{BarFill::Kind::pinned, 0, true, stack.parts.front().fill.hatching};
    entry->setBrush(brush_of(fill, theme));
    entry->setPen(pen_of(stack, fill, theme));
    entry->setName(stack.name);
  }
}

std::vector<ChartTarget> BarChart::targets(const QCustomPlot& plot) const {
  std::vector<ChartTarget> found;
  for (std::size_t s = 0; s < stacks.size(); ++s) {
    for (std::size_t p = 0; p < stacks[s].parts.size(); ++p) {
      const BarPart& part = stacks[s].parts[p];
      for (std::size_t c = 0; c < drawn(); ++c) {
        if (std::isnan(part.values[c])) continue;
        const double base = stack_value(stacks[s], c, p), centre = stack_centre(c, s), half = stack_width() / 2;
        const QPointF top(plot.xAxis->coordToPixel(centre - half), plot.yAxis->coordToPixel(base + part.values[c]));
        const QPointF bottom(plot.xAxis->coordToPixel(centre + half), plot.yAxis->coordToPixel(base));
        QString reading = QStringLiteral("%1 · %2").arg(categories[c].name, stacks[s].name);
        if (part.name != stacks[s].name) reading += QStringLiteral(" · %1").arg(part.name);
        reading +=
            QStringLiteral("\n%1 (%2)").arg(value_text(part.values[c], unit), to_text(origin_name(stacks[s].origin)));
        if (c < stacks[s].notes.size() && !stacks[s].notes[c].isEmpty()) reading += '\n' + stacks[s].notes[c];
        found.push_back({visible_box(QRectF(top, bottom)), categories[c].layer, reading});
      }
    }
  }
  return found;
}

std::string BarChart::csv() const {
  std::ostringstream out;
  out.precision(12);
  out << "layer,series,part,value,unit,origin\n";
  for (std::size_t c = 0; c < categories.size(); ++c) {
    for (const BarStack& stack : stacks) {
      for (const BarPart& part : stack.parts) {
        if (std::isnan(part.values[c])) continue;
        out << csv_field(categories[c].name.toStdString()) << ',' << csv_field(stack.name.toStdString()) << ','
            << csv_field(part.name.toStdString()) << ',' << part.values[c] << ',' << csv_field(unit.toStdString())
            << ',' << origin_name(stack.origin) << '\n';
      }
    }
  }
  return out.str();
}

std::vector<BarCategory> bar_categories(const engine::CompiledNetwork& run) {
  std::vector<BarCategory> categories;
  for (std::size_t i = 0; i < run.layers.size() && i < run.network->layers.size(); ++i) {
    const network::Layer& layer = run.network->layers[i];
    // A convolution that isn't mapped is a gap that should be seen; activations and the like would only be gaps.
    if (!run.layers[i] || (!run.layers[i]->mapped() && layer.macs() == 0)) continue;
    categories.push_back({to_text(layer.name), static_cast<int>(i)});
  }
  categories.push_back({QStringLiteral("total"), -1});
  return categories;
}

int level_index(const engine::CompiledNetwork& run) {
  const auto& levels = run.target->levels();
  const auto found =
      std::find_if(levels.begin(), levels.end(), [&](const auto& level) { return level.name == run.level; });
  return found == levels.end() ? 0 : static_cast<int>(found - levels.begin());
}

QString level_title(const engine::CompiledNetwork& run) {
  return to_text(run.level);
}

const artifact::Metrics* category_metrics(const engine::CompiledNetwork& run, const BarCategory& category) {
  if (category.layer < 0) return &run.total;
  const auto index = static_cast<std::size_t>(category.layer);
  if (index >= run.layers.size() || !run.layers[index] || !run.layers[index]->mapped()) return nullptr;
  return &run.layers[index]->metrics();
}

}  // namespace convscope::ui
