// The window. Composes workbench, main window and command line; everything else lives in ui/.

#include <QApplication>
#include <QIcon>
#include <QMessageBox>
#include <algorithm>
#include <iostream>

#include "app/manual/describe.h"
#include "app/window/baselines.h"
#include "app/window/description.h"
#include "app/window/headless.h"
#include "app/window/options.h"
#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "ui/jobs/threads.h"
#include "ui/theme/control_style.h"
#include "ui/window/labs_menu.h"
#include "ui/window/main_window.h"

namespace {

using namespace convscope;

constexpr int refused = 1;
constexpr int wrong_usage = 2;
constexpr int middle_lightness = 128;

QStringList arguments_of(int count, char** values) {
  QStringList arguments;
  for (int index = 0; index < count; ++index) arguments << QString::fromLocal8Bit(values[index]);
  return arguments;
}

bool has_display() {
  return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
         qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

/// Names that no target has are wrong usage, not a refused machine.
QString unknown_name(const ui::Workbench& workbench, const ui::StartOptions& start) {
  auto target = workbench.target();
  if (!start.target.isEmpty()) {
    const auto& targets = workbench.targets();
    const auto found = std::find_if(targets.begin(), targets.end(),
                                    [&](const auto& each) { return each->id() == start.target.toStdString(); });
    if (found == targets.end()) return "--target " + start.target + ": no such target";
    target = *found;
  }
  const auto& levels = target->levels();
  const bool known = start.level.isEmpty() || std::any_of(levels.begin(), levels.end(), [&](const auto& each) {
                       return each.name == start.level.toStdString();
                     });
  return known ? QString() : "--level " + start.level + ": no such level of " + QString::fromStdString(target->id());
}

int fail(const QString& text) {
  std::cerr << "convscope: " << text.toStdString() << "\nTry 'convscope --help'.\n";
  return wrong_usage;
}

QString desktop_theme() {
  const bool dark = QApplication::palette().color(QPalette::Window).lightness() < middle_lightness;
  return dark ? ui::dark_theme().name : ui::light_theme().name;
}

int run_window(ui::Workbench& workbench, const window::Options& options) {
  ui::MainWindow main_window(workbench);
  main_window.remember_layout();
  if (options.theme.isEmpty()) main_window.follow_desktop_theme();
  main_window.show_view(options.show);
  main_window.show();
  if (main_window.keep_sessions()) return QApplication::exec();  // what a crash left is being opened
  if (ui::is_lab_file(options.network))
    main_window.open_file(options.network);
  else
    window::open_network(workbench, options);
  window::open_sweep(workbench, options);
  if (options.network.isEmpty()) main_window.greet();
  return QApplication::exec();
}

int run(const window::Options& options) {
  ui::Workbench workbench(catalogue::standard());
  if (const QString unknown = unknown_name(workbench, options.start); !unknown.isEmpty()) return fail(unknown);
  Diagnostics diagnostics;
  if (!window::configure(workbench, options, diagnostics)) {
    std::cerr << diagnostics.text();
    return refused;
  }
  const QString theme = options.headless() ? ui::light_theme().name : desktop_theme();
  workbench.set_theme(options.theme.isEmpty() ? theme : options.theme);
  return options.headless() ? window::run_headless(workbench, options) : run_window(workbench, options);
}

/// Without its resources the program has neither machines nor samples; who started it from a menu sees no terminal.
bool has_data(bool with_window) {
  Diagnostics diagnostics;
  if (find_data(diagnostics)) return true;
  std::cerr << diagnostics.text();
  if (with_window) QMessageBox::critical(nullptr, "ConvScope", QString::fromStdString(diagnostics.text()));
  return false;
}

/// Manual page and completion; needs no display.
int describe(const std::string& folder) {
  Diagnostics diagnostics;
  const bool written = manual::write_descriptions(window::describe_program(), folder, diagnostics);
  std::cerr << diagnostics.text();
  return written ? 0 : refused;
}

}  // namespace

int main(int argc, char** argv) {
  QCoreApplication::setApplicationName("ConvScope");
  QCoreApplication::setOrganizationName("ConvScope");
  QCoreApplication::setApplicationVersion(CONVSCOPE_VERSION);
  if (const auto folder = manual::describe_folder(argc, argv)) return describe(*folder);
  const window::ParsedOptions parsed = window::parse_options(arguments_of(argc, argv));
  if (!parsed.error.isEmpty()) return fail(parsed.error);
  if (!parsed.answer.isEmpty()) {
    std::cout << parsed.answer.toStdString();
    return 0;
  }
  if (parsed.options.headless()) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  } else if (!has_display()) {
    std::cerr << "convscope: there is no display; --render FOLDER writes the pictures to files\n";
    return refused;
  }
  QApplication application(argc, argv);
  if (!has_data(!parsed.options.headless())) return refused;
  QGuiApplication::setDesktopFileName("convscope");
  QApplication::setWindowIcon(QIcon(QString::fromStdString(convscope::resource_path("icons/convscope.svg"))));
  QApplication::setStyle(new convscope::ui::ControlStyle);
  return convscope::ui::end_jobs(run(parsed.options));
}
