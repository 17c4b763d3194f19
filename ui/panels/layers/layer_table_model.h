#pragma once
// One row per layer of the open network.

#include <QAbstractTableModel>
#include <map>
#include <vector>

#include "ui/model/view_host.h"
#include "ui/panels/layers/layer_columns.h"

namespace convscope::ui {

class LayerTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit LayerTableModel(ViewHost& host, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  /// Column with a key as in `report --json`, or -1.
  int column(const std::string& key) const;
  /// The key of a column; empty if there is no such column.
  QString key(int column) const;

 private:
  void refresh();
  QVariant font_by_origin(const std::optional<Origin>& origin) const;
  /// What a column sorts by: asked for so often while a large table is sorted that it is kept until it changes.
  const QVariant& value(int layer, int column) const;
  bool has_same_layout(const std::vector<LayerColumn>& columns) const;

  ViewHost& host_;
  std::shared_ptr<const network::Network> network_;
  std::vector<LayerColumn> columns_;
  mutable std::map<int, std::vector<QVariant>> values_;  // by column
};

}  // namespace convscope::ui
