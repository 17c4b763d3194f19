#include "ui/export/export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QMarginsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "core/base/atomic_file.h"

namespace convscope::ui {
namespace {

constexpr int dots_per_inch = 96;  // one dot is one logical pixel

bool within_limits(QSizeF size, const ExportRequest& request, bool raster, Diagnostics& diagnostics) {
  const Location where{request.file.toStdString(), 0, "export"};
  if (!(request.scale > 0 && request.scale <= largest_export_scale)) {
    diagnostics.error(where, "scale " + std::to_string(request.scale) + " is out of range",
                      "more than 0, at most " + std::to_string(static_cast<int>(largest_export_scale)));
    return false;
  }
  const QSizeF device = size * request.scale;
  const bool sides = device.width() >= 1 && device.height() >= 1 && device.width() <= longest_export_side &&
                     device.height() <= longest_export_side;
  if (sides && (!raster || device.width() * device.height() <= largest_export_area)) return true;
  diagnostics.error(where,
                    "a picture of " + std::to_string(std::llround(device.width())) + " x " +
                        std::to_string(std::llround(device.height())) + " pixels is out of range",
                    "sides from 1 to " + std::to_string(longest_export_side) + " pixels" +
                        (raster ? ", at most 200 million pixels" : ""),
                    "choose a smaller size or scale, or PDF");
  return false;
}

QByteArray render_png(const ViewPainter& view, QSizeF size, const Theme& theme, double scale) {
  QImage image((size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return {};
  image.setDevicePixelRatio(scale);
  image.setDotsPerMeterX(static_cast<int>(std::lround(dots_per_inch / 0.0254)));
  image.setDotsPerMeterY(image.dotsPerMeterX());
  image.fill(theme.background);
  QPainter painter(&image);
  view.paint(painter, QRectF(QPointF(), size), theme);
  painter.end();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  return image.save(&buffer, "PNG") ? bytes : QByteArray();
}

QByteArray render_svg(const ViewPainter& view, QSizeF size, const Theme& theme, double scale, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(dots_per_inch);
  generator.setTitle(title);
  generator.setSize((size * scale).toSize());
  generator.setViewBox(QRectF(QPointF(), size * scale));
  QPainter painter(&generator);
  painter.scale(scale, scale);
  view.paint(painter, QRectF(QPointF(), size), theme);
  painter.end();
  return bytes;
}

QByteArray render_pdf(const ViewPainter& view, QSizeF size, const Theme& theme, double scale, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(title);
  writer.setResolution(dots_per_inch);
  writer.setPageSize(QPageSize(size * scale * 72 / dots_per_inch, QPageSize::Point, QString(), QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  QPainter painter(&writer);
  painter.scale(scale, scale);
  view.paint(painter, QRectF(QPointF(), size), theme);
  painter.end();
  return bytes;
}

std::string render(const ViewPainter& view, QSizeF size, const Theme& theme, const ExportRequest& request,
                   const QString& suffix, const QString& title) {
  if (suffix == QStringLiteral("csv")) return view.csv();
  QByteArray bytes;
  if (suffix == QStringLiteral("png")) bytes = render_png(view, size, theme, request.scale);
  if (suffix == QStringLiteral("svg")) bytes = render_svg(view, size, theme, request.scale, title);
  if (suffix == QStringLiteral("pdf")) bytes = render_pdf(view, size, theme, request.scale, title);
  return bytes.toStdString();
}

}  // namespace

std::optional<std::string> render_painter(const ViewPainter& painter, const QString& title, const Theme& theme,
                                          const ExportRequest& request, Diagnostics& diagnostics) {
  const QString suffix = QFileInfo(request.file).suffix().toLower();
  const Location where{request.file.toStdString(), 0, "export"};
  if (!QStringList{"svg", "pdf", "png", "csv"}.contains(suffix)) {
    diagnostics.error(where, "the suffix '" + suffix.toStdString() + "' names no format", ".svg, .pdf, .png or .csv",
                      "rename the file");
    return std::nullopt;
  }
  const QSizeF size = request.size.isEmpty() ? painter.preferred_size() : QSizeF(request.size);
  if (suffix != QStringLiteral("csv") && !within_limits(size, request, suffix == QStringLiteral("png"), diagnostics))
    return std::nullopt;
  std::string content = render(painter, size, theme, request, suffix, title);
  if (!content.empty()) return content;
  diagnostics.error(where, "the picture could not be rendered", {}, "choose a smaller size or scale");
  return std::nullopt;
}

bool export_painter(const ViewPainter& painter, const QString& title, const Theme& theme, const ExportRequest& request,
                    Diagnostics& diagnostics) {
  const auto content = render_painter(painter, title, theme, request, diagnostics);
  return content && write_file_atomically(request.file.toStdString(), *content, diagnostics);
}

bool export_view(const ViewEntry& view, const Snapshot& snapshot, const Theme& theme, const ExportRequest& request,
                 Diagnostics& diagnostics) {
  return export_painter(*view.make_painter(snapshot), view.title, theme, request, diagnostics);
}

}  // namespace convscope::ui
