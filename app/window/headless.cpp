#include "app/window/headless.h"

#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QTimer>
#include <iostream>
#include <optional>

#include <fmt/format.h>

#include "core/base/sample_network.h"
#include "core/base/spares_inputs.h"
#include "core/catalogue/standard.h"
#include "core/session/session.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/exploration/exploration_record.h"
#include "ui/export/export.h"
#include "ui/export/report.h"
#include "ui/published_figures/figure_maker.h"
#include "ui/published_figures/figure_painter.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::window {
namespace {

constexpr int poll_milliseconds = 5;
constexpr int layout_milliseconds = 100;
constexpr qint64 quantization_milliseconds = 20'000;

void wait_until(const std::function<bool()>& done) {
  QEventLoop loop;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
    if (done()) loop.quit();
  });
  timer.start(poll_milliseconds);
  if (!done()) loop.exec();
}

void wait_milliseconds(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

/// A program that the layer doesn't have is an error; it must be compiled.
bool select_program(ui::Workbench& workbench, int program, Diagnostics& diagnostics) {
  if (program == 0) return true;
  const auto programs = workbench.snapshot().programs();
  const int count = programs ? programs->program_count() : 0;
  if (program >= count) {
    diagnostics.error({workbench.network()->source_file, 0, "--program"}, "no such program",
                      "less than " + std::to_string(count) + ", as many as the layer has");
    return false;
  }
  artifact::Ref chosen = workbench.snapshot().selection;
  chosen.program = program;
  workbench.select(chosen);
  return true;
}

bool select_layer(ui::Workbench& workbench, const QString& name, Diagnostics& diagnostics) {
  if (name.isEmpty()) return true;
  const auto& layers = workbench.network()->layers;
  for (std::size_t index = 0; index < layers.size(); ++index) {
    if (QString::fromStdString(layers[index].name) != name) continue;
    artifact::Ref chosen;
    chosen.layer = static_cast<std::int32_t>(index);
    workbench.select(chosen);
    return true;
  }
  diagnostics.error({workbench.network()->source_file, 0, "layer '" + name.toStdString() + "'"}, "no such layer");
  return false;
}

bool export_one(const ui::Workbench& workbench, const Options& options, Diagnostics& diagnostics) {
  ui::ExportRequest request;
  request.file = options.output;
  request.size = options.size;
  request.scale = options.scale;
  return ui::export_view(*ui::find_view(options.export_view), workbench.snapshot(), workbench.theme(), request,
                         diagnostics);
}

bool write_report(const ui::Workbench& workbench, const QString& file, Diagnostics& diagnostics) {
  return ui::export_report(ui::report_content(workbench, ui::view_entries()), file, diagnostics);
}

bool render_window(ui::MainWindow& window, const QString& file, Diagnostics& diagnostics) {
  wait_until([&] { return window.settled(); });
  wait_milliseconds(layout_milliseconds);
  if (window.grab().save(file, "PNG")) return true;
  diagnostics.error({file.toStdString(), 0, {}}, "picture cannot be written", "a folder that can be written to");
  return false;
}

void quantize(ui::Workbench& workbench) {
  workbench.exploration().quantize({});
  wait_until([&] { return !workbench.exploration().quantizing(); });
}

/// As far as it is done in bounded time: large networks take minutes to be executed, and the picture then says that it
/// isn't made.
void quantize_for_pictures(ui::Workbench& workbench, Diagnostics& diagnostics) {
  if (!workbench.network()->graph) return;
  QElapsedTimer time;
  time.start();
  workbench.exploration().quantize({});
  wait_until([&] { return !workbench.exploration().quantizing() || time.elapsed() > quantization_milliseconds; });
  if (!workbench.exploration().quantizing()) return;
  workbench.exploration().cancel_quantization();
  diagnostics.warning(
      {workbench.network()->source_file, 0, "quantization"},
      fmt::format("not made within {} s, its picture is left without", quantization_milliseconds / 1000), {},
      "--export-view quantization waits for it");
}

bool render_all(ui::Workbench& workbench, const Options& options, Diagnostics& diagnostics) {
  const QString& folder = options.render_folder;
  if (!QDir().mkpath(folder)) {
    diagnostics.error({folder.toStdString(), 0, {}}, "folder cannot be made");
    return false;
  }
  quantize_for_pictures(workbench, diagnostics);
  ui::MainWindow window(workbench);
  window.show_view(options.show);
  window.show();
  bool all_written = true;
  for (const ui::Theme* theme : {&ui::light_theme(), &ui::dark_theme()}) {
    workbench.set_theme(theme->name);
    const QString suffix = '-' + theme->name + ".png";
    for (const ui::ViewEntry& entry : ui::view_entries()) {
      ui::ExportRequest request;
      request.file = folder + '/' + entry.id + suffix;
      all_written &= ui::export_view(entry, workbench.snapshot(), *theme, request, diagnostics);
    }
    all_written &= render_window(window, folder + "/window" + suffix, diagnostics);
  }
  return all_written;
}

/// Views that show nothing by themselves: they have to be measured first.
void measure_what_helps(ui::Workbench& workbench) {
  workbench.exploration().analyze();
  wait_until([&] { return !workbench.exploration().analyzing(); });
}

/// What is written is none of the files that it is made from.
bool spares_its_inputs(const Options& options, Diagnostics& diagnostics) {
  std::vector<std::string> inputs{network_path(options.network).toStdString(), options.sweep.toStdString(),
                                  options.start.preset.toStdString()};
  for (const ui::StartOptions& baseline : options.baselines) inputs.push_back(baseline.preset.toStdString());
  return spares_inputs(options.output.toStdString(), inputs, diagnostics) &&
         spares_inputs(options.report.toStdString(), inputs, diagnostics);
}

bool run_request(ui::Workbench& workbench, const Options& options, Diagnostics& diagnostics) {
  if (!spares_its_inputs(options, diagnostics)) return false;
  if (!options.report.isEmpty()) return write_report(workbench, options.report, diagnostics);
  if (!options.render_folder.isEmpty()) return render_all(workbench, options, diagnostics);
  if (options.export_view == ui::find_view(ui::ViewRole::sensitivity).id) measure_what_helps(workbench);
  if (options.export_view == ui::find_view(ui::ViewRole::quantization).id) quantize(workbench);
  return export_one(workbench, options, diagnostics);
}

/// Needs no network.
bool export_figure(const ui::Workbench& workbench, const Options& options, Diagnostics& diagnostics) {
  ui::FigureMaker maker(catalogue::standard());
  std::optional<figures::Figure> figure;
  QObject::connect(&maker, &ui::FigureMaker::made, &maker, [&](const QString&, const auto& made) { figure = made; });
  QObject::connect(&maker, &ui::FigureMaker::failed, &maker,
                   [&](const QString&, const QString& message) { diagnostics.error({}, message.toStdString()); });
  maker.make(options.export_figure);
  wait_until([&] { return figure || diagnostics.has_errors(); });
  if (!figure) return false;
  const auto painter = ui::make_figure_painter(*figure);
  if (painter == nullptr) {
    diagnostics.error({options.output.toStdString(), 0, "figure " + figure->id}, "this figure has no numbers to draw");
    return false;
  }
  const ui::ExportRequest request{options.output, options.size, options.scale};
  return ui::export_painter(*painter, QString::fromStdString(figure->title), workbench.theme(), request, diagnostics);
}

int run_figure(const ui::Workbench& workbench, const Options& options) {
  Diagnostics diagnostics;
  const bool written = export_figure(workbench, options, diagnostics);
  std::cerr << diagnostics.text();
  return written && !diagnostics.has_errors() ? 0 : 1;
}

}  // namespace

