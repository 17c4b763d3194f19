#pragma once
// The best tiling of each strategy side by side, and the one made by hand: sortable, with bars, copied as TSV.

#include <QAbstractTableModel>
#include <QTableView>
#include <functional>
#include <optional>
#include <vector>

#include "core/artifact/figure.h"
#include "core/target/tilings.h"
#include "ui/theme/theme.h"

class QSortFilterProxyModel;

namespace convscope::ui {

class StrategyModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// `figures`: what they are compared by besides time and bytes.
  void set_alternatives(std::vector<target::Alternative> alternatives,
                        std::vector<artifact::FigureDescription> figures);
  /// The last row; nothing takes it away.
  void set_by_hand(std::optional<target::Alternative> alternative);
  void set_theme(const Theme& theme);

  const std::vector<target::Alternative>& alternatives() const { return alternatives_; }
  const std::vector<artifact::FigureDescription>& figures() const { return figures_; }
  bool is_by_hand(int row) const { return row >= static_cast<int>(alternatives_.size()); }
  const target::Alternative& at(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  int time_column() const { return 1 + static_cast<int>(names_.size()); }
  int bytes_column() const { return time_column() + 2 + static_cast<int>(figures_.size()); }
  int why_column() const { return bytes_column() + 1; }

 private:
  QVariant text(const target::Alternative& row, int column, bool by_hand) const;
  QVariant value(const target::Alternative& row, int column) const;
  QVariant origin(const target::Alternative& row, int column) const;
  /// The figure that a column shows; null if it shows something else.
  const artifact::FigureDescription* figure(int column) const;
  double chosen_seconds() const;
  double slowest_seconds() const;

  std::vector<target::Alternative> alternatives_;
  std::optional<target::Alternative> by_hand_;
  std::vector<std::string> names_;  ///< of the sizes
  std::vector<artifact::FigureDescription> figures_;
  const Theme* theme_ = &light_theme();
};

/// Role under which the time column gives its share of the slowest time, 0 to 1.
inline constexpr int share_role = Qt::UserRole + 2;
/// Role under which a row says whether it is the layer's own tiling.
inline constexpr int chosen_role = Qt::UserRole + 3;

class StrategyTable : public QTableView {
  Q_OBJECT
 public:
  explicit StrategyTable(QWidget* parent);

  StrategyModel& strategies() { return *model_; }
  void set_theme(const Theme& theme);
  void fit_columns();

  /// A row was clicked or entered.
  std::function<void(const target::Alternative& alternative, bool by_hand)> on_chosen;

 private:
  void choose(const QModelIndex& index);

  StrategyModel* model_;
  QSortFilterProxyModel* sorted_;
};

}  // namespace convscope::ui
