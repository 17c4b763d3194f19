#include "ui/views/layer/tiling/strategy_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/parts/table_text.h"
#include "ui/views/layer/tiling/tiling_facts.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

/// A figure with a bar below it, as long as its share of the largest.
class BarDelegate : public QStyledItemDelegate {
 public:
  BarDelegate(QObject* parent, const Theme* const* theme) : QStyledItemDelegate(parent), theme_(theme) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant share = index.data(share_role);
    if (!share.isValid()) return;
    const QRectF room = QRectF(option.rect).adjusted(3, 0, -3, 0);
    const QRectF bar(room.left(), room.bottom() - 4, room.width() * share.toDouble(), 3);
    painter->fillRect(bar, index.data(chosen_role).toBool() ? (*theme_)->better : (*theme_)->baseline);
  }

 private:
  const Theme* const* theme_;
};

class Delegate : public BarDelegate {
 public:
  explicit Delegate(QObject* parent) : BarDelegate(parent, &theme) {}
  const Theme* theme = &light_theme();
};

}  // namespace

void StrategyModel::set_alternatives(std::vector<target::Alternative> alternatives,
                                     std::vector<artifact::FigureDescription> figures) {
  beginResetModel();
  figures_ = std::move(figures);
  alternatives_ = std::move(alternatives);
  by_hand_.reset();
  names_.clear();
  for (const target::Alternative& each : alternatives_) {
    if (!names_.empty()) break;
    for (const target::TileSize& size : each.sizes) names_.push_back(size.name);
  }
  endResetModel();
}

void StrategyModel::set_by_hand(std::optional<target::Alternative> alternative) {
  const int row = static_cast<int>(alternatives_.size());
  if (by_hand_ && alternative) {
    by_hand_ = std::move(alternative);
    emit dataChanged(index(0, 0), index(row, columnCount() - 1));  // its time may lengthen all bars
    return;
  }
  if (by_hand_.has_value() == alternative.has_value()) return;
  if (alternative) {
    beginInsertRows({}, row, row);
    by_hand_ = std::move(alternative);
    endInsertRows();
  } else {
    beginRemoveRows({}, row, row);
    by_hand_.reset();
    endRemoveRows();
  }
}

void StrategyModel::set_theme(const Theme& theme) {
  theme_ = &theme;
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const target::Alternative& StrategyModel::at(int row) const {
  return is_by_hand(row) ? *by_hand_ : alternatives_[static_cast<std::size_t>(row)];
}

int StrategyModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(alternatives_.size()) + (by_hand_ ? 1 : 0);
}

int StrategyModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : why_column() + 1;
}

const artifact::FigureDescription* StrategyModel::figure(int column) const {
  const int place = column - time_column() - 2;
  return place >= 0 && column < bytes_column() ? &figures_[static_cast<std::size_t>(place)] : nullptr;
}

double StrategyModel::chosen_seconds() const {
  for (const target::Alternative& each : alternatives_) {
    if (each.chosen) return each.metrics.seconds.value;
  }
  return 0;
}

double StrategyModel::slowest_seconds() const {
  double slowest = by_hand_ && by_hand_->fits ? by_hand_->metrics.seconds.value : 0;
  for (const target::Alternative& each : alternatives_) {
    if (each.fits) slowest = std::max(slowest, each.metrics.seconds.value);
  }
  return slowest;
}

QVariant StrategyModel::text(const target::Alternative& row, int column, bool by_hand) const {
  const int time = time_column();
  if (column == 0) {
    const QString mark = row.chosen ? QStringLiteral("● ") : by_hand ? QStringLiteral("✎ ") : QString();
    return mark + to_text(row.strategy);
  }
  if (column < time) {
    const auto size = static_cast<std::size_t>(column - 1);
    return size < row.sizes.size() ? QString::number(row.sizes[size].value) : QStringLiteral("–");
  }
  if (column == why_column()) return to_text(row.explanation);
  if (!row.fits) return column == time ? QStringLiteral("no fit") : QStringLiteral("–");
  if (column == time) return time_text(row.metrics);
  if (column == time + 1) {
    const double chosen = chosen_seconds();
    if (row.chosen || chosen <= 0) return QString();
    return QString::asprintf("%+.1f %%", 100 * (row.metrics.seconds.value / chosen - 1));
  }
  if (const auto* shown = figure(column)) return figure_text(row.metrics, *shown);
  return count_text(bytes_moved(row.metrics));
}

