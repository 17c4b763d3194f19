#include "ui/words/text.h"

namespace convscope::ui {

QString to_text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

}  // namespace convscope::ui