QString network_path(const QString& argument) {
  const QString name = argument.isEmpty() ? QStringLiteral("face_detection") : argument;
  return QString::fromStdString(convscope::network_path(name.toStdString()));
}

void open_network(ui::Workbench& workbench, const Options& options) {
  const QString path = network_path(options.network);
  options.input_sizes ? workbench.open_network(path, *options.input_sizes) : workbench.open_network(path);
}

void open_sweep(ui::Workbench& workbench, const Options& options) {
  if (!options.sweep.isEmpty()) workbench.exploration().open_results(options.sweep);
}

int run_headless(ui::Workbench& workbench, const Options& options) {
  if (!options.export_figure.isEmpty()) return run_figure(workbench, options);
  Diagnostics diagnostics;
  open_network(workbench, options);
  QObject::connect(&workbench, &ui::Workbench::session_opened, &workbench,
                   [&](const QString& path, const std::shared_ptr<const session::Session>& session) {
                     if (!options.sweep.isEmpty()) return;
                     ui::restore_exploration(workbench.exploration(), session->window, path);
                   });
  open_sweep(workbench, options);
  wait_until([&] { return !workbench.busy() && workbench.settled() && !workbench.exploration().opening_files(); });
  if (!options.theme.isEmpty()) workbench.set_theme(options.theme);  // a session has one, too
  const bool opened = workbench.network() && (options.sweep.isEmpty() || workbench.exploration().state()->sweep);
  diagnostics.append(workbench.messages());
  bool written = false;
  if (opened && select_layer(workbench, options.layer, diagnostics) &&
      select_program(workbench, options.program, diagnostics)) {
    written = run_request(workbench, options, diagnostics);
  }
  std::cerr << diagnostics.text();
  return written && !diagnostics.has_errors() ? 0 : 1;
}

}  // namespace convscope::window
