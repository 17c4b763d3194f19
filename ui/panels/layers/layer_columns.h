#pragma once
// The layer table's columns: those every target has, those made from a target's own figures, and differences to the
// baseline and published values beside what they compare with.

#include <QString>
#include <QVariant>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare_figures.h"
#include "ui/model/view.h"

namespace convscope::ui {

/// One cell: what is shown, what it sorts by, what its tooltip says.
struct LayerCell {
  QString text;
  QVariant value;
  QString tip;
  std::optional<analysis::Verdict> verdict = {};  ///< of a difference to a baseline
  std::optional<Origin> origin = {};              ///< of a figure
};

struct LayerColumn {
  std::string key;      ///< as in `report --json`, "published:SOURCE:METRIC" or "difference:KEY"; unique
  QString title;        ///< header, with the unit
  QString tip;          ///< header's tooltip
  bool figure = true;   ///< right-aligned
  bool result = false;  ///< comes from a compilation, so it may be of the run before
  /// Words between figures stand in the middle: at the left they would touch the figure before.
  Qt::Alignment alignment() const;
  std::function<LayerCell(const Snapshot&, const network::Network&, int layer)> cell;
  QString full_title = {};  ///< for copies, which have no tooltips; empty: the title
  bool centred = false;
};

/// Columns for what the snapshot holds of a network, the most asked for first.
std::vector<LayerColumn> layer_columns(const Snapshot& snapshot, const network::Network& network);

}  // namespace convscope::ui
