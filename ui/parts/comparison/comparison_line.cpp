#include "ui/parts/comparison/comparison_line.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include "ui/parts/drawing.h"
#include "ui/words/difference_text.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

using analysis::FigureDifference;

/// The value alone: where it is from stands in the reading.
QString value_text(const FigureDifference& difference, const std::optional<Quantity>& quantity) {
  if (!quantity) return QStringLiteral("–");
  Quantity shown = *quantity;
  // "cycles: 500" says it all; seconds keep theirs, whose prefix counts.
  if (difference.label.find(shown.unit) != std::string::npos) shown.unit.clear();
  const QString text = value_with_origin(difference.key, shown);
  return text.left(text.lastIndexOf(QStringLiteral(" (")));
}

QString values_text(const FigureDifference& difference) {
  const QString label = to_text(difference.label);
  if (!difference.text.empty() || !difference.reference_text.empty()) {
    const QString now = to_text(difference.text);
    return difference.text == difference.reference_text
               ? QStringLiteral("%1: %2").arg(label, now)
               : QStringLiteral("%1: %2 → %3").arg(label, to_text(difference.reference_text), now);
  }
  const QString now = value_text(difference, difference.value);
  if (difference.verdict == analysis::Verdict::same) return QStringLiteral("%1: %2").arg(label, now);
  QString before = value_text(difference, difference.reference);
  const QString unit = now.section(' ', -1);
  if (now.contains(' ') && before.endsWith(' ' + unit)) before.chop(unit.size() + 1);  // once is enough
  return QStringLiteral("%1: %2 → %3").arg(label, before, now);
}

/// Words have no size.
QString size_text(const FigureDifference& difference) {
  const bool words = !difference.text.empty() || !difference.reference_text.empty();
  if (words) return difference.verdict == analysis::Verdict::same ? QStringLiteral("=") : QString();
  return difference_text(difference);
}

/// Draws texts one after the other, as long as they fit.
class Writer {
 public:
  Writer(QPainter& painter, const QRectF& box) : painter_(painter), box_(box), x_(box.left()) {}

  double width(const QString& text) const { return QFontMetricsF(painter_.font()).horizontalAdvance(text) + 1; }
  bool fits(double width) const { return x_ + width <= box_.right(); }
  void write(const QString& text, const QColor& colour) {
    painter_.setPen(colour);
    const QString shown = QFontMetricsF(painter_.font()).elidedText(text, Qt::ElideRight, box_.right() - x_);
    painter_.drawText(QRectF(x_, box_.top(), width(shown) + 2, box_.height()), Qt::AlignLeft | Qt::AlignVCenter, shown);
    x_ += width(text);
  }
  void skip(double pixels) { x_ += pixels; }

 private:
  QPainter& painter_;
  QRectF box_;
  double x_;
};

/// A picture below its line.
class ComparedPainter : public ViewPainter {
 public:
  ComparedPainter(std::unique_ptr<ViewPainter> painter, ComparisonLine line)
      : painter_(std::move(painter)), line_(std::move(line)) {}

  QSizeF preferred_size() const override { return painter_->preferred_size() + QSizeF(0, comparison_line_height); }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter_->paint(painter, below(area), theme);
    paint_comparison_line(painter, QRectF(area.topLeft(), QSizeF(area.width(), comparison_line_height)), theme, line_);
  }
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override {
    return below(area).contains(point) ? painter_->hit(point, below(area)) : std::nullopt;
  }
  QString reading(QPointF point, const QRectF& area) const override {
    return below(area).contains(point) ? painter_->reading(point, below(area)) : line_.reading();
  }
  bool works_on_any_thread() const override { return painter_->works_on_any_thread(); }
  std::string csv() const override { return painter_->csv(); }

 private:
  static QRectF below(const QRectF& area) { return area.adjusted(0, comparison_line_height, 0, 0); }

  std::unique_ptr<ViewPainter> painter_;
  ComparisonLine line_;
};

}  // namespace

QString ComparisonLine::reading() const {
  if (empty()) return {};
  QStringList lines{translated("compared with %1").arg(baseline)};
  if (!obstacle.isEmpty()) lines << obstacle;
  for (const FigureDifference& each : differences) {
    const QString size = size_text(each);
    lines << values_text(each) + (size.isEmpty() ? QString() : QStringLiteral("  ") + size);
    if (const auto origin = each.origin()) lines.back() += QStringLiteral(" (%1)").arg(to_text(origin_name(*origin)));
  }
  return lines.join('\n');
}

void paint_comparison_line(QPainter& painter, const QRectF& box, const Theme& theme, const ComparisonLine& line) {
  painter.save();
  painter.fillRect(box, theme.raised);
  painter.setPen(QPen(theme.border, 1));
  painter.drawLine(box.bottomLeft(), box.bottomRight());
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  Writer writer(painter, box.adjusted(8, 0, -8, 0));
  const QString versus = translated("vs %1").arg(line.baseline);
  const QFontMetricsF metrics(painter.font());
  writer.write(metrics.elidedText(versus, Qt::ElideMiddle, 0.3 * box.width()), theme.muted_text);
  writer.skip(16);
  if (!line.obstacle.isEmpty()) writer.write(line.obstacle, theme.muted_text);
  for (const FigureDifference& each : line.differences) {
    const QString values = values_text(each), size = size_text(each);
    const QString dots = QStringLiteral("…");
    if (!writer.fits(writer.width(values) + 8 + writer.width(size) + writer.width(dots))) {
      writer.write(dots, theme.muted_text);
      break;
    }
    writer.write(values, theme.text);
    writer.skip(8);
    writer.write(size, verdict_colour(theme, each.verdict));
    writer.skip(20);
  }
  painter.restore();
}

std::unique_ptr<ViewPainter> with_comparison_line(std::unique_ptr<ViewPainter> painter, ComparisonLine line) {
  if (line.empty() || !painter->has_content()) return painter;
  return std::make_unique<ComparedPainter>(std::move(painter), std::move(line));
}

}  // namespace convscope::ui
