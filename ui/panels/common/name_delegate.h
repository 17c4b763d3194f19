#pragma once
// Names in tables and trees: where a column is too narrow for them, begin and end are shown, since names of layers
// differ at their ends.

#include <QStyledItemDelegate>

namespace convscope::ui {

class NameDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
  }
};

}  // namespace convscope::ui
