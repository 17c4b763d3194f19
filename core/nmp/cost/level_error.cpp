#include "core/nmp/cost/level_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/nmp/cost/measured_errors.h"

namespace convscope::nmp {
namespace {

const char* name_of(CostLevel level) {
  switch (level) {
    case CostLevel::volume:
      return "volume";
    case CostLevel::burst:
      return "burst";
    case CostLevel::banked:
      return "banked";
    case CostLevel::walk:
      break;
  }
  return "walk";
}

/// By kind of DRAM and level: of each kind of run, and last of all of them.
using ErrorTable = std::vector<std::array<std::array<LevelError, run_kinds + 1>, 4>>;

ErrorTable make_table() {
  ErrorTable table(dram::kinds().size());
  for (std::size_t kind = 0; kind < table.size(); ++kind)
    for (std::size_t level = 0; level < 4; ++level) {
      auto& errors = table[kind][level];
      LevelError& all = errors[run_kinds];
      for (const MeasuredError& e : measured_errors()) {
        if (e.dram != dram::kinds()[kind].name || e.level != std::string_view(name_of(static_cast<CostLevel>(level))))
          continue;
        errors[static_cast<std::size_t>(e.runs)] = {e.mean, e.worst, e.layers};
        all.mean += e.mean * e.layers;
        all.worst = std::max(all.worst, e.worst);
        all.layers += e.layers;
      }
      if (all.layers > 0) all.mean /= all.layers;
    }
  return table;
}

/// Bytes from one end of a tile's run to the other: rows of full width merge, and maps of full height.
double run_bytes(std::int64_t maps, int rows, int columns, int height, int width, int bytes) {
  if (columns < width) return static_cast<double>(columns) * bytes;
  const double strip = static_cast<double>(rows) * width * bytes;
  return rows < height ? strip : strip * static_cast<double>(maps);
}

double runs_of(const Traffic& traffic, double run) {
  return run > 0 ? static_cast<double>(traffic.bytes) / run : 0;
}

/// Levels volume and burst are timed by three figures, and were measured with those that both presets have but for 6 %
/// of the bandwidth.
bool has_measured_bursts(const Machine& m) {
  const auto near = [](double value, double measured) { return std::abs(value / measured - 1) < 0.07; };
  return near(m.bandwidth, 16e9) && near(m.cas_seconds, 14e-9) && m.burst_bytes == 128;
}

}  // namespace

std::string name_of(RunKind kind) {
  const char* const names[run_kinds] = {"runs below a line", "runs of 1 to 4 lines", "runs of 4 to 32 lines",
                                        "runs of 32 lines and more"};
  return names[static_cast<int>(kind)];
}

double mean_run_bytes(const Convolution& c, const Machine& m, const Tiling& t, const Occupancy& occupancy,
                      const Totals& totals) {
  const std::int64_t unit = c.weights_per_unit() * m.element_bytes, filter = unit * c.channels;
  // All channels of a filter lie together, and so do filters.
  const std::int64_t held = unit > 0 ? occupancy.weights / (unit * t.units) : c.channels;
  const double weights =
      static_cast<double>(held >= c.channels ? filter * t.units : std::max<std::int64_t>(1, held) * unit);
  const double in = run_bytes(c.depthwise ? t.units : t.channels, c.rows.full_tile(t.rows),
                              c.columns.full_tile(t.columns), c.rows.in, c.columns.in, m.element_bytes);
  const std::int64_t maps = std::int64_t{t.units} * c.maps_per_unit;
  const double out = run_bytes(maps, t.rows, t.columns, c.rows.out, c.columns.out, m.element_bytes);
  const double partial = run_bytes(maps, t.rows, t.columns, c.rows.out, c.columns.out, m.partial_sum_bytes);
  const double runs = runs_of(totals.in, in) + runs_of(totals.weights, weights) + runs_of(totals.out, out) +
                      runs_of(totals.residual, out) + runs_of(totals.partial_loads, partial) +
                      runs_of(totals.partial_stores, partial);
  return runs > 0 ? static_cast<double>(totals.all().bytes) / runs : 0;
}

RunKind run_kind(double run_bytes, int line_bytes) {
  const double lines = run_bytes / line_bytes;
  return lines < 1    ? RunKind::below_line
         : lines < 4  ? RunKind::few_lines
         : lines < 32 ? RunKind::many_lines
                      : RunKind::rows;
}

std::optional<LevelError> level_error(const Machine& machine, CostLevel level, RunKind kind) {
  static const ErrorTable table = make_table();
  if (!by_banks(level) && !has_measured_bursts(machine)) return std::nullopt;
  const auto& of_level = table[static_cast<std::size_t>(machine.dram.kind)][static_cast<std::size_t>(level)];
  const LevelError& error = of_level[static_cast<std::size_t>(kind)];
  const LevelError& stated = error.layers > 0 ? error : of_level[run_kinds];
  return stated.layers > 0 ? std::optional(stated) : std::nullopt;
}

}  // namespace convscope::nmp
