#include "core/target/trace.h"

#include <algorithm>
#include <cassert>

#include "core/base/cancellation.h"

namespace convscope::target {
namespace {

constexpr std::int64_t polled_cycles = 1 << 12;  // between two looks at the stop token

bool accesses(const artifact::CycleChanges& changes, const TracePredicate& wanted) {
  return std::any_of(changes.accesses.begin(), changes.accesses.end(), [&](const artifact::StateAccess& access) {
    if (access.block != wanted.block || !access.meets(wanted.first, wanted.count)) return false;
    if (wanted.access == TracePredicate::Access::any) return true;
    return (access.kind == artifact::AccessKind::write) == (wanted.access == TracePredicate::Access::written);
  });
}

bool acts(const artifact::CycleChanges& changes, const TracePredicate& wanted) {
  if (wanted.unit >= 0) return changes.units[static_cast<std::size_t>(wanted.unit)].activity == *wanted.activity;
  return std::any_of(changes.units.begin(), changes.units.end(),
                     [&](const artifact::UnitCycle& unit) { return unit.activity == *wanted.activity; });
}

}  // namespace

bool TracePredicate::holds(const artifact::CycleChanges& changes) const {
  return (block < 0 || accesses(changes, *this)) && (!activity || acts(changes, *this)) &&
         (address < 0 || changes.address == address) && (iteration < 0 || changes.iteration == iteration);
}

void Trace::visit(std::int64_t from, std::int64_t to, const std::function<bool(const artifact::CycleChanges&)>& visit,
                  const std::stop_token& stop) const {
  artifact::CycleChanges changes;
  for (std::int64_t cycle = std::max<std::int64_t>(0, from); cycle < std::min(to, cycles()); ++cycle) {
    if (cycle % polled_cycles == 0) throw_if_stopped(stop);
    tell(cycle, changes);
    if (!visit(changes)) return;
  }
}

artifact::MachineState Trace::state(std::int64_t cycle) const {
  artifact::MachineState state;
  for (std::size_t block = 0; block < schema().blocks.size(); ++block)
    state.push_back(values(cycle, static_cast<int>(block), 0, schema().blocks[block].size()));
  return state;
}

artifact::CycleChanges Trace::changes(std::int64_t cycle) const {
  assert(cycle >= 0 && cycle < cycles());
  artifact::CycleChanges found;
  visit(cycle, cycle + 1,
        [&](const artifact::CycleChanges& changes) {
          found = changes;
          return true;
        },
        {});
  return found;
}

std::optional<std::int64_t> Trace::next(const TracePredicate& predicate, std::int64_t cycle, Direction direction,
                                        const std::stop_token& stop) const {
  std::optional<std::int64_t> found;
  if (direction == Direction::forwards) {
    visit(
        std::max<std::int64_t>(0, cycle + 1), cycles(),
        [&](const artifact::CycleChanges& changes) {
          if (predicate.holds(changes)) found = changes.cycle;
          return !found;
        },
        stop);
    return found;
  }
  // Stretches that grow, so that what is near is found at once and what is far costs no more than one run.
  std::int64_t stretch = 256;
  for (std::int64_t to = std::min(cycle, cycles()); to > 0 && !found; stretch *= 2) {
    const std::int64_t from = std::max<std::int64_t>(0, to - stretch);
    visit(
        from, to,
        [&](const artifact::CycleChanges& changes) {
          if (predicate.holds(changes)) found = changes.cycle;
          return true;
        },
        stop);
    to = from;
  }
  return found;
}

}  // namespace convscope::target
