#include "ui/views/machines/sweep_plot/flow_layout.h"

#include <algorithm>

namespace convscope::ui {

FlowLayout::~FlowLayout() {
  qDeleteAll(items_);
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

void FlowLayout::setGeometry(const QRect& box) {
  QLayout::setGeometry(box);
  arrange(box, true);
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : items_) size = size.expandedTo(item->minimumSize());
  const QMargins margins = contentsMargins();
  return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

int FlowLayout::arrange(const QRect& box, bool place) const {
  const QMargins margins = contentsMargins();
  const QRect inner = box.marginsRemoved(margins);
  int x = inner.x(), y = inner.y(), height = 0;
  QList<QLayoutItem*> row;
  QList<QRect> places;
  const auto end_row = [&] {
    for (qsizetype i = 0; place && i < row.size(); ++i)
      row[i]->setGeometry(places[i].translated(0, (height - places[i].height()) / 2));
    row.clear();
    places.clear();
  };
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const QSize size = item->sizeHint();
    if (x > inner.x() && x + size.width() > inner.x() + inner.width()) {
      end_row();
      x = inner.x();
      y += height + spacing() / 2;
      height = 0;
    }
    row << item;
    places << QRect(QPoint(x, y), size);
    x += size.width() + spacing();
    height = std::max(height, size.height());
  }
  end_row();
  return y + height - box.y() + margins.bottom();
}

}  // namespace convscope::ui
