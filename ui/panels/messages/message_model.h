#pragma once
// What the user should know or mend: the workbench's diagnostics, one a row.

#include <QAbstractTableModel>

#include "ui/document/workbench.h"

namespace convscope::ui {

class MessageModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { severity, where, what, expected, hint, column_count };

  explicit MessageModel(Workbench& workbench, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  void refresh();
  QString text(const Diagnostic& diagnostic, int column) const;

  Workbench& workbench_;
  Diagnostics shown_;
};

}  // namespace convscope::ui
