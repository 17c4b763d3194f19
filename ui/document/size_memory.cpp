#include "ui/document/size_memory.h"

#include <QFileInfo>

namespace convscope::ui {

void SizeMemory::opened(const QString& path, const OpenSizes& left, const std::optional<network::InputSizes>& sizes) {
  left_open = left;
  open = sizes;
  if (sizes) choose(path, *sizes);
}

void SizeMemory::choose(const QString& path, const network::InputSizes& sizes) {
  by_file_[QFileInfo(path).absoluteFilePath()] = sizes;
  if (sizes.image) last_ = sizes;
}

SizeWish SizeMemory::wish(const QString& path) const {
  const auto found = by_file_.find(QFileInfo(path).absoluteFilePath());
  SizeWish wish;
  if (found != by_file_.end()) wish.chosen = found->second;
  wish.defaults = last_;
  return wish;
}

}  // namespace convscope::ui
