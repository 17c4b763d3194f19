#include "core/analysis/comparable.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::analysis {
namespace {

std::string of_images(const PublishedSource& source) {
  return fmt::format("its figures are of {} images together, those here of one", source.images);
}

bool takes_time(const ReportLayer& row) {
  return row.mapped() && row.metrics.cycles.value > 0;
}

bool counts(const PublishedSource& source, const ReportLayer& row) {
  return std::find(source.counts.begin(), source.counts.end(), row.layer.operator_name) != source.counts.end();
}

bool all_mapped(const PublishedSource& source, const Report& report) {
  return std::all_of(report.layers.begin(), report.layers.end(),
                     [&](const ReportLayer& row) { return row.mapped() || !counts(source, row); });
}

/// Figures of a total that are its layers' sums.
MetricValues sums_of(const PublishedSource& source, const Report& report) {
  MetricValues sums;
  for (const ReportLayer& row : report.layers)
    if (row.mapped() && counts(source, row)) {
      sums["macs"] += static_cast<double>(row.metrics.macs);
      sums["cycles"] += row.metrics.cycles.value;
      sums["seconds"] += row.metrics.seconds.value;
    }
  return sums;
}

void add_part(const PublishedSource& source, const MetricValues& published, Report& report) {
  if (source.images != 1 || source.counts.empty() || !all_mapped(source, report)) return;
  const std::string operators = fmt::format("{}", fmt::join(source.counts, ", "));
  auto part = std::find_if(report.parts.begin(), report.parts.end(),
                           [&](const PartOfTotal& other) { return other.operators == operators; });
  if (part == report.parts.end()) part = report.parts.insert(part, {operators, sums_of(source, report), {}});
  part->published[source.id] = published;
}

}  // namespace

std::string why_not_comparable(const PublishedSource& source, const Report& report) {
  if (source.images != 1) return of_images(source);
  if (source.counts.empty()) return {};
  std::set<std::string> more;
  for (const ReportLayer& row : report.layers)
    if (takes_time(row) && !counts(source, row)) more.insert(row.layer.operator_name);
  const std::string what = fmt::format("its totals count {} alone", fmt::join(source.counts, ", "));
  if (!more.empty()) return fmt::format("{}, the one here {} too", what, fmt::join(more, ", "));
  return all_mapped(source, report) ? "" : fmt::format("{}, of which some aren't mapped here", what);
}

void add_published(const PublishedTables& tables, bool whole_network, Report& report) {
  const auto of = [&](const std::string& layer) { return tables.of_layer(report.network, layer, report.target); };
  for (ReportLayer& row : report.layers) {
    row.published = of(row.layer.name);
    std::erase_if(row.published, [&](const auto& entry) { return tables.source(entry.first)->images != 1; });
  }
  if (!whole_network) return;
  for (auto& [source, figures] : of("")) {
    const std::string why = why_not_comparable(*tables.source(source), report);
    if (why.empty()) {
      report.total_published[source] = figures;
    } else {
      report.not_compared[why].push_back(source);
      add_part(*tables.source(source), figures, report);
    }
  }
}

}  // namespace convscope::analysis
