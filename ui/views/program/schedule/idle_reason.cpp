#include "ui/views/program/schedule/idle_reason.h"

#include <QStringList>

#include "core/schedule/explain/idle_slot.h"
#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using schedule::IdleReason;

QString busy_line(const IdleReason& reason, const QString& resource) {
  if (reason.busy == 0) return QStringLiteral("no operation of the loop uses %1").arg(resource);
  return QStringLiteral("%1 works in %2 of the loop's %3 cycles")
      .arg(resource, count_text(reason.busy), count_text(reason.length));
}

QString full_line(const QStringList& full) {
  return QStringLiteral("the loop can't be shorter: %1 work%2 in every cycle")
      .arg(full.join(QStringLiteral(", ")), full.size() == 1 ? QStringLiteral("s") : QString());
}

QString movable_line(const IdleReason& reason) {
  return QStringLiteral("dependences alone would let %1 stand here; the loop would be no shorter")
      .arg(reason.movable.size() == 1 ? QStringLiteral("'%1'").arg(to_text(reason.movable.front()))
                                      : QStringLiteral("any of %1 operations").arg(reason.movable.size()));
}

QString held_line(const IdleReason::Held& held, const QString& resource) {
  return QStringLiteral("no operation of %1 may stand here: '%2', for one, must follow '%3' and go before '%4'")
      .arg(resource, to_text(held.operation), to_text(held.after), to_text(held.before));
}

QString in_loop(const IdleReason& reason, const artifact::Timeline& timeline, int resource) {
  const auto name = [&](int index) { return to_text(timeline.resources()[static_cast<std::size_t>(index)]); };
  QStringList lines{busy_line(reason, name(resource))}, full;
  for (const int index : reason.full) full << name(index);
  if (!full.isEmpty()) lines << full_line(full);
  if (!reason.movable.empty()) lines << movable_line(reason);
  if (reason.held) lines << held_line(*reason.held, name(resource));
  return lines.join(QChar('\n'));
}

}  // namespace

QString idle_reason(const artifact::Timeline& timeline, const OperationIndex& operations, int resource,
                    std::int64_t cycle) {
  const IdleReason reason = schedule::idle_reason(timeline, operations.graph(), resource, cycle);
  switch (reason.slot) {
    case IdleReason::Slot::unknown:
      return {};
    case IdleReason::Slot::before_first:
      return QStringLiteral("its first iteration has not come so far: '%1' stands in this slot from cycle %2 on")
          .arg(to_text(reason.occupant), count_text(reason.occupied));
    case IdleReason::Slot::after_last:
      return QStringLiteral("its last iteration is done: '%1' stood in this slot until cycle %2")
          .arg(to_text(reason.occupant), count_text(reason.occupied));
    case IdleReason::Slot::in_loop:
      return in_loop(reason, timeline, resource);
  }
  return {};
}

}  // namespace convscope::ui
