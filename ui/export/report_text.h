#pragma once
// The words and tables of a report.

#include <QString>
#include <set>
#include <vector>

#include "ui/export/report.h"
#include "ui/export/report_table.h"
#include "ui/panels/layers/layer_columns.h"

namespace convscope::ui {

/// Network, totals, machine and messages, as rich text.
QString report_text(const ReportContent& content);

/// The layer table's rows: of the layers that are mapped; why others are not stands among the messages.
class LayerRows {
 public:
  explicit LayerRows(const Snapshot& snapshot);

  std::vector<ReportTable::Column> columns() const;
  /// Layers to ask for, mapped or not.
  int layers() const;
  /// Nothing for a layer that has no figures.
  std::vector<ReportCell> row(int layer);
  /// What the marks of all rows so far mean: "ᵈ derived from the verified program · …"; empty if there are none.
  QString legend() const;

 private:
  Snapshot snapshot_;
  std::vector<LayerColumn> columns_;
  std::set<Origin> seen_;
};

}  // namespace convscope::ui
