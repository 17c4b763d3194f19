#pragma once
// Widgets in a row, and in further rows where one is not wide enough: tools of a view in a narrow dock.

#include <QLayout>
#include <QList>

namespace convscope::ui {

class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(int spacing = 6) { setSpacing(spacing); }
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { items_.append(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  void setGeometry(const QRect& box) override;
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;

 private:
  /// Height that is needed; moves the widgets if they are to be placed.
  int arrange(const QRect& box, bool place) const;

  QList<QLayoutItem*> items_;
};

}  // namespace convscope::ui
