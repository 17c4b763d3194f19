// Dragging a parameter in the window: from the change to the repainted picture. Goals (95th percentile <= 100 ms): the
// visible layer of the speed-sign network on NVE, in the schedule; the whole layer table of ResNet-50 on NMP. On
// Snowflake, where every layer and the whole network are simulated anew, 300 ms for the table of AlexNetOWT. On NVE
// with an inner loop the table of ResNet-50: 33 ms for the bandwidth, which leaves every program where it is, 300 ms
// for the lanes, which ask for each anew.

#include <QElapsedTimer>
#include <QTableView>
#include <algorithm>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "tests/made/window_events.h"
#include "ui/parts/canvas/canvas_widget.h"
#include "ui/window/main_window.h"

namespace {

using namespace convscope;

constexpr int changes = 60;

struct Drag {
  const char *target, *network, *parameter;
  std::vector<double> values;  ///< dragged to and fro, each unlike the one before
  const char *view, *watched;  ///< in front; whose painting counts
  bool all_layers;
  double goal_milliseconds = 100;
  const char* preset = "";  ///< empty: the target's default
  int times = changes;      ///< fewer where there are few values, and what was computed once would be remembered
};

std::vector<double> rising(double first, double step) {
  std::vector<double> values;
  for (int i = 0; i <= changes; ++i) values.push_back(first + step * i);
  return values;
}

const Drag drags[] = {
    {"nve", "speed_sign", "port_width", {64, 128}, "schedule", "view-schedule", false},
    {"nve", "speed_sign", "lanes", {16, 32}, "schedule", "view-schedule", false},
    {"nmp", "resnet50", "bandwidth", {8, 10, 12, 14, 16, 18}, "tiling", "layer-table", true},
    {"nmp", "resnet50", "burst", {128, 64, 128, 256}, "tiling", "layer-table", true},
    {"nmp", "resnet50", "weight_memory", {8192, 4096, 8192, 16384}, "tiling", "layer-table", true},
    {"nmp", "resnet50", "tles", {2, 3, 4, 5, 4, 3}, "tiling", "layer-table", true},
    // No value comes twice: what was computed once is remembered.
    {"snowflake", "snowflake_alexnet_owt", "bandwidth", rising(4.2, 0.05), "tiling", "layer-table", true, 300},
    {"snowflake", "snowflake_alexnet_owt", "cus", {1, 2, 3, 4, 5, 6, 7, 8}, "tiling", "layer-table", true, 300},
    {"nve", "resnet50", "bandwidth", rising(800, 25), "tiling", "layer-table", true, 33, "nve-wide"},
    {"nve", "resnet50", "lanes", {16, 32, 8, 64, 4}, "tiling", "layer-table", true, 300, "nve-wide", 4},
};

/// The canvas of a view, or the table's inner widget.
QWidget& picture_of(ui::MainWindow& window, const char* name) {
  if (auto* table = window.findChild<QTableView*>(name)) return *table->viewport();
  return *window.findChild<QWidget*>(name)->findChild<ui::CanvasWidget*>();
}

/// What is painted is of the machine that is set now: every layer for a table, the visible one for a picture.
bool is_current(const ui::Workbench& workbench, bool all_layers) {
  const auto compiled = workbench.snapshot().compiled;
  if (!compiled || !(compiled->machine == workbench.machine())) return false;
  const auto visible = static_cast<std::size_t>(workbench.snapshot().selection.layer);
  return all_layers ? compiled->complete : compiled->layers[visible] != nullptr;
}

double percentile_95(std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  return milliseconds[milliseconds.size() * 95 / 100];
}

void drag_to_repaint(benchmark::State& state) {
  const Drag& drag = drags[state.range(0)];
  ui::Workbench workbench{catalogue::standard()};
  Diagnostics diagnostics;
  if (!workbench.configure({drag.target, drag.preset, {}, {}}, diagnostics))
    return state.SkipWithError("no such machine");
  ui::MainWindow window(workbench);
  window.show_view(drag.view);
  window.show();
  workbench.open_network(QString::fromStdString(sample_path(std::string("networks/") + drag.network + ".xml")));
  made::run_until([&] { return workbench.network() && workbench.settled(); });
  const auto parameter = workbench.machine().description().find(drag.parameter);
  if (!parameter) return state.SkipWithError("no such parameter");
  made::PaintWatch watch(picture_of(window, drag.watched));
  std::vector<double> milliseconds;
  for (auto _ : state) {
    for (int change = 1; change <= drag.times; ++change) {
      const double value = drag.values[static_cast<std::size_t>(change) % drag.values.size()];
      watch.painted = false;
      watch.armed = [&] { return is_current(workbench, drag.all_layers); };
      QElapsedTimer time;
      time.start();
      workbench.set_parameter(static_cast<int>(*parameter), value, 1);
      made::run_until([&] { return watch.painted; });
      if (!watch.painted) return state.SkipWithError("nothing was painted");
      milliseconds.push_back(static_cast<double>(time.nsecsElapsed()) / 1e6);
    }
  }
  state.SetLabel(std::string(drag.network) + ", " + drag.parameter);
  state.counters["p95_ms"] = percentile_95(milliseconds);
  state.counters["goal_ms"] = drag.goal_milliseconds;
}
BENCHMARK(drag_to_repaint)->DenseRange(0, std::size(drags) - 1)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
