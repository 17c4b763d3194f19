#include "ui/published_figures/figure_painter.h"

#include <QPainter>
#include <algorithm>
#include <vector>

#include "ui/parts/drawing.h"
#include "ui/plot/chart.h"
#include "ui/published_figures/figure_chart.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

constexpr double sheet_width = 1200, head_height = 64, chart_height = 240, names_height = 60, alone_height = 440;

/// Only charts of a crossed figure have bars, names and legend in common.
FigureChartPlace place(const figures::Figure& figure, std::size_t chart, std::size_t count) {
  if (count == 1 || !figure.crossed) return FigureChartPlace::alone;
  return chart + 1 < count ? FigureChartPlace::above_another : FigureChartPlace::lowest;
}

double height(FigureChartPlace place) {
  if (place == FigureChartPlace::alone) return alone_height;
  return chart_height + (place == FigureChartPlace::lowest ? names_height : 0);
}

class FigurePainter : public ViewPainter {
 public:
  FigurePainter(const figures::Figure& figure, const std::vector<FigureSeries>& series) : figure_(figure) {
    const std::size_t count = std::min(series.size(), most_figure_charts);
    for (std::size_t i = 0; i < count; ++i) {
      const FigureChartPlace of_chart = place(figure, i, count);
      charts_.emplace_back(make_figure_chart(figure, series[i], of_chart));
      ends_.push_back((i > 0 ? ends_.back() : 0) + height(of_chart));
    }
  }

  QSizeF preferred_size() const override { return {sheet_width, head_height + ends_.back()}; }

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.fillRect(area, theme.background);
    const QRectF head(area.left() + 16, area.top() + 10, area.width() - 32, head_height - 10);
    painter.setPen(theme.text);
    painter.setFont(with_pixel_size(theme.label_font(), 18));
    painter.drawText(head, Qt::AlignLeft | Qt::AlignTop, to_text(figure_.title));
    painter.setPen(theme.muted_text);
    painter.setFont(with_pixel_size(theme.label_font(), 12));
    painter.drawText(head, Qt::AlignLeft | Qt::AlignBottom, to_text(figure_.source));
    for (std::size_t i = 0; i < charts_.size(); ++i) charts_[i].paint(painter, box(i, area), theme);
  }

  std::optional<artifact::Ref> hit(QPointF, const QRectF&) const override { return std::nullopt; }

  QString reading(QPointF point, const QRectF& area) const override {
    for (std::size_t i = 0; i < charts_.size(); ++i)
      if (box(i, area).contains(point)) return charts_[i].reading(point, box(i, area));
    return {};
  }

  bool works_on_any_thread() const override { return false; }
  std::string csv() const override { return figures::figure_csv(figure_); }

 private:
  QRectF box(std::size_t i, const QRectF& area) const {
    const double scale = (area.height() - head_height) / ends_.back();
    const double begin = i > 0 ? ends_[i - 1] : 0;
    return {area.left(), area.top() + head_height + begin * scale, area.width(), (ends_[i] - begin) * scale};
  }

  figures::Figure figure_;
  std::vector<ChartPainter> charts_;
  std::vector<double> ends_;  ///< of charts, below the head
};

}  // namespace

std::unique_ptr<ViewPainter> make_figure_painter(const figures::Figure& figure) {
  const std::vector<FigureSeries> series = figure_series(figure);
  return series.empty() ? nullptr : std::make_unique<FigurePainter>(figure, series);
}

}  // namespace convscope::ui
