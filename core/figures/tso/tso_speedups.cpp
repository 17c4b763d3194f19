// Figs 8, 12 and 13: speed-ups of TSO over something else, all from Table I's times.

#include <algorithm>

#include <fmt/format.h>

#include "core/figures/tso/tso_figures.h"
#include "core/figures/tso/tso_networks.h"

namespace convscope::figures {
namespace {

std::optional<double> speedup(std::optional<double> slower, std::optional<double> faster) {
  if (!slower || !faster) return std::nullopt;
  return *slower / *faster - 1;
}

Cell points_apart(std::optional<double> ours, std::optional<double> published) {
  if (!ours || !published) return number_cell(std::nullopt, "±%", Origin::derived);
  return number_cell(*ours - *published, "±%", Origin::derived);
}

// Column 0 of the times is TSO; a row for each network and each of the others.
std::vector<std::vector<Cell>> speedup_rows(const std::vector<TsoColumn>& columns, const std::vector<TsoTimes>& times,
                                            const analysis::PublishedTables& published, const std::string& source,
                                            const std::string& metric) {
  std::vector<std::vector<Cell>> rows;
  for (const TsoTimes& row : times)
    for (std::size_t c = 1; c < columns.size(); ++c) {
      const auto ours = speedup(row.ours[c], row.ours[0]);
      const auto table = speedup(row.published[c], row.published[0]);
      const auto text = published.find(source, row.network, "", metric + columns[c].key);
      rows.push_back({text_cell(row.network), text_cell(columns[c].title), number_cell(ours, "%", Origin::estimate, 1),
                      number_cell(table, "%", Origin::published, 1), points_apart(ours, table),
                      number_cell(text, "%", Origin::published, 1)});
    }
  return rows;
}

std::optional<Figure> speedups(const std::string& id, const std::string& title, const std::vector<std::string>& keys,
                               const std::string& source, const Environment& environment, Diagnostics& diagnostics) {
  std::vector<TsoColumn> columns;
  for (const TsoColumn& column : tso_columns())
    if (column.key == "burst" || std::find(keys.begin(), keys.end(), column.key) != keys.end())
      columns.push_back(column);
  const std::vector<TsoTimes> times = tso_times(columns, environment, diagnostics);
  if (times.empty()) return std::nullopt;
  Figure figure{id, title, "", {}, {}, {}};
  figure.columns = {"network", "over", "speed-up here", "speed-up of Table I", "apart", "speed-up in the text"};
  figure.rows = speedup_rows(columns, times, *environment.published, source, "speedup_over_");
  figure.notes = {
      "Speed-up: time of the other / time of TSO - 1. The bars' heights are not printed; Table I's times give them."};
  return figure;
}

using Partition = nmp::Partition;

// The fixed partition that takes least time over some of a network's convolutions.
Partition best_partition(const std::vector<Solutions>& by_partition, std::size_t from, std::size_t to) {
  Partition best = Partition::filters;
  double least = 0;
  for (const Partition partition : nmp::partitions) {
    double sum = 0;
    for (std::size_t i = from; i < to; ++i)
      sum += by_partition[static_cast<std::size_t>(partition)][i]->seconds.total();
    if (partition == nmp::partitions[0] || sum < least) best = partition, least = sum;
  }
  return best;
}

std::optional<std::string> quarters_note(const TsoNetwork& network, const nmp::Machine& machine,
                                         const Environment& environment) {
  const std::size_t n = network.convolutions.size();
  if (n < 4) return std::nullopt;
  std::vector<Solutions> by_partition;
  for (const Partition partition : nmp::partitions)
    by_partition.push_back(solve_all(network, machine, {nmp::CostLevel::burst, partition, {}}, environment));
  return fmt::format("{}: best fixed partition of the first quarter of its convolutions {}, of the last quarter {}.",
                     network.network->name, nmp::name_of(best_partition(by_partition, 0, n / 4)),
                     nmp::name_of(best_partition(by_partition, n - n / 4, n)));
}

}  // namespace

std::optional<Figure> tso_figure8(const Environment& environment, Diagnostics& diagnostics) {
  return speedups("tso-fig8", "Speed-up of choosing tilings by bursts", {"no-burst"}, "tso-section6-burst", environment,
                  diagnostics);
}

std::optional<Figure> tso_figure12(const Environment& environment, Diagnostics& diagnostics) {
  auto figure = speedups("tso-fig12", "Speed-up over fixed TLE partitions", {"ks", "ks-ofm", "ofm"},
                         "tso-section6-fixed", environment, diagnostics);
  const auto machine = tso_machine(environment, diagnostics);
  if (!figure || !machine) return std::nullopt;
  for (const TsoNetwork& network : tso_networks(environment, diagnostics))
    if (const auto note = quarters_note(network, *machine, environment)) figure->notes.push_back(*note);
  return figure;
}

std::optional<Figure> tso_figure13(const Environment& environment, Diagnostics& diagnostics) {
  return speedups("tso-fig13", "Speed-up over fixed TLT schedules", {"is", "os", "ws"}, "tso-section6-fixed",
                  environment, diagnostics);
}

}  // namespace convscope::figures
