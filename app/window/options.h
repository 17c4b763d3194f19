#pragma once
// What the window's command line says.

#include <QCommandLineOption>
#include <QList>
#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "ui/document/workbench.h"

namespace convscope::window {

struct Options {
  ui::StartOptions start;
  std::vector<ui::StartOptions> baselines;         ///< what each --baseline changes of the start
  QString theme;                                   ///< "light", "dark" or empty: as the desktop
  QString network;                                 ///< path or sample's name; empty: the face detector
  std::optional<network::InputSizes> input_sizes;  ///< --input-size, --batch
  QString render_folder;                           ///< --render
  QString export_view;                             ///< --export-view
  QString export_figure;                           ///< --export-figure
  QString layer;                                   ///< name; empty: the first
  int program = 0;                                 ///< --program: of the layer
  QString show;                                    ///< id of the view in front; empty: the first
  QString report;                                  ///< --report
  QString sweep;                                   ///< --sweep: results file that views show
  QString output;
  QSize size;  ///< empty: the view's preferred size
  double scale = 1;

  bool headless() const {
    return !render_folder.isEmpty() || !export_view.isEmpty() || !export_figure.isEmpty() || !report.isEmpty();
  }
};

struct ParsedOptions {
  Options options;
  QString error;   ///< wrong usage; empty if fine
  QString answer;  ///< help or version, if that was asked for
};

inline constexpr auto summary = "Maps convolutional networks onto accelerators and shows how and why.";
inline constexpr auto network_help = "Network or session file, a lab.xml, or a sample's name such as face_detection.";

QList<QCommandLineOption> known_options();

/// Needs no QApplication.
ParsedOptions parse_options(const QStringList& arguments);

}  // namespace convscope::window