QVariant StrategyModel::value(const target::Alternative& row, int column) const {
  const int time = time_column();
  if (column == 0) return to_text(row.strategy);
  if (column == why_column()) return to_text(row.explanation);
  if (column < time) {
    const auto size = static_cast<std::size_t>(column - 1);
    return size < row.sizes.size() ? QVariant(static_cast<double>(row.sizes[size].value)) : QVariant(HUGE_VAL);
  }
  if (!row.fits) return HUGE_VAL;  // sorted behind all that can be done
  if (column <= time + 1) return row.metrics.seconds.value;
  if (const auto* shown = figure(column)) {
    const Quantity* found = row.metrics.find(shown->key);
    return found ? found->value : 0.0;
  }
  return static_cast<double>(bytes_moved(row.metrics));
}

QVariant StrategyModel::origin(const target::Alternative& row, int column) const {
  if (!row.fits || column < time_column() || column == why_column()) return {};
  const artifact::FigureDescription* shown = figure(column);
  const Quantity* found = shown ? row.metrics.find(shown->key) : nullptr;
  return QString::fromUtf8(origin_name(found ? found->origin : row.metrics.seconds.origin).data());
}

QVariant StrategyModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const target::Alternative& row = at(index.row());
  const int column = index.column();
  const bool words = column == 0 || column == why_column();
  switch (role) {
    case Qt::DisplayRole:
      return text(row, column, is_by_hand(index.row()));
    case Qt::ToolTipRole:
      return to_text(row.explanation);
    case Qt::TextAlignmentRole:
      return QVariant((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: {
      QFont font = words ? theme_->label_font() : theme_->data_font();
      font.setBold(row.chosen);
      return font;
    }
    case Qt::ForegroundRole:
      return row.fits ? QVariant() : QVariant(theme_->muted_text);
    case chosen_role:
      return row.chosen;
    case value_role:
      return value(row, column);
    case origin_role:
      return origin(row, column);
    case share_role: {
      const double slowest = slowest_seconds();
      return column == time_column() && row.fits && slowest > 0 ? QVariant(row.metrics.seconds.value / slowest)
                                                                : QVariant();
    }
    default:
      return {};
  }
}

QVariant StrategyModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const int time = time_column();
  if (role == Qt::TextAlignmentRole) {
    return QVariant((section == 0 || section == why_column() ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  if (section == 0) return tr("Strategy");
  if (section < time) return to_text(names_[static_cast<std::size_t>(section - 1)]);
  if (const auto* shown = figure(section)) return to_text(shown->label);
  if (section <= time + 1) return section == time ? tr("Time") : tr("To chosen");
  return section == bytes_column() ? tr("Bytes") : tr("Why");
}

StrategyTable::StrategyTable(QWidget* parent)
    : QTableView(parent), model_(new StrategyModel(this)), sorted_(new QSortFilterProxyModel(this)) {
  setObjectName(QStringLiteral("tiling-strategies"));
  setAccessibleName(tr("Best tiling of each strategy"));
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(value_role);
  setModel(sorted_);
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setSortingEnabled(true);
  sortByColumn(-1, Qt::AscendingOrder);
  setFrameShape(NoFrame);
  setWordWrap(false);
  setShowGrid(false);
  setAlternatingRowColors(true);
  setTabKeyNavigation(false);  // Tab goes on to the next panel
  setHorizontalScrollMode(ScrollPerPixel);
  setItemDelegate(new Delegate(this));
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  horizontalHeader()->setHighlightSections(false);
  auto* copy = new QAction(tr("Copy table"), this);
  copy->setObjectName(QStringLiteral("tiling-copy-strategies"));
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(table_text(*sorted_)); });
  addAction(copy);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(this, &QTableView::clicked, this, &StrategyTable::choose);
  connect(this, &QTableView::activated, this, &StrategyTable::choose);
}

void StrategyTable::set_theme(const Theme& theme) {
  static_cast<Delegate*>(itemDelegate())->theme = &theme;
  model_->set_theme(theme);
}

void StrategyTable::fit_columns() {
  for (int column = 0; column < sorted_->columnCount(); ++column) {
    const QString heading = sorted_->headerData(column, Qt::Horizontal).toString();
    const int wanted = std::max(sizeHintForColumn(column) + 4, fontMetrics().horizontalAdvance(heading) + 18);
    setColumnWidth(column, wanted);
  }
}

void StrategyTable::choose(const QModelIndex& index) {
  if (!index.isValid() || !on_chosen) return;
  const int row = sorted_->mapToSource(index).row();
  const target::Alternative chosen = model_->at(row);
  on_chosen(chosen, model_->is_by_hand(row));
}

}  // namespace convscope::ui
