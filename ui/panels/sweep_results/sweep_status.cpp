#include "ui/panels/sweep_results/sweep_status.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "ui/document/exploration/exploration.h"
#include "ui/words/figures.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

QString number(std::uint64_t value) {
  return count_text(static_cast<std::int64_t>(value));
}

QString running_text(const SweepProgress& progress) {
  const std::uint64_t all = progress.planned.value_or(progress.size);
  QStringList parts{translated("running: %1 of %2 points").arg(number(progress.seen), number(all))};
  if (progress.points_a_second > 0) {
    parts << translated("%1 a second").arg(QString::number(progress.points_a_second, 'g', 3));
  }
  if (progress.seconds_left) parts << translated("%1 left").arg(duration_text(*progress.seconds_left));
  return parts.join(QStringLiteral(", "));
}

}  // namespace

QString duration_text(double seconds) {
  constexpr double minute = 60, hour = 3600, day = 86400;
  if (seconds < 2 * minute) return translated("%1 s").arg(std::ceil(seconds));
  if (seconds < 2 * hour) return translated("%1 min").arg(std::ceil(seconds / minute));
  if (seconds < 2 * day) return translated("%1 h").arg(QString::number(seconds / hour, 'f', 1));
  return translated("%1 days").arg(QString::number(seconds / day, 'f', 1));
}

QString sweep_status(const Exploration& exploration) {
  const auto& table = exploration.state()->sweep;
  if (exploration.sweeping()) {
    const QString text = running_text(exploration.progress());
    return exploration.progress().on_front == 0
               ? text
               : text + translated("; %1 on the front").arg(number(exploration.progress().on_front));
  }
  if (exploration.opening_files()) return translated("reading results…");
  if (!table) return translated("No sweep yet: 'Sweep…' compares many machines at once.");
  std::uint64_t on_front = 0;
  for (const std::uint8_t each : table->on_front) on_front += each;
  return translated("%1: %2 of %3 points; %4 on the front")
      .arg(QString::fromStdString(table->state), number(table->seen), number(table->size), number(on_front));
}

QString sweep_tip(const Exploration& exploration) {
  const auto& table = exploration.state()->sweep;
  if (!table || table->size == 0) return {};
  const double share = static_cast<double>(table->seen) / static_cast<double>(table->size);
  QStringList lines{QString::fromStdString(table->title),
                    translated("%1 of the space was seen").arg(percent_text(share))};
  if (!exploration.results_file().isEmpty()) lines << exploration.results_file();
  for (const auto& [reason, points] : table->removed) {
    lines << translated("%1 left out: %2").arg(number(points), QString::fromStdString(reason));
  }
  return lines.join('\n');
}

}  // namespace convscope::ui
