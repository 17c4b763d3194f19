#pragma once
// A view is three things: a scene (what to draw, made from artifacts, no widgets), a painter over that scene, and a
// thin widget. The painter serves the window, export, hit testing and image tests. Views know artifacts, no target.

#include <QPointF>
#include <QRectF>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare_layers.h"
#include "core/analysis/published.h"
#include "core/artifact/ref.h"
#include "core/engine/engine.h"
#include "ui/theme/theme.h"

class QPainter;
class QWidget;

namespace convscope::ui {

class Workbench;
struct ExplorationState;

/// A run that was pinned to compare with.
struct Baseline {
  QString name;
  std::shared_ptr<const engine::CompiledNetwork> run;            ///< complete; never null
  std::shared_ptr<const analysis::LayerMatching> matching = {};  ///< layers of the open network with those of the run
  int id = -1;                                                   ///< as the workbench knows it

  /// True if at least one layer has a match: else there is nothing to compare.
  bool matches() const;
  /// The run's layer that a layer of the open network is; -1 if there is none.
  int matching_layer(int layer) const;
  /// Metrics of the matching layer, or of the whole network for -1; null if it has none.
  const artifact::Metrics* metrics(int layer) const;
};

/// What views draw: an immutable picture of the moment. While a compilation runs, `compiled` holds the layers that are
/// done (others are null) and `stale` the layers of the run before, for views that had better show something.
struct Snapshot {
  std::shared_ptr<const engine::CompiledNetwork> compiled;
  std::shared_ptr<const engine::CompiledNetwork> previous;  ///< last complete run; may be null
  std::vector<std::shared_ptr<const engine::CompiledNetwork>>
      levels;  ///< complete runs at other levels, for charts; may be empty
  std::shared_ptr<const analysis::PublishedTables> published;
  artifact::Ref selection;
  bool busy = false;
  QString message;  ///< kind words for the empty, failed and cancelled state; empty if there is something to show
  std::vector<Baseline> baselines;                      ///< in the order in which they were pinned
  int compared = -1;                                    ///< index of the baseline that tables compare with; -1: none
  std::shared_ptr<const network::Network> network;      ///< the open one, compiled or not; may be null
  std::shared_ptr<const ExplorationState> exploration;  ///< sweep and sensitivity (ui/views/exploration.h); may be null
  std::shared_ptr<const target::CompiledLayer> layer()
      const;            ///< selected layer's result, from `previous` if need be; may be null
  int program() const;  ///< selected program, within range; 0 if none
  /// The baseline that tables compare with; null if none is chosen or no layer of it matches.
  const Baseline* baseline() const;
};

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
  /// False if it must be used on the window's thread.
  virtual bool works_on_any_thread() const { return true; }
  /// The data behind the picture as CSV with a header line.
  virtual std::string csv() const = 0;
};

/// A view as the window and export know it.
struct ViewEntry {
  QString id;  ///< as in `export --view`, e.g. "schedule"
  QString title;
  std::unique_ptr<ViewPainter> (*make_painter)(const Snapshot& snapshot) = nullptr;
  QWidget* (*make_widget)(Workbench& workbench, QWidget* parent) = nullptr;
  QString help;  ///< what it shows and how to read it, two or three sentences for people who see it first
};

/// All views, in tab order.
const std::vector<ViewEntry>& view_entries();
const ViewEntry* find_view(const QString& id);

}  // namespace convscope::ui
