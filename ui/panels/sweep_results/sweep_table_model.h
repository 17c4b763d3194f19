#pragma once
// Points of a sweep as rows. Sorts and filters by itself: a proxy would ask for each cell of 100,000 rows.

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "ui/document/workbench.h"
#include "ui/panels/sweep_results/sweep_columns.h"

namespace convscope::ui {

/// Rows that are shown.
enum class SweepFilter { all, front, brushed };

class SweepTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  static constexpr int mark_column = 0, point_column = 1, first_column = 2;

  explicit SweepTableModel(Workbench& workbench, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  /// Rows without a value come last, either way; -1: by point.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  void set_filter(SweepFilter filter);
  std::uint64_t point(int row) const { return table_->points[rows_[static_cast<std::size_t>(row)]]; }
  /// -1 if it isn't shown.
  int row_of(std::uint64_t point) const;
  /// What is shown, for those who write it down.
  const std::shared_ptr<const explore::SweepTable>& table() const { return table_; }
  const std::vector<std::uint32_t>& rows() const { return rows_; }

 private:
  using Rows = std::vector<std::uint32_t>;

  void take_table();
  void take_look();
  void restart();
  void extend(std::shared_ptr<const explore::SweepTable> table);
  void arrange();
  Rows filtered() const;
  void sort_rows(Rows& rows) const;
  double sort_value(std::uint32_t row) const;
  void take_brushes();
  QVariant font(std::size_t row, int column) const;

  Workbench& workbench_;
  std::shared_ptr<const explore::SweepTable> table_;  ///< never null
  std::vector<SweepColumnFormat> formats_;
  std::vector<std::uint8_t> within_;  ///< brushes, for each row of the table
  Rows rows_;                         ///< of the table, as shown
  SweepFilter filter_ = SweepFilter::all;
  int sort_column_ = -1;
  Qt::SortOrder order_ = Qt::AscendingOrder;
};

}  // namespace convscope::ui
