#include "ui/views/program/schedule/idle_reason.h"

#include <QStringList>
#include <algorithm>
#include <optional>

#include "ui/parts/drawing.h"
#include "ui/views/program/schedule/schedule_scene.h"

namespace convscope::ui {
namespace {

using artifact::TaskDependence;
using artifact::TimelineCell;
using artifact::TimelineSection;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Cycles, of its own iteration, in which an operation could stand if no other moved.
struct Window {
  std::optional<std::int64_t> earliest, latest;
  const TaskDependence* first_bound = nullptr;  ///< what makes it `earliest`
  const TaskDependence* last_bound = nullptr;
};

class IdleSlot {
 public:
  IdleSlot(const artifact::Timeline& timeline, const OperationIndex& operations, int resource, std::int64_t cycle)
      : timeline_(timeline), operations_(operations), resource_(resource), cycle_(cycle) {}

  QString reason() const {
    const int steady = timeline_.steady_state();
    if (steady < 0 || loop().length <= 0 || loop().repeats < 2) return {};
    const std::int64_t begin = timeline_.section_start(steady), end = timeline_.section_start(steady + 1);
    const std::int64_t offset = cycle_ - begin;
    const std::int64_t phase = offset - floor_divided(offset, loop().length) * loop().length;
    if (cycle_ < begin || cycle_ >= end) return outside_loop(phase, cycle_ < begin);
    QStringList lines{busy_line()};
    if (const QString line = full_line(); !line.isEmpty()) lines << line;
    if (const QString line = moves_line(phase); !line.isEmpty()) lines << line;
    return lines.join(QChar('\n'));
  }

 private:
  const TimelineSection& loop() const { return timeline_.sections()[at(timeline_.steady_state())]; }

  QString outside_loop(std::int64_t phase, bool before) const {
    for (const TimelineCell& cell : loop().cells) {
      if (cell.resource != resource_ || phase < cell.begin || phase >= cell.begin + cell.length) continue;
      const std::int64_t bound = occurrence(cell.operation, before);
      if (bound < 0 || (before ? bound <= cycle_ : bound >= cycle_)) continue;
      return before
                 ? QStringLiteral("its first iteration has not come so far: '%1' stands in this slot from cycle %2 on")
                       .arg(to_text(cell.label), grouped(bound))
                 : QStringLiteral("its last iteration is done: '%1' stood in this slot until cycle %2")
                       .arg(to_text(cell.label), grouped(bound));
    }
    return {};
  }

  /// First or last cycle of the run at which an operation is issued, or -1.
  std::int64_t occurrence(artifact::OperationKey operation, bool first) const {
    std::int64_t found = -1;
    for (std::size_t s = 0; s < timeline_.sections().size(); ++s) {
      const TimelineSection& section = timeline_.sections()[s];
      for (const TimelineCell& cell : section.cells) {
        if (cell.operation != operation || section.repeats <= 0) continue;
        const std::int64_t start = timeline_.section_start(static_cast<int>(s)) + cell.begin;
        const std::int64_t each = first ? start : start + (section.repeats - 1) * section.length;
        found = found < 0 ? each : first ? std::min(found, each) : std::max(found, each);
      }
    }
    return found;
  }

  std::int64_t busy(int resource) const {
    const std::int64_t begin = timeline_.section_start(timeline_.steady_state());
    return timeline_.busy(resource, begin, begin + loop().length);
  }

  QString name(int resource) const { return to_text(timeline_.resources()[at(resource)]); }

  QString busy_line() const {
    const std::int64_t cycles = busy(resource_);
    if (cycles == 0) return QStringLiteral("no operation of the loop uses %1").arg(name(resource_));
    return QStringLiteral("%1 works in %2 of the loop's %3 cycles")
        .arg(name(resource_), grouped(cycles), grouped(loop().length));
  }

  QString full_line() const {
    QStringList full;
    for (int r = 0; r < static_cast<int>(timeline_.resources().size()); ++r)
      if (busy(r) == loop().length) full << name(r);
    if (full.isEmpty()) return {};
    return QStringLiteral("the loop can't be shorter: %1 work%2 in every cycle")
        .arg(full.join(QStringLiteral(", ")), full.size() == 1 ? QStringLiteral("s") : QString());
  }

  Window window(int operation) const {
    Window window;
    const auto& graph = *operations_.graph();
    for (const int d : operations_.incoming(operation)) {
      const TaskDependence& dependence = graph.dependences[at(d)];
      if (dependence.from == operation) continue;
      const std::int64_t cycle = graph.operations[at(dependence.from)].cycle + dependence.distance -
                                 dependence.iterations * graph.initiation_interval;
      if (window.earliest && *window.earliest >= cycle) continue;
      window.earliest = cycle;
      window.first_bound = &dependence;
    }
    for (const int d : operations_.outgoing(operation)) {
      const TaskDependence& dependence = graph.dependences[at(d)];
      if (dependence.to == operation) continue;
      const std::int64_t cycle = graph.operations[at(dependence.to)].cycle - dependence.distance +
                                 dependence.iterations * graph.initiation_interval;
      if (window.latest && *window.latest <= cycle) continue;
      window.latest = cycle;
      window.last_bound = &dependence;
    }
    return window;
  }

  /// The slot as a cycle of the operation's iteration: the nearest one to where it stands, or the first in its window.
  static bool fits(const Window& window, std::int64_t slot, std::int64_t interval) {
    if (!window.earliest || !window.latest) return true;
    const std::int64_t first = slot - floor_divided(slot - *window.earliest, interval) * interval;
    return first <= *window.latest;
  }

  QString moves_line(std::int64_t phase) const {
    const auto* graph = operations_.graph();
    if (!graph || graph->initiation_interval != loop().length) return {};
    QStringList movable;
    QString nearest;
    for (const TimelineCell& cell : loop().cells) {
      const int operation = cell.resource == resource_ && cell.length == 1 ? operations_.find(cell.operation) : -1;
      if (operation < 0 || graph->operations[at(operation)].cycle < 0) continue;
      const Window bounds = window(operation);
      const std::int64_t slot = graph->operations[at(operation)].cycle + phase - cell.begin;
      if (fits(bounds, slot, loop().length)) {
        movable << to_text(cell.label);
      } else if (nearest.isEmpty() && bounds.first_bound && bounds.last_bound) {
        nearest = held_line(operation, bounds);
      }
    }
    if (!movable.isEmpty()) {
      return QStringLiteral("dependences alone would let %1 stand here; the loop would be no shorter")
          .arg(movable.size() == 1 ? QStringLiteral("'%1'").arg(movable[0])
                                   : QStringLiteral("any of %1 operations").arg(movable.size()));
    }
    return nearest;
  }

  QString held_line(int operation, const Window& bounds) const {
    const auto& graph = *operations_.graph();
    const auto label = [&](int index) { return to_text(graph.operations[at(index)].label); };
    return QStringLiteral("no operation of %1 may stand here: '%2', for one, must follow '%3' and go before '%4'")
        .arg(name(resource_), label(operation), label(bounds.first_bound->from), label(bounds.last_bound->to));
  }

  const artifact::Timeline& timeline_;
  const OperationIndex& operations_;
  int resource_;
  std::int64_t cycle_;
};

}  // namespace

QString idle_reason(const artifact::Timeline& timeline, const OperationIndex& operations, int resource,
                    std::int64_t cycle) {
  return IdleSlot(timeline, operations, resource, cycle).reason();
}

}  // namespace convscope::ui
