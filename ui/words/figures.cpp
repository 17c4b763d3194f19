#include "ui/words/figures.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "ui/words/translated.h"

namespace convscope::ui {
QString count_text(std::int64_t value) {
  return QLocale(QLocale::English).toString(static_cast<qlonglong>(value));
}

QString percent_text(double ratio) {
  return QString::number(ratio * 100, 'f', 1) + " %";
}

QString quantity_text(const Quantity& quantity) {
  const bool whole = quantity.value == std::floor(quantity.value) && std::abs(quantity.value) < 1e15;
  if (whole) return count_text(static_cast<std::int64_t>(quantity.value));
  if (quantity.unit.empty() && std::abs(quantity.value) >= 0.1) return QString::number(quantity.value, 'f', 2);
  return QString::fromStdString(format_quantity(quantity));
}

QString origin_text(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return translated("measured on real hardware");
    case Origin::simulated:
      return translated("simulated cycle by cycle");
    case Origin::derived:
      return translated("derived from the verified program");
    case Origin::estimate:
      return translated("estimated by a model");
    case Origin::published:
      return translated("published");
  }
  return {};
}

QString origin_mark(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return QStringLiteral("ᵐ");
    case Origin::simulated:
      return QStringLiteral("ˢ");
    case Origin::derived:
      return QStringLiteral("ᵈ");
    case Origin::estimate:
      return QStringLiteral("≈");
    case Origin::published:
      return QStringLiteral("ᵖ");
  }
  return {};
}

}  // namespace convscope::ui
