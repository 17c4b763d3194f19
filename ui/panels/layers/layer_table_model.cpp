#include "ui/panels/layers/layer_table_model.h"

#include <QBrush>
#include <QFont>
#include <algorithm>

#include "ui/model/shown_run.h"
#include "ui/panels/common/layer_filter.h"
#include "ui/parts/table_text.h"
#include "ui/words/difference_text.h"
#include "ui/words/figures.h"

namespace convscope::ui {

LayerTableModel::LayerTableModel(ViewHost& host, QObject* parent) : QAbstractTableModel(parent), host_(host) {
  on_change(host, this, shown_in_tables | Change::theme, [this] { refresh(); });
  network_ = host.snapshot().network;
  if (network_) columns_ = layer_columns(host.snapshot(), *network_);
}

QVariant LayerTableModel::font_by_origin(const std::optional<Origin>& origin) const {
  // The second mark besides the tooltip: what no program confirms leans.
  if (origin != Origin::estimate && origin != Origin::published) return {};
  QFont font = host_.theme().label_font();
  font.setItalic(true);
  return font;
}

bool LayerTableModel::has_same_layout(const std::vector<LayerColumn>& columns) const {
  return std::equal(columns.begin(), columns.end(), columns_.begin(), columns_.end(),
                    [](const LayerColumn& a, const LayerColumn& b) { return a.key == b.key && a.title == b.title; });
}

const QVariant& LayerTableModel::value(int layer, int column) const {
  auto& values = values_[column];
  if (values.empty()) {
    for (int each = 0; each < rowCount(); ++each)
      values.push_back(columns_[static_cast<std::size_t>(column)].cell(host_.snapshot(), *network_, each).value);
  }
  return values[static_cast<std::size_t>(layer)];
}

void LayerTableModel::refresh() {
  values_.clear();
  const auto network = host_.snapshot().network;
  auto columns = network ? layer_columns(host_.snapshot(), *network) : std::vector<LayerColumn>{};
  if (network == network_ && has_same_layout(columns)) {
    columns_ = std::move(columns);  // another baseline has another name
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  network_ = network;
  columns_ = std::move(columns);
  values_.clear();
  endResetModel();
}

int LayerTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !network_ ? 0 : static_cast<int>(network_->layers.size());
}

int LayerTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant LayerTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const LayerColumn& column = columns_[static_cast<std::size_t>(index.column())];
  const Snapshot& snapshot = host_.snapshot();
  switch (role) {
    case Qt::DisplayRole:
      return column.cell(snapshot, *network_, index.row()).text;
    case Qt::ToolTipRole:
      return column.cell(snapshot, *network_, index.row()).tip;
    case search_role: {
      const network::Layer& layer = network_->layers[static_cast<std::size_t>(index.row())];
      return QString::fromStdString(layer.name + ' ' + layer.operator_name);
    }
    case value_role:
      return value(index.row(), index.column());
    case origin_role: {
      const auto origin = column.cell(snapshot, *network_, index.row()).origin;
      return origin ? QVariant(QString::fromUtf8(origin_name(*origin).data())) : QVariant();
    }
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(column.alignment());
    case Qt::ForegroundRole:
      if (column.result && layer_result(snapshot, index.row()).stale) return QBrush(host_.theme().muted_text);
      if (const auto verdict = column.cell(snapshot, *network_, index.row()).verdict)
        return QBrush(verdict_colour(host_.theme(), *verdict));
      return {};
    case Qt::FontRole:
      return font_by_origin(column.cell(snapshot, *network_, index.row()).origin);
    default:
      return {};
  }
}

QVariant LayerTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const LayerColumn& column = columns_[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return column.title;
  if (role == full_title_role) return column.full_title.isEmpty() ? column.title : column.full_title;
  if (role == Qt::ToolTipRole) return column.tip.isEmpty() ? column.title : column.tip;
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(column.alignment());
  }
  return {};
}

QString LayerTableModel::key(int column) const {
  return column < 0 || column >= columnCount() ? QString()
                                               : QString::fromStdString(columns_[static_cast<std::size_t>(column)].key);
}

int LayerTableModel::column(const std::string& key) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [&](const LayerColumn& each) { return each.key == key; });
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

}  // namespace convscope::ui
