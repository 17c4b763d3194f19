#include "ui/views/network/traffic/traffic_view.h"

#include "core/analysis/compare_figures.h"
#include "ui/model/shown_run.h"
#include "ui/parts/drawing.h"
#include "ui/plot/baseline_stacks.h"

namespace convscope::ui {
namespace {

using artifact::Metrics;
using artifact::OperationClass;

BarPart traffic_part(const CategoryMetrics& metrics_of, const std::vector<BarCategory>& categories, const QString& name,
                     OperationClass colour, std::int64_t Metrics::*bytes) {
  BarPart part{name, {BarFill::Kind::operation, static_cast<int>(colour)}, {}};
  for (const BarCategory& category : categories) {
    const Metrics* metrics = metrics_of(category);
    part.values.push_back(metrics ? static_cast<double>(metrics->*bytes) : no_bar);
  }
  return part;
}

std::vector<BarPart> traffic_parts(const CategoryMetrics& metrics_of, const std::vector<BarCategory>& categories) {
  return {
      traffic_part(metrics_of, categories, QStringLiteral("pixels in"), OperationClass::read, &Metrics::bytes_in),
      traffic_part(metrics_of, categories, QStringLiteral("pixels out"), OperationClass::write, &Metrics::bytes_out),
      traffic_part(metrics_of, categories, QStringLiteral("coefficients in"), OperationClass::coefficients,
                   &Metrics::bytes_weights)};
}

Origin weakest_origin(const CategoryMetrics& metrics_of, const std::vector<BarCategory>& categories) {
  Origin origin = Origin::measured;
  for (const BarCategory& category : categories) {
    if (const Metrics* metrics = metrics_of(category)) origin = weaker(origin, analysis::bytes_origin(*metrics));
  }
  return origin;
}

std::shared_ptr<const Chart> chart_of(const Snapshot& snapshot) {
  return make_traffic_chart(snapshot);
}

}  // namespace

std::shared_ptr<const BarChart> make_traffic_chart(const Snapshot& snapshot) {
  const auto runs = runs_by_level(snapshot);
  const auto shown = shown_network(snapshot);
  if (!shown) return nullptr;
  auto chart = std::make_shared<BarChart>();
  chart->value_label = QStringLiteral("transferred per frame (bytes)");
  chart->unit = QStringLiteral("bytes");
  chart->sums = true;
  chart->categories = bar_categories(*shown);
  chart->selected_layer = snapshot.selection.layer;
  const bool several = runs.size() > 1 || !snapshot.baselines.empty();
  for (const auto& run : runs) {
    const CategoryMetrics metrics_of = [&](const BarCategory& category) { return category_metrics(*run, category); };
    BarStack stack{level_title(*run), weakest_origin(metrics_of, chart->categories), run == shown && several, several,
                   traffic_parts(metrics_of, chart->categories)};
    if (run == shown) stack.notes = baseline_notes(snapshot, chart->categories, "bytes");
    chart->stacks.push_back(std::move(stack));
  }
  add_baseline_stacks(*chart, snapshot, FigureMeaning::everywhere,
                      [&](const CategoryMetrics& metrics_of) { return traffic_parts(metrics_of, chart->categories); });
  if (chart->drawn() < chart->categories.size()) {
    const Quantity total{static_cast<double>(analysis::all_bytes(shown->total)), "byte", Origin::derived};
    chart->category_label = QStringLiteral("layer (total: %1)").arg(to_text(format_quantity(total)));
  }
  return chart;
}

std::unique_ptr<ViewPainter> make_traffic_painter(const Snapshot& snapshot) {
  return make_chart_painter(snapshot, chart_of);
}

QWidget* make_traffic_widget(ViewHost& host, QWidget* parent) {
  return make_chart_widget(host, parent, chart_of);
}

}  // namespace convscope::ui
