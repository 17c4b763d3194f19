#include <algorithm>
#include <optional>

#include "ui/model/shown_run.h"
#include "ui/parts/drawing.h"
#include "ui/plot/baseline_stacks.h"
#include "ui/views/network/breakdown/breakdown_view.h"

namespace convscope::ui {
namespace {

using artifact::Metrics;
using engine::CompiledNetwork;

double part_cycles(const Metrics& metrics, const std::string& name) {
  double sum = 0;
  for (const artifact::BreakdownPart& part : metrics.breakdown)
    if (part.name == name) sum += static_cast<double>(part.cycles);
  return sum;
}

double all_cycles(const Metrics& metrics) {
  double sum = 0;
  for (const artifact::BreakdownPart& part : metrics.breakdown) sum += static_cast<double>(part.cycles);
  return sum;
}

/// Names of all layers' parts, in order of first appearance: a part's colour is the same in every bar.
std::vector<std::string> part_names(const CompiledNetwork& run, const std::vector<BarCategory>& categories) {
  std::vector<std::string> names;
  for (const BarCategory& category : categories) {
    const Metrics* metrics = category_metrics(run, category);
    if (!metrics) continue;
    for (const artifact::BreakdownPart& part : metrics->breakdown)
      if (std::find(names.begin(), names.end(), part.name) == names.end()) names.push_back(part.name);
  }
  return names;
}

Origin origin_of(const CompiledNetwork& run, const std::vector<BarCategory>& categories) {
  Origin origin = Origin::measured;
  for (const BarCategory& category : categories)
    if (const Metrics* metrics = category_metrics(run, category)) origin = weaker(origin, metrics->cycles.origin);
  return origin;
}

/// Only what has parts: pools and activations that the machine leaves out would only be gaps.
std::vector<BarCategory> with_parts(const CompiledNetwork& run) {
  std::vector<BarCategory> categories = bar_categories(run);
  categories.erase(std::remove_if(categories.begin(), categories.end(),
                                  [&](const BarCategory& category) {
                                    const Metrics* metrics = category_metrics(run, category);
                                    return !metrics || metrics->breakdown.empty();
                                  }),
                   categories.end());
  return categories;
}

/// The kind of operation that a part's name is, of those that every legend names; nothing if it is none. A machine's
/// "transfer" is all that it moves: more than what views call so.
std::optional<artifact::OperationClass> kind_of(const std::string& name) {
  for (const auto kind : artifact::operation_classes) {
    if ((is_usual(kind) || kind == artifact::OperationClass::other) && artifact::operation_class_name(kind) == name)
      return kind;
  }
  return std::nullopt;
}

/// A part that is a kind of operation has that kind's colour, the same as in every view; the others have the series'
/// colours that are no operation's here.
std::vector<BarFill> fills_of(const std::vector<std::string>& names) {
  const Theme& theme = light_theme();  // both themes colour series and operations alike
  std::vector<BarFill> fills;
  int series = 0;
  const auto is_taken = [&](const QColor& colour) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const auto kind = kind_of(name);
      return kind && theme.colour(*kind) == colour;
    });
  };
  for (const std::string& name : names) {
    if (const auto kind = kind_of(name)) {
      fills.push_back({BarFill::Kind::operation, static_cast<int>(*kind)});
      continue;
    }
    while (series < series_colours - 1 && is_taken(theme.series[series])) ++series;
    fills.push_back({BarFill::Kind::series, series++});
  }
  return fills;
}

/// `value` of a layer's or the network's part, for each of the names.
template <typename Value>
std::shared_ptr<BarChart> chart_of(const Snapshot& snapshot, const CompiledNetwork& run,
                                   std::vector<BarCategory> categories, const std::vector<std::string>& names,
                                   Value value) {
  if (names.empty()) return nullptr;
  auto chart = std::make_shared<BarChart>();
  chart->categories = std::move(categories);
  chart->selected_layer = snapshot.selection.layer;
  const std::vector<BarFill> fills = fills_of(names);
  const auto parts_of = [&](const CategoryMetrics& metrics_of) {
    std::vector<BarPart> parts;
    for (std::size_t p = 0; p < names.size(); ++p) {
      parts.push_back({to_text(names[p]), fills[p], {}});
      for (const BarCategory& category : chart->categories) {
        const Metrics* metrics = metrics_of(category);
        parts.back().values.push_back(metrics ? value(*metrics, names[p]) : no_bar);
      }
    }
    return parts;
  };
  BarStack stack{level_title(run), origin_of(run, chart->categories), false, !snapshot.baselines.empty(), {}};
  stack.parts = parts_of([&](const BarCategory& category) { return category_metrics(run, category); });
  stack.notes = baseline_notes(snapshot, chart->categories, "cycles");
  chart->stacks.push_back(std::move(stack));
  add_baseline_stacks(*chart, snapshot, FigureMeaning::one_clock, parts_of);
  return chart;
}

}  // namespace

namespace {

/// Its place stays empty, so that layers stand above each other in both charts.
void leave_out_total(BarChart& chart) {
  if (chart.categories.back().layer >= 0) return;
  for (BarStack& stack : chart.stacks)
    for (BarPart& part : stack.parts) part.values.back() = no_bar;
}

}  // namespace

std::shared_ptr<const BarChart> make_breakdown_cycles(const Snapshot& snapshot) {
  const auto run = shown_network(snapshot);
  if (!run) return nullptr;
  std::vector<BarCategory> categories = with_parts(*run);
  std::vector<BarCategory> layers = categories;
  std::erase_if(layers, [](const BarCategory& category) { return category.layer < 0; });
  auto chart = chart_of(snapshot, *run, std::move(categories), part_names(*run, layers), part_cycles);
  if (!chart) return nullptr;
  leave_out_total(*chart);
  chart->above_another = chart->aligned = true;
  chart->value_label = QStringLiteral("cycles");
  chart->unit = QStringLiteral("cycles");
  return chart;
}

std::shared_ptr<const BarChart> make_breakdown_shares(const Snapshot& snapshot) {
  const auto run = shown_network(snapshot);
  if (!run) return nullptr;
  const std::vector<BarCategory> categories = with_parts(*run);
  const auto share = [](const Metrics& metrics, const std::string& name) {
    const double all = all_cycles(metrics);
    return all > 0 ? 100 * part_cycles(metrics, name) / all : no_bar;
  };
  auto chart = chart_of(snapshot, *run, categories, part_names(*run, categories), share);
  if (!chart) return nullptr;
  chart->value_label = QStringLiteral("share of cycles (%)");
  chart->unit = QStringLiteral("%");
  chart->full = 100;
  chart->aligned = true;
  return chart;
}

}  // namespace convscope::ui
