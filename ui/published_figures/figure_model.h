#pragma once
// A published figure as a table: numbers as people read them, with where they come from.

#include <QAbstractTableModel>

#include "core/figures/figure.h"

namespace convscope::ui {

class FigureModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit FigureModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  void set_figure(figures::Figure figure);
  const figures::Figure& figure() const { return figure_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  figures::Figure figure_;
};

/// Header and rows with tabs between cells and all digits: what spreadsheets take. Origins as in TableText.
QString tab_separated(const figures::Figure& figure);

}  // namespace convscope::ui
