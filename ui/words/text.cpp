#include "ui/words/text.h"

namespace convscope::ui {

QString to_text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString grouped(std::int64_t value) {
  QString digits = QString::number(value);
  const qsizetype first = value < 0 ? 1 : 0;
  for (qsizetype at = digits.size() - 3; at > first; at -= 3) digits.insert(at, QChar(0x202f));
  return digits;
}

}  // namespace convscope::ui
