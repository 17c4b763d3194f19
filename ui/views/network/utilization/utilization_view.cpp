#include "ui/views/network/utilization/utilization_view.h"

#include <algorithm>

#include "core/analysis/compare_figures.h"
#include "ui/model/shown_run.h"
#include "ui/parts/drawing.h"
#include "ui/plot/baseline_stacks.h"

namespace convscope::ui {
namespace {

using analysis::PublishedTables;
using engine::CompiledNetwork;

bool published_for(const PublishedTables& published, const CompiledNetwork& run, const std::string& metric) {
  const auto& figures = published.figures();
  return std::any_of(figures.begin(), figures.end(), [&](const auto& f) {
    return f.network == run.network->name && f.metric == metric &&
           published.source(f.source)->is_about(run.target->id());
  });
}

BarPart metric_part(const CategoryMetrics& metrics_of, const UtilizationMetric& metric,
                    const std::vector<BarCategory>& categories) {
  BarPart part;
  for (const BarCategory& category : categories) {
    const artifact::Metrics* metrics = metrics_of(category);
    const Quantity* quantity = metrics ? metrics->find(metric.key) : nullptr;
    part.values.push_back(quantity ? quantity->value * metric.scale : no_bar);
  }
  return part;
}

Origin weakest_origin(const CategoryMetrics& metrics_of, const std::string& key,
                      const std::vector<BarCategory>& categories) {
  Origin origin = Origin::measured;
  for (const BarCategory& category : categories) {
    const artifact::Metrics* metrics = metrics_of(category);
    const Quantity* quantity = metrics ? metrics->find(key) : nullptr;
    if (quantity) origin = weaker(origin, quantity->origin);
  }
  return origin;
}

BarStack run_stack(const CompiledNetwork& run, const UtilizationMetric& metric,
                   const std::vector<BarCategory>& categories, bool current) {
  const CategoryMetrics metrics_of = [&](const BarCategory& category) { return category_metrics(run, category); };
  BarStack stack{level_title(run), weakest_origin(metrics_of, metric.key, categories), current, false, {}};
  stack.parts = {metric_part(metrics_of, metric, categories)};
  stack.parts.front().name = stack.name;
  stack.parts.front().fill = {BarFill::Kind::series, level_index(run)};
  return stack;
}

/// What a source states of a layer or, if it states seconds alone, the utilization that they are on this machine.
std::optional<double> published_value(const PublishedTables& published, const std::string& source,
                                      const CompiledNetwork& run, const BarCategory& category,
                                      const UtilizationMetric& metric) {
  const std::string layer = category.layer < 0 ? std::string() : category.name.toStdString();
  if (const auto stated = published.find(source, run.network->name, layer, metric.key)) return stated;
  const artifact::Metrics* metrics = category_metrics(run, category);
  if (metric.key != "utilization" || !metrics) return std::nullopt;
  const auto seconds = published.find(source, run.network->name, layer, "seconds");
  if (!seconds || *seconds <= 0) return std::nullopt;
  return metrics->utilization.value * metrics->seconds.value / *seconds;
}

std::optional<BarStack> published_stack(const CompiledNetwork& run, const PublishedTables& published,
                                        const analysis::PublishedSource& source, const UtilizationMetric& metric,
                                        const std::vector<BarCategory>& categories, int pattern) {
  const auto& figures = published.figures();
  const auto tells = [&](const auto& f) {
    const bool of_layer = f.metric == "seconds" && !f.layer.empty();  // a total alone would be a bar in a hundred
    return f.source == source.id && f.network == run.network->name && (f.metric == metric.key || of_layer);
  };
  if (!source.is_about(run.target->id()) || std::none_of(figures.begin(), figures.end(), tells)) return std::nullopt;
  BarStack stack{to_text(source.title), Origin::published, false, false, {}};
  BarPart part{stack.name, {BarFill::Kind::baseline, pattern}, {}};
  bool any = false;
  for (const BarCategory& category : categories) {
    const auto value = published_value(published, source.id, run, category, metric);
    any = any || value.has_value();
    part.values.push_back(value ? *value * metric.scale : no_bar);
  }
  stack.parts.push_back(std::move(part));
  if (!any) return std::nullopt;
  return stack;
}

/// Layers that multiply: of the others no utilization can be told.
std::vector<BarCategory> with_macs(const CompiledNetwork& run) {
  std::vector<BarCategory> categories = bar_categories(run);
  const auto without = [&](const BarCategory& category) {
    const artifact::Metrics* metrics = category_metrics(run, category);
    return category.layer >= 0 && metrics && metrics->macs == 0 && metrics->utilization.value == 0;
  };
  categories.erase(std::remove_if(categories.begin(), categories.end(), without), categories.end());
  return categories;
}

std::shared_ptr<const Chart> chart_of(const Snapshot& snapshot) {
  return make_utilization_chart(snapshot);
}

}  // namespace

UtilizationMetric utilization_metric(const CompiledNetwork& run, const PublishedTables* published) {
  for (const auto& layer : run.layers) {
    if (!layer || !layer->mapped() || !published) continue;
    for (const artifact::NamedQuantity& figure : layer->metrics().target_figures) {
      if (!published_for(*published, run, figure.key)) continue;
      const QString unit = to_text(figure.quantity.unit);
      const QString label = to_text(analysis::description_of(run.target->figures(), figure.key).label);
      return {figure.key, unit.isEmpty() ? label : QStringLiteral("%1 (%2)").arg(label, unit), 1};
    }
  }
  return {"utilization", QStringLiteral("utilization (% of the machine's peak)"), 100};
}

std::shared_ptr<const BarChart> make_utilization_chart(const Snapshot& snapshot) {
  const auto runs = runs_by_level(snapshot);
  const auto shown = shown_network(snapshot);
  if (!shown) return nullptr;
  const UtilizationMetric metric = utilization_metric(*shown, snapshot.published.get());
  auto chart = std::make_shared<BarChart>();
  chart->value_label = metric.label;
  chart->unit = metric.key == "utilization" ? QStringLiteral("%") : QString();
  if (metric.key == "utilization") chart->full = 100;
  chart->categories = with_macs(*shown);
  chart->selected_layer = snapshot.selection.layer;
  const bool compared = runs.size() > 1 || !snapshot.baselines.empty();
  for (const auto& run : runs) {
    chart->stacks.push_back(run_stack(*run, metric, chart->categories, run == shown && compared));
    if (run == shown) chart->stacks.back().notes = baseline_notes(snapshot, chart->categories, metric.key);
  }
  add_baseline_stacks(*chart, snapshot, FigureMeaning::one_target, [&](const CategoryMetrics& metrics_of) {
    return std::vector<BarPart>{metric_part(metrics_of, metric, chart->categories)};
  });
  int pattern = 0;
  if (snapshot.published) {
    for (const analysis::PublishedSource& source : snapshot.published->sources()) {
      auto stack = published_stack(*shown, *snapshot.published, source, metric, chart->categories, pattern);
      if (!stack) continue;
      chart->stacks.push_back(std::move(*stack));
      ++pattern;
    }
  }
  return chart;
}

std::unique_ptr<ViewPainter> make_utilization_painter(const Snapshot& snapshot) {
  return make_chart_painter(snapshot, chart_of);
}

QWidget* make_utilization_widget(ViewHost& host, QWidget* parent) {
  return make_chart_widget(host, parent, chart_of);
}

}  // namespace convscope::ui
