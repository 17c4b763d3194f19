#include "ui/panels/common/layer_filter.h"

#include <algorithm>

namespace convscope::ui {

void LayerFilter::set_text(const QString& text) {
  words_ = text.split(' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

bool LayerFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (words_.isEmpty()) return true;
  const QVariant searched = sourceModel()->index(row, 0, parent).data(search_role);
  if (!searched.isValid()) return true;
  const QString text = searched.toString();
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace convscope::ui
