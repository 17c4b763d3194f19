#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/compare_figures.h"
#include "core/analysis/report.h"
#include "core/analysis/table.h"
#include "core/analysis/unmapped.h"
#include "core/base/shortened.h"

namespace convscope::analysis {
namespace {

std::string sizes_text(const std::vector<int>& sizes) {
  return fmt::format("{}", fmt::join(sizes, "x"));
}

// Layers without a kernel have no window to speak of.
std::string window_text(const network::Layer& layer, network::Size size, const std::vector<int>& other) {
  if (!other.empty()) return sizes_text(other);
  return layer.kernel.height == 0 ? "" : sizes_text({size.height, size.width});
}

std::string kernel_text(const network::Layer& layer) {
  return window_text(layer, layer.kernel, layer.space.kernel);
}

std::string stride_text(const network::Layer& layer) {
  return window_text(layer, layer.stride, layer.space.stride);
}

std::string macs_text(const network::Layer& layer) {
  return layer.macs_known() ? format_quantity({static_cast<double>(layer.macs()), "", Origin::derived}) : "?";
}

std::string quantity_text(double value, const char* unit) {
  return format_quantity({value, unit, Origin::derived});
}

using Columns = std::vector<artifact::FigureDescription>;

constexpr std::size_t longest_word = 40;  ///< of a detail that a table for people has room for

/// Figures of the target that any row has, in the order in which they first appear; details that are numbers or long
/// texts only where files want them.
Columns target_columns(const Report& report, bool details) {
  Columns columns;
  const auto add = [&](const artifact::Metrics& metrics, bool total) {
    for (const auto& figure : metrics.target_figures) {
      if (artifact::find_figure(columns, figure.key) != nullptr) continue;
      artifact::FigureDescription column = description_of(report.figures, figure.key);
      const bool shown = !figure.text.empty() && figure.text.size() <= longest_word;
      if (column.detail && !shown && !details) continue;
      if (total) column.label = column.label_of_total();
      columns.push_back(std::move(column));
    }
  };
  for (const ReportLayer& row : report.layers) add(row.metrics, false);
  add(report.total, true);
  return columns;
}

/// "source.metric" of everything published about any row.
std::vector<std::pair<std::string, std::string>> published_columns(const Report& report) {
  std::vector<std::pair<std::string, std::string>> columns;
  const auto add = [&](const std::map<std::string, MetricValues>& published) {
    for (const auto& [source, metrics] : published)
      for (const auto& entry : metrics) columns.emplace_back(source, entry.first);
  };
  for (const ReportLayer& row : report.layers) add(row.published);
  add(report.total_published);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<std::string> csv_metrics(const artifact::Metrics& metrics) {
  return {number_text(metrics.cycles.value),
          number_text(metrics.seconds.value),
          number_text(metrics.utilization.value),
          number_text(static_cast<double>(metrics.bytes_in)),
          number_text(static_cast<double>(metrics.bytes_out)),
          number_text(static_cast<double>(metrics.bytes_weights))};
}

void append_target(std::vector<std::string>& row, const artifact::Metrics& metrics, const Columns& columns) {
  for (const auto& column : columns) {
    const Quantity* quantity = metrics.find(column.key);
    const std::string text(metrics.text(column.key));
    row.push_back(!text.empty() ? text : quantity ? number_text(quantity->value) : "");
  }
}

void append_published(std::vector<std::string>& row, const std::map<std::string, MetricValues>& published,
                      const std::vector<std::pair<std::string, std::string>>& columns) {
  for (const auto& [source, metric] : columns) {
    const auto found = published.find(source);
    const bool known = found != published.end() && found->second.contains(metric);
    row.push_back(known ? number_text(found->second.at(metric)) : "");
  }
}

std::vector<std::string> csv_layer(const ReportLayer& row) {
  const network::Layer& layer = row.layer;
  const artifact::Metrics& metrics = row.metrics;
  std::vector<std::string> cells{layer.name,
                                 layer.operator_name,
                                 sizes_text(layer.in_dimensions()),
                                 sizes_text(layer.out_dimensions()),
                                 kernel_text(layer),
                                 stride_text(layer),
                                 std::to_string(layer.groups),
                                 row.mapped() ? "true" : "false",
                                 row.reason,
                                 layer.macs_known() ? std::to_string(layer.macs()) : ""};
  if (!row.mapped()) {
    cells.resize(cells.size() + csv_metrics(metrics).size());
    cells.push_back(std::to_string(bytes_once(layer)));
    return cells;
  }
  const std::vector<std::string> figures = csv_metrics(metrics);
  cells.insert(cells.end(), figures.begin(), figures.end());
  cells.insert(cells.end(), {std::to_string(bytes_once(layer)), metrics.bound.kind,
                             std::to_string(metrics.bound.cycles), metrics.bound.proven ? "true" : "false",
                             std::string(origin_name(metrics.cycles.origin)), metrics.verified ? "true" : "false"});
  return cells;
}

std::vector<std::string> csv_total(const Report& report) {
  std::vector<std::string> cells{"total", "", "", "", "", "", "", "", "", std::to_string(report.total.macs)};
  const std::vector<std::string> figures = csv_metrics(report.total);
  cells.insert(cells.end(), figures.begin(), figures.end());
  cells.insert(cells.end(), {"", "", "", "", std::string(origin_name(report.total.cycles.origin)), ""});
  return cells;
}

std::string figure_text(const artifact::FigureDescription& column, double value) {
  if (column.ratio) return fmt::format("{:.2f}", value);
  if (column.unit == "s") return quantity_text(value, "s");
  const std::string exact = number_text(value);
  return exact.find('.') == std::string::npos ? exact : fmt::format("{:.4g}", value);
}

std::vector<std::string> people_row(const std::string& name, const network::Layer* layer,
                                    const artifact::Metrics& metrics, std::int64_t macs, const Columns& columns) {
  std::vector<std::string> row{name};
  if (layer)
    row.insert(row.end(),
               {layer->operator_name, sizes_text(layer->out_dimensions()), kernel_text(*layer), stride_text(*layer)});
  else
    row.resize(5);
  row.insert(row.end(),
             {quantity_text(static_cast<double>(macs), ""), number_text(metrics.cycles.value),
              quantity_text(metrics.seconds.value, "s"), fmt::format("{:.1f} %", 100 * metrics.utilization.value),
              quantity_text(static_cast<double>(metrics.bytes_in), "byte"),
              quantity_text(static_cast<double>(metrics.bytes_out), "byte"),
              quantity_text(static_cast<double>(metrics.bytes_weights), "byte")});
  row.push_back(!layer || metrics.bound.kind.empty() ? ""
                                                     : fmt::format("{} {}{}", metrics.bound.kind, metrics.bound.cycles,
                                                                   metrics.bound.proven ? "" : " ?"));
  row.emplace_back(origin_name(metrics.cycles.origin));
  for (const auto& column : columns) {
    const Quantity* quantity = metrics.find(column.key);
    const std::string text(metrics.text(column.key));
    row.push_back(!text.empty() ? text : quantity ? figure_text(column, quantity->value) : "");
  }
  return row;
}

/// Of all images at once: beside those of one, and only where there are several.
std::vector<std::string> batch_columns() {
  return {"images", "batch cycles", "batch time", "batch weights"};
}

std::vector<std::string> batch_keys() {
  return {"batch.images",        "batch.macs",        "batch.cycles",        "batch.seconds",
          "batch.bytes_in",      "batch.bytes_out",   "batch.bytes_weights", "batch.weights",
          "batch.seconds_saved", "batch.bytes_saved", "batch.origin"};
}

std::vector<std::string> batch_text(const artifact::BatchFigures& batch) {
  return {
      std::to_string(batch.images), number_text(batch.cycles.value), quantity_text(batch.seconds.value, "s"),
      quantity_text(static_cast<double>(batch.bytes_weights), "byte") + " " + artifact::weights_name(batch.weights)};
}

std::vector<std::string> batch_values(const artifact::BatchFigures& batch) {
  const auto count = [](std::int64_t value) { return std::to_string(value); };
  return {count(batch.images),
          count(batch.macs),
          number_text(batch.cycles.value),
          number_text(batch.seconds.value),
          count(batch.bytes_in),
          count(batch.bytes_out),
          count(batch.bytes_weights),
          artifact::weights_name(batch.weights),
          number_text(batch.seconds_saved),
          count(batch.bytes_saved),
          std::string(origin_name(batch.seconds.origin))};
}

/// Cells behind those that each row has; the last row is the total.
void add_batch(TextTable& table, const Report& report, const std::vector<std::string>& columns,
               std::vector<std::string> (*cells)(const artifact::BatchFigures&)) {
  const std::size_t before = table.columns.size();
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& batch = i < report.layers.size() ? report.layers[i].batch : report.batch;
    table.rows[i].resize(before);
    if (!batch) continue;
    const std::vector<std::string> more = cells(*batch);
    table.rows[i].insert(table.rows[i].end(), more.begin(), more.end());
  }
}

/// How much is missed with a layer that isn't mapped: nobody knows of what work comes first.
double weight_of(const network::Layer& layer) {
  return layer.macs_known() ? static_cast<double>(layer.macs()) : std::numeric_limits<double>::infinity();
}

std::string coverage_text(const Report& report) {
  if (report.unknown_layers > 0)
    return fmt::format(
        "Coverage is unknown: {} nobody knows how much; stating the input size may help.\n",
        report.unknown_layers == 1 ? "a layer multiplies" : fmt::format("{} layers multiply", report.unknown_layers));
  if (!report.coverage) return "The network has no MACs.\n";
  if (!artifact::is_partial(report.coverage)) return {};
  return fmt::format("Totals cover {:.1f} % of all MACs.\n", 100 * *report.coverage);
}

std::string batch_sentence(const artifact::BatchFigures& batch) {
  const auto bytes = [](std::int64_t count) { return quantity_text(static_cast<double>(count), "byte"); };
  std::string text = fmt::format("A batch of {} takes {} ({}), {} in, {} out and {} of weights", batch.images,
                                 quantity_text(batch.seconds.value, "s"), origin_name(batch.seconds.origin),
                                 bytes(batch.bytes_in), bytes(batch.bytes_out), bytes(batch.bytes_weights));
  if (!batch.note.empty()) text += fmt::format(", which are {}: {}", artifact::weights_name(batch.weights), batch.note);
  return text +
         fmt::format(". It saves {} and {}.\n", quantity_text(batch.seconds_saved, "s"), bytes(batch.bytes_saved));
}

TextTable layer_table(const Report& report) {
  const auto columns = target_columns(report, false);
  TextTable table{{"layer", "operator", "out", "kernel", "stride", "MACs", "cycles", "time", "util", "in", "out",
                   "weights", "bound", "origin"},
                  {}};
  for (const auto& column : columns) table.columns.push_back(column.label.empty() ? column.key : column.label);
  for (const ReportLayer& row : report.layers) {
    if (row.mapped()) {
      table.rows.push_back(people_row(row.layer.name, &row.layer, row.metrics, row.layer.macs(), columns));
    } else {
      table.rows.push_back({row.layer.name, row.layer.operator_name, sizes_text(row.layer.out_dimensions()),
                            kernel_text(row.layer), stride_text(row.layer), macs_text(row.layer), "-"});
    }
  }
  table.rows.push_back(people_row("total", nullptr, report.total, report.total.macs, columns));
  if (report.batch) add_batch(table, report, batch_columns(), batch_text);
  return table;
}

void add_comparisons(TextTable& table, const std::string& name, const MetricValues& ours,
                     const std::map<std::string, MetricValues>& published) {
  for (const auto& [source, metrics] : published)
    for (const ComparedFigure& figure : compare(ours, metrics))
      table.rows.push_back({name, figure.key, fmt::format("{:.6g}", figure.value),
                            fmt::format("{:.6g}", figure.reference),
                            figure.difference ? percent_text(*figure.difference) : "", source});
}

/// The first of several.
std::string sources_text(const std::vector<std::string>& sources) {
  if (sources.size() == 1) return sources.front();
  return fmt::format("{} and {} more", sources.front(), sources.size() - 1);
}

std::string comparison_text(const Report& report) {
  TextTable table{{"layer", "figure", "here", "published", "difference", "source"}, {}};
  for (const ReportLayer& row : report.layers)
    if (row.mapped()) add_comparisons(table, row.layer.name, metric_values(row.layer, row.metrics), row.published);
  add_comparisons(table, "total", metric_values(report.total), report.total_published);
  for (const PartOfTotal& part : report.parts)
    add_comparisons(table, "all " + part.operators, part.sums, part.published);
  std::string text = table.rows.empty() ? "" : "\n" + aligned_text(table);
  for (const auto& [why, sources] : report.not_compared)
    text += fmt::format("\nThe total is not compared with {}: {}.\n", sources_text(sources), why);
  return text;
}

}  // namespace

std::string report_csv(const Report& report) {
  TextTable table{{"name",         "operator",     "shape.in",  "shape.out",     "shape.kernel", "shape.stride",
                   "shape.groups", "mapped",       "reason",    "macs",          "cycles",       "seconds",
                   "utilization",  "bytes_in",     "bytes_out", "bytes_weights", "bytes_once",   "bound.kind",
                   "bound.cycles", "bound.proven", "origin",    "verified"},
                  {}};
  const std::size_t fixed = table.columns.size();
  const auto target = target_columns(report, true);
  const auto published = published_columns(report);
  for (const auto& column : target) table.columns.push_back(report.target + "." + column.key);
  for (const auto& [source, metric] : published) table.columns.push_back("published." + source + "." + metric);
  const auto finish = [&](std::vector<std::string> row, const artifact::Metrics& metrics, const auto& figures) {
    row.resize(fixed);
    append_target(row, metrics, target);
    append_published(row, figures, published);
    table.rows.push_back(std::move(row));
  };
  for (const ReportLayer& row : report.layers) finish(csv_layer(row), row.metrics, row.published);
  finish(csv_total(report), report.total, report.total_published);
  if (report.batch) add_batch(table, report, batch_keys(), batch_values);
  return comma_separated(table);
}

std::string report_text(const Report& report) {
  std::string text = fmt::format("{} on {} (preset {}, level {})\n\n", shortened(report.network), report.target,
                                 report.preset, report.level);
  text += aligned_text(layer_table(report));
  UnmappedGroups unmapped;
  for (const ReportLayer& row : report.layers)
    if (!row.mapped()) unmapped.add(row.layer.operator_name, row.layer.name, row.reason, weight_of(row.layer));
  for (const UnmappedLayers& each : unmapped.sorted())
    text += fmt::format("{} not mapped: {}\n", each.subject(), each.reason);
  text += coverage_text(report);
  if (report.batch) text += batch_sentence(*report.batch);
  if (report.compile_seconds) text += fmt::format("Compiled in {}.\n", quantity_text(*report.compile_seconds, "s"));
  return text + comparison_text(report);
}

}  // namespace convscope::analysis
