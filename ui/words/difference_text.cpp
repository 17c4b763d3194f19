#include "ui/words/difference_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "ui/words/text.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

using analysis::FigureDifference;
using analysis::Verdict;

QString arrow(const FigureDifference& difference) {
  if (difference.verdict == Verdict::same) return QStringLiteral("=");
  if (!difference.absolute) return {};
  return *difference.absolute < 0 ? QStringLiteral("▼") : QStringLiteral("▲");
}

QString mark(Verdict verdict) {
  if (verdict == Verdict::better) return QStringLiteral("✓");
  return verdict == Verdict::worse ? QStringLiteral("!") : QString();
}

/// With a true minus: a hyphen gets lost beside digits.
QString signed_number(double value, int decimals) {
  const QString digits = QString::number(std::abs(value), 'f', decimals);
  return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + digits;
}

QString size_text(const FigureDifference& difference) {
  if (!difference.absolute) return QStringLiteral("–");
  if (difference.key == "utilization") return signed_number(100 * *difference.absolute, 1) + " pp";
  if (!difference.relative) return translated("from 0");
  const double percent = 100 * *difference.relative;
  return signed_number(percent, std::abs(percent) < 1 ? 2 : 1) + " %";
}

QString meaning(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return translated("the same");
    case Verdict::better:
      return translated("better");
    case Verdict::worse:
      return translated("worse");
    case Verdict::changed:
      return translated("changed");
    case Verdict::missing:
      return translated("only one of the runs has it");
  }
  return {};
}

}  // namespace

QString difference_text(const FigureDifference& difference) {
  if (difference.verdict == Verdict::same) return QStringLiteral("=");
  const QString text = arrow(difference) + ' ' + size_text(difference) + ' ' + mark(difference.verdict);
  return text.trimmed();
}

QString difference_mark(const FigureDifference& difference) {
  return arrow(difference) + mark(difference.verdict);
}

double difference_size(const FigureDifference& difference) {
  if (difference.key == "utilization") return difference.absolute.value_or(0);
  // From nothing to something is more than any percentage.
  if (!difference.relative && difference.absolute) return std::copysign(HUGE_VAL, *difference.absolute);
  return difference.relative.value_or(0);
}

QString value_with_origin(const std::string& key, const Quantity& quantity) {
  const bool whole = std::floor(quantity.value) == quantity.value && std::abs(quantity.value) < 1e15;
  QString text;
  if (key == "utilization")
    text = QString::number(100 * quantity.value, 'f', 1) + " %";
  else if (whole && quantity.unit != "s")
    text = QLocale(QLocale::English).toString(static_cast<qlonglong>(quantity.value)) + ' ' + to_text(quantity.unit);
  else
    text = to_text(format_quantity(quantity));
  return QStringLiteral("%1 (%2)").arg(text.trimmed(), to_text(origin_name(quantity.origin)));
}

QString difference_tip(const FigureDifference& difference, const QString& baseline) {
  const auto value = [&](const std::optional<Quantity>& quantity) {
    return quantity ? value_with_origin(difference.key, *quantity) : translated("none");
  };
  return translated("now: %1").arg(value(difference.value)) + '\n' +
         QStringLiteral("%1: %2").arg(baseline, value(difference.reference)) + '\n' + difference_text(difference) +
         QStringLiteral(" – ") + meaning(difference.verdict);
}

QColor verdict_colour(const Theme& theme, Verdict verdict) {
  if (verdict == Verdict::better) return theme.better;
  return verdict == Verdict::worse ? theme.worse : theme.muted_text;
}

}  // namespace convscope::ui
