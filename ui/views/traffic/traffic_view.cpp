#include "ui/views/traffic/traffic_view.h"

#include "ui/views/message_painter.h"

namespace convscope::ui {
namespace {

using artifact::Metrics;
using artifact::OperationClass;

BarPart traffic_part(const engine::CompiledNetwork& run, const std::vector<BarCategory>& categories,
                     const QString& name, OperationClass colour, std::int64_t Metrics::*bytes) {
  BarPart part{name, {BarFill::Kind::operation, static_cast<int>(colour)}, {}};
  for (const BarCategory& category : categories) {
    const Metrics* metrics = category_metrics(run, category);
    part.values.push_back(metrics ? static_cast<double>(metrics->*bytes) : no_bar);
  }
  return part;
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
  chart->categories = bar_categories(*shown);
  chart->selected_layer = snapshot.selection.layer;
  for (const auto& run : runs) {
    BarStack stack{level_title(*run), Origin::derived, run == shown && runs.size() > 1, runs.size() > 1, {}};
    stack.parts = {
        traffic_part(*run, chart->categories, QStringLiteral("pixels in"), OperationClass::read, &Metrics::bytes_in),
        traffic_part(*run, chart->categories, QStringLiteral("pixels out"), OperationClass::write, &Metrics::bytes_out),
        traffic_part(*run, chart->categories, QStringLiteral("coefficients in"), OperationClass::coefficients,
                     &Metrics::bytes_weights)};
    chart->stacks.push_back(std::move(stack));
  }
  return chart;
}

std::unique_ptr<ViewPainter> make_traffic_painter(const Snapshot& snapshot) {
  return make_chart_painter(snapshot, chart_of);
}

QWidget* make_traffic_widget(Workbench& workbench, QWidget* parent) {
  return make_chart_widget(workbench, parent, chart_of);
}

}  // namespace convscope::ui
