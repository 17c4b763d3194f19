#include "ui/views/network/compare/difference_chart.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ui/model/baseline_difference.h"
#include "ui/model/shown_run.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

using analysis::FigureDifference;

DifferenceRow row_of(const Snapshot& snapshot, const Baseline& baseline, const network::Network& network, int layer,
                     const std::string& key) {
  DifferenceRow row;
  const auto index = static_cast<std::size_t>(layer);
  row.layer = layer;
  row.layer_name = network.layers[index].name;
  row.name = to_text(row.layer_name);
  row.difference = baseline_difference(snapshot, baseline, layer, key);
  if (!row.difference) row.reason = missing_difference(snapshot, baseline, layer);
  const int other = baseline.matching_layer(layer);
  if (other < 0) return row;
  row.baseline_name = baseline.run->network->layers[static_cast<std::size_t>(other)].name;
  if (row.baseline_name != row.layer_name) row.name += QStringLiteral(" ~ ") + to_text(row.baseline_name);
  if (!baseline.matching->layers[index].same_shape) {
    row.name += QStringLiteral(" *");
    if (row.difference) row.reason = QStringLiteral("* the layer has another shape there: this is another work");
  }
  return row;
}

DifferenceRow baseline_only(const Baseline& baseline, int other) {
  DifferenceRow row;
  row.baseline_name = baseline.run->network->layers[static_cast<std::size_t>(other)].name;
  row.name = QStringLiteral("(%1)").arg(to_text(row.baseline_name));
  row.reason = QStringLiteral("only in %1").arg(baseline.name);
  return row;
}

std::vector<DifferenceRow> rows_of(const Snapshot& snapshot, const Baseline& baseline, const network::Network& network,
                                   const std::string& key) {
  std::vector<DifferenceRow> rows;
  for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer) {
    if (!mapped_in_neither(snapshot, baseline, layer)) rows.push_back(row_of(snapshot, baseline, network, layer, key));
  }
  for (std::size_t other = 0; other < baseline.matching->others.size(); ++other)
    if (baseline.matching->others[other] < 0) rows.push_back(baseline_only(baseline, static_cast<int>(other)));
  return rows;
}

double size_of(const DifferenceRow& row) {
  return row.difference ? std::abs(row.difference->absolute.value_or(0)) : -1;
}

void write_value(std::ostream& out, const std::optional<Quantity>& value) {
  if (value) out << value->value;
  out << ',';
}

void write_line(std::ostream& out, const std::string& layer, const std::string& baseline_layer, const std::string& key,
                const std::optional<FigureDifference>& difference) {
  out << csv_field(layer) << ',' << csv_field(baseline_layer) << ',' << key << ',';
  if (!difference) {
    out << ",,,,missing,,\n";
    return;
  }
  write_value(out, difference->reference);
  write_value(out, difference->value);
  if (difference->absolute) out << *difference->absolute;
  out << ',';
  if (difference->relative) out << *difference->relative;
  out << ',' << analysis::verdict_name(difference->verdict) << ','
      << (difference->reference ? origin_name(difference->reference->origin) : "") << ','
      << (difference->value ? origin_name(difference->value->origin) : "") << '\n';
}

}  // namespace

std::string DifferenceChart::csv() const {
  std::ostringstream out;
  out.precision(17);
  out << "layer,baseline_layer,figure,baseline,compared,difference,relative,verdict,baseline_origin,compared_origin\n";
  for (const DifferenceRow& row : rows) write_line(out, row.layer_name, row.baseline_name, key, row.difference);
  write_line(out, "total", "total", key, total);
  return out.str();
}

QSizeF DifferenceChart::preferred_size() const {
  return {900, std::clamp(150.0 + 20.0 * static_cast<double>(rows.size()), 320.0, 8000.0)};
}

const std::vector<ComparedFigureName>& compared_figure_names() {
  static const std::vector<ComparedFigureName> names = {{"cycles", QStringLiteral("Cycles")},
                                                        {"seconds", QStringLiteral("Time")},
                                                        {"utilization", QStringLiteral("Utilization")},
                                                        {"bytes", QStringLiteral("Bytes moved")}};
  return names;
}

std::shared_ptr<const DifferenceChart> make_difference_chart(const Snapshot& snapshot, const std::string& key,
                                                             DifferenceOrder order) {
  const Baseline* baseline = snapshot.baseline();
  const auto shown = shown_network(snapshot);
  if (baseline == nullptr || !shown) return nullptr;
  auto chart = std::make_shared<DifferenceChart>();
  chart->key = key.empty() ? headline_key(snapshot, *baseline) : key;
  chart->baseline = baseline->name;
  chart->rows = rows_of(snapshot, *baseline, *shown->network, chart->key);
  chart->total = baseline_difference(snapshot, *baseline, -1, chart->key);
  chart->selected_layer = snapshot.selection.layer;
  if (order == DifferenceOrder::size)
    std::stable_sort(chart->rows.begin(), chart->rows.end(),
                     [](const DifferenceRow& a, const DifferenceRow& b) { return size_of(a) > size_of(b); });
  return chart;
}

QString missing_comparison(const Snapshot& snapshot) {
  if (!shown_network(snapshot)) return missing_network_message(snapshot);
  if (snapshot.baselines.empty())
    return QStringLiteral(
        "Pin this run (Ctrl+B), then change a parameter, the level or the machine: every table and chart shows the "
        "difference.");
  if (snapshot.compared < 0)
    return QStringLiteral("Choose the baseline to compare with, in the tool bar or in the menu Compare.");
  const Baseline& chosen = snapshot.baselines[static_cast<std::size_t>(snapshot.compared)];
  return QStringLiteral("Nothing to compare: no layer of %1 in %2 has the name or the shape of a layer here.")
      .arg(to_text(chosen.run->network->name), chosen.name);
}

}  // namespace convscope::ui
