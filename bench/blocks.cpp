// Never frozen. Goals, while a large network is opened, compiled, dragged, looked at from all sides, exported, pinned
// and cancelled: the window's thread handles its events at least every 50 ms, and Cancel works within 50 ms. Wall clock
// and CPU time of the thread are given: with all cores busy compiling, the first is the system's doing, too.

#include <QTemporaryDir>
#include <iostream>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/watched_application.h"
#include "tests/made/networks.h"
#include "tests/ui/busy_window.h"

namespace {

using namespace convscope;
using ui::test::Block;
using ui::test::BusyWindow;

constexpr double goal_milliseconds = 50;
constexpr int operators = 10'000;

void say(const BusyWindow& window) {
  for (const Block& each : window.watch().blocks()) {
    std::cerr << fmt::format("  {:32} {:7.1f} ms wall {:7.1f} ms of the thread{}\n", each.activity,
                             each.wall_milliseconds, each.thread_milliseconds,
                             each.thread_milliseconds > goal_milliseconds ? "  <-- above the goal" : "");
  }
}

void never_frozen(benchmark::State& state, void (*make)(const std::string&), const QString& target,
                  const QString& parameter) {
  const QTemporaryDir folder;
  const QString path = folder.filePath("network.onnx");
  make(path.toStdString());
  while (state.KeepRunning()) {
    bench::WatchedApplication::longest() = {};
    auto window = std::make_unique<BusyWindow>(target);
    bool done = window->open(path) && window->drag(parameter, 30) && window->settle();
    window->switch_views();
    window->look_for_layers();
    window->resize();
    done = window->drag(parameter, 30) && window->settle() && done;
    const double cancelled = window->cancel_compilation();
    window->workbench().recompile();
    window->settle();
    done = window->pin(parameter) && done;
    done = window->export_views(folder.path()) && done;
    done = window->write_report(folder.filePath("report.pdf")) && done;
    const double report_cancelled = window->cancel_report(folder.filePath("cancelled.pdf"));
    double wall = 0, thread = 0;
    for (const Block& each : window->watch().blocks()) {
      wall = std::max(wall, each.wall_milliseconds);
      thread = std::max(thread, each.thread_milliseconds);
    }
    say(*window);
    std::cerr << "  longest event: " << bench::WatchedApplication::longest().text() << '\n';
    state.counters["closed_ms"] = window->close_while_opening(path);
    state.counters["wall_ms"] = wall;
    state.counters["thread_ms"] = thread;
    state.counters["cancelled_ms"] = cancelled;
    state.counters["report_cancelled_ms"] = report_cancelled;
    state.counters["goal_ms"] = goal_milliseconds;
    if (!done) return state.SkipWithError("something did not happen");
  }
}

void make_chain(const std::string& path) {
  made::write_residual_chain(path, operators);
}

BENCHMARK_CAPTURE(never_frozen, densenet121_nve, made::write_densenet121, "nve", "lanes")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(never_frozen, densenet121_nmp, made::write_densenet121, "nmp", "bandwidth")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(never_frozen, chain_of_10000_nve, make_chain, "nve", "lanes")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(never_frozen, chain_of_10000_nmp, make_chain, "nmp", "bandwidth")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
