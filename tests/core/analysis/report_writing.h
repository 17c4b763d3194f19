#pragma once
// A small report of a made-up machine, as `report --json` would write it.

#include <string>

#include "core/analysis/report.h"

namespace convscope::analysis::test {

/// Two mapped layers of 100 and 200 cycles x `slower`, and one that is not mapped; clock 100 MHz.
inline Report small_report(double slower = 1, const std::string& target = "toy") {
  auto description = std::make_shared<arch::MachineDescription>();
  description->target = target;
  arch::ParameterDescription clock;
  clock.name = "clock";
  clock.kind = arch::ParameterKind::real;
  clock.initial = 100;
  clock.maximum = 1000;
  arch::ParameterDescription lanes;
  lanes.name = "lanes";
  lanes.initial = 16;
  lanes.maximum = 64;
  description->parameters = {clock, lanes};
  Report report{"Net", target, "preset", "level", arch::ParameterValues(description), {}, {}, {}, 0.9, true, {}};
  for (const int number : {1, 2, 3}) {
    ReportLayer row;
    row.layer.name = "L" + std::to_string(number);
    row.layer.in = {number, {8, 8}};
    row.layer.out = {2, {6, 6}};
    row.layer.kernel = {3, 3};
    row.layer.dense = true;
    if (number == 3) row.reason = "too many \"maps\"";
    row.metrics.macs = row.layer.macs();
    if (number < 3) {
      row.metrics.cycles = {100.0 * number * slower, "cycles", Origin::derived};
      row.metrics.seconds = {1e-6 * number * slower, "s", Origin::estimate};
      row.metrics.utilization = {0.4 / slower, "", Origin::derived};
      row.metrics.bytes_in = 1000 * number;
      row.metrics.target_figures = {{"partition", {0, "", Origin::derived}, "KS"},
                                    {"tile.TR", {3, "", Origin::derived}}};
    }
    report.layers.push_back(row);
  }
  report.total = report.layers[0].metrics;
  report.total.cycles.value = 300 * slower;
  return report;
}

}  // namespace convscope::analysis::test
