// Opening a network in the window, and starting it. Goals: open to the painted tree <= 300 ms (ResNet-50,
// DenseNet-121); 100 MB of ONNX with weights <= 2 s and <= 1.3 times the file in memory; started to the first paint <=
// 1 s; <= 300 MB resident with ResNet-50 open. What concerns a whole process is measured in a child: this program,
// started anew as
// `--start`, `--rest FILE TARGET` or `--read FILE`.

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QTreeView>
#include <fstream>
#include <iostream>

#include <benchmark/benchmark.h>

#include "bench/watched_application.h"
#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "tests/made/networks.h"
#include "tests/made/window_events.h"
#include "ui/jobs/threads.h"
#include "ui/window/main_window.h"

namespace {

using namespace convscope;
using made::PaintWatch;
using made::patience_milliseconds;
using made::run_until;

constexpr double kibibyte = 1024, megabyte = 1e6;
const auto resnet50 = QStringLiteral(CONVSCOPE_MODELS "/onnx-light/light_resnet50.onnx");

/// Bytes of a line of /proc/self/status, e.g. "VmRSS".
double process_memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) * kibibyte;
  }
  return 0;
}

/// The files that are made, once for all benchmarks.
const QString& made_file(const QString& name) {
  static const QTemporaryDir folder;
  static QString path;
  path = folder.filePath(name);
  if (QFileInfo::exists(path)) return path;
  if (name == "densenet121.onnx") made::write_densenet121(path.toStdString());
  if (name == "raw.onnx") made::write_heavy_chain(path.toStdString(), made::WeightForm::raw);
  if (name == "repeated.onnx") made::write_heavy_chain(path.toStdString(), made::WeightForm::repeated);
  return path;
}

void open_to_painted_tree(benchmark::State& state, const QString& path) {
  if (!QFileInfo::exists(path)) return state.SkipWithError("the folder of models is absent");
  ui::Workbench workbench{catalogue::standard()};
  ui::MainWindow window(workbench);
  window.show();
  auto& tree = *window.findChild<QTreeView*>("network-tree");
  double reading = 0;
  for (auto _ : state) {
    run_until([&] { return workbench.settled() || workbench.network(); });
    workbench.cancel();
    const auto before = workbench.network();
    PaintWatch watch(*tree.viewport());
    watch.armed = [&] {
      return workbench.network() != before && tree.model()->rowCount(tree.model()->index(0, 0)) > 0;
    };
    QElapsedTimer time;
    const auto opened = QObject::connect(&workbench, &ui::Workbench::network_opened,
                                         [&] { reading += static_cast<double>(time.nsecsElapsed()) / 1e6; });
    time.start();
    workbench.open_network(path);
    run_until([&] { return watch.painted; });
    QObject::disconnect(opened);
    state.SetIterationTime(static_cast<double>(time.nsecsElapsed()) / 1e9);
    if (!watch.painted) return state.SkipWithError("the tree was not painted");
    state.counters["layers"] = static_cast<double>(workbench.network()->layers.size());
  }
  state.counters["read_ms"] = benchmark::Counter(reading, benchmark::Counter::kAvgIterations);
  state.counters["goal_ms"] = 300;
}
void open_resnet50(benchmark::State& state) {
  open_to_painted_tree(state, resnet50);
}
void open_densenet121(benchmark::State& state) {
  open_to_painted_tree(state, made_file("densenet121.onnx"));
}
BENCHMARK(open_resnet50)->UseManualTime()->Iterations(20)->Unit(benchmark::kMillisecond);
BENCHMARK(open_densenet121)->UseManualTime()->Iterations(20)->Unit(benchmark::kMillisecond);

/// Seconds from the start of a child to its first line, which is given back.
std::pair<double, QString> child(const QStringList& arguments) {
  QProcess process;
  QElapsedTimer time;
  time.start();
  process.start(QCoreApplication::applicationFilePath(), arguments);
  process.waitForReadyRead(patience_milliseconds);
  const double seconds = static_cast<double>(time.nsecsElapsed()) / 1e9;
  const QString line = QString::fromUtf8(process.readLine()).trimmed();
  process.waitForFinished();
  return {seconds, line};
}

void start_to_first_paint(benchmark::State& state) {
  for (auto _ : state) {
    const auto [seconds, line] = child({"--start"});
    if (line != "painted") return state.SkipWithError("the window was not painted");
    state.SetIterationTime(seconds);
  }
  state.counters["goal_ms"] = 1000;
}
BENCHMARK(start_to_first_paint)->UseManualTime()->Iterations(10)->Unit(benchmark::kMillisecond);

void rest_with_resnet50(benchmark::State& state, const QString& target) {
  if (!QFileInfo::exists(resnet50)) return state.SkipWithError("the folder of models is absent");
  for (auto _ : state) {
    const auto [seconds, line] = child({"--rest", resnet50, target});
    state.SetIterationTime(seconds);
    state.counters["resident_MB"] = line.toDouble() / megabyte;
  }
  state.counters["goal_MB"] = 300;
}
BENCHMARK_CAPTURE(rest_with_resnet50, nve, "nve")->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rest_with_resnet50, nmp, "nmp")->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

void read_heavy_chain(benchmark::State& state, const QString& name) {
  const QString path = made_file(name);
  for (auto _ : state) {
    const auto [seconds, line] = child({"--read", path});
    state.SetIterationTime(seconds);
    state.counters["memory_per_file"] = line.toDouble() / static_cast<double>(QFileInfo(path).size());
  }
  state.counters["file_MB"] = static_cast<double>(QFileInfo(path).size()) / megabyte;
  state.counters["goal_ms"] = 2000;
  state.counters["goal_memory"] = 1.3;
}
BENCHMARK_CAPTURE(read_heavy_chain, raw, "raw.onnx")->UseManualTime()->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_heavy_chain, repeated, "repeated.onnx")
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);

/// As the program starts without arguments.
int start() {
  ui::Workbench workbench{catalogue::standard()};
  ui::MainWindow window(workbench);
  PaintWatch watch(window);
  window.show();
  workbench.open_network(QString::fromStdString(sample_path("networks/face_detection.xml")));
  run_until([&] { return watch.painted; });
  std::cout << (watch.painted ? "painted" : "not painted") << std::endl;
  return 0;
}

/// Resident bytes once everything, charts' other levels too, is compiled.
int rest(const QString& path, const QString& target) {
  ui::Workbench workbench{catalogue::standard()};
  ui::MainWindow window(workbench);
  window.show();
  Diagnostics diagnostics;
  workbench.configure({target, {}, {}, {}}, diagnostics);
  workbench.open_network(path);
  run_until([&] { return workbench.network() && !workbench.busy() && workbench.settled(); });
  std::cout << static_cast<std::int64_t>(process_memory("VmRSS")) << std::endl;
  return 0;
}

/// Most bytes that reading took at a time, mapped pages of the file included.
int read(const QString& path) {
  const double before = process_memory("VmRSS");
  Diagnostics diagnostics;
  const auto network = catalogue::standard()->read_network(path.toStdString(), diagnostics);
  if (!network) return 1;
  std::cout << static_cast<std::int64_t>(process_memory("VmHWM") - before) << std::endl;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--read") return read(argv[2]);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir settings;
  QCoreApplication::setOrganizationName("ConvScope benchmarks");
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  bench::WatchedApplication application(argc, argv);
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  if (argc == 2 && std::string(argv[1]) == "--start") return ui::end_jobs(start());
  if (argc == 4 && std::string(argv[1]) == "--rest") return ui::end_jobs(rest(argv[2], argv[3]));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return ui::end_jobs(0);
}
