#pragma once
// A view is three things: a scene (what to draw, made from artifacts, no widgets), a painter over that scene, and a
// thin widget. The painter serves the window, export, hit testing and image tests. Views know artifacts, no target.

#include <QPointF>
#include <QRectF>
#include <QString>
#include <memory>
#include <optional>
#include <string>

#include "core/artifact/ref.h"
#include "ui/model/snapshot.h"
#include "ui/theme/theme.h"

class QPainter;
class QWidget;

namespace convscope::ui {

class ViewHost;

/// A drawing of a snapshot at a given moment. Immutable apart from its viewport; most are usable on any thread with
/// their own QPainter.
class ViewPainter {
 public:
  virtual ~ViewPainter() = default;
  /// Size in logical pixels at which everything is legible; exports default to it.
  virtual QSizeF preferred_size() const = 0;
  virtual void paint(QPainter& painter, const QRectF& area, const Theme& theme) const = 0;
  /// What lies under a point of an `area` that was painted.
  virtual std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const = 0;
  /// A reading for the pointer, plain text with lines; empty if nothing is there.
  virtual QString reading(QPointF point, const QRectF& area) const = 0;
  /// False if it only says, in kind words, why there is nothing to show.
  virtual bool has_content() const { return true; }
  /// False if it must be used on the window's thread.
  virtual bool works_on_any_thread() const { return true; }
  /// The data behind the picture as CSV with a header line.
  virtual std::string csv() const = 0;
};

/// Views that menus and the command line have a use for.
enum class ViewRole { none, comparison, sweep, sweep_axes, sensitivity, quantization };

/// A view as the window and export know it.
struct ViewEntry {
  QString id;  ///< as in `export --view`, e.g. "schedule"
  QString title;
  std::unique_ptr<ViewPainter> (*make_painter)(const Snapshot& snapshot) = nullptr;
  QWidget* (*make_widget)(ViewHost& host, QWidget* parent) = nullptr;
  QString help;  ///< what it shows and how to read it, two or three sentences for people who see it first
  /// Whether this machine, or what has been done so far, gives it something to show. Artifacts may be made for that:
  /// not for the window's thread. Null: always.
  bool (*has_content)(const Snapshot& snapshot) = nullptr;
  ViewRole role = ViewRole::none;
};

}  // namespace convscope::ui
