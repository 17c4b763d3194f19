#pragma once
// Any view as a file, by the file's suffix: SVG, PDF, PNG or CSV. Written atomically.

#include <QSize>
#include <QString>
#include <optional>
#include <string>

#include "core/base/diagnostic.h"
#include "ui/model/view.h"
#include "ui/theme/theme.h"

namespace convscope::ui {

struct ExportRequest {
  QString file;      ///< its suffix chooses the format: .svg, .pdf, .png, .csv
  QSize size;        ///< logical pixels; empty: the view's preferred size
  double scale = 1;  ///< device pixels per logical pixel of a PNG; enlarges the page of the others
};

inline constexpr int longest_export_side = 20000;     ///< device pixels
inline constexpr double largest_export_area = 200e6;  ///< device pixels of a PNG
inline constexpr double largest_export_scale = 16;

/// The content of the file; nothing, with a diagnostic, for an unknown suffix or a size beyond the limits.
std::optional<std::string> render_painter(const ViewPainter& painter, const QString& title, const Theme& theme,
                                          const ExportRequest& request, Diagnostics& diagnostics);

/// Renders and writes. False, with a diagnostic, for an unknown suffix, a size beyond the limits, or a file that can't
/// be written; an older file is left untouched then. Charts need the window's thread.
bool export_view(const ViewEntry& view, const Snapshot& snapshot, const Theme& theme, const ExportRequest& request,
                 Diagnostics& diagnostics);

/// The same for a painter that belongs to no view.
bool export_painter(const ViewPainter& painter, const QString& title, const Theme& theme, const ExportRequest& request,
                    Diagnostics& diagnostics);

}  // namespace convscope::ui
