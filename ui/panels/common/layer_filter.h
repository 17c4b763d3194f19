#pragma once
// Rows whose layer has a text in its name or operator; the network's own row and the programs of shown layers stay.

#include <QSortFilterProxyModel>
#include <QString>

namespace convscope::ui {

/// Role under which models give the text that is searched; rows without one are always shown.
inline constexpr int search_role = Qt::UserRole + 1;

class LayerFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  /// Every word must occur, upper and lower case alike; an empty text shows everything.
  void set_text(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QStringList words_;
};

}  // namespace convscope::ui
