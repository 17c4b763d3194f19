#include "ui/views/program/stepper/stepper_search.h"

#include "ui/words/figures.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

using artifact::UnitActivity;
using target::Direction;
using target::TracePredicate;

QString side(Direction direction) {
  return direction == Direction::forwards ? QStringLiteral("after") : QStringLiteral("before");
}

StepperSearch impossible(const QString& words) {
  StepperSearch search;
  search.impossible = words;
  return search;
}

StepperSearch of_element(const StepperScene& scene, const std::optional<StepperPick>& picked,
                         TracePredicate::Access access) {
  if (!picked || picked->block < 0) return impossible(QStringLiteral("Pick an element first: click it, or press P."));
  const bool written = access == TracePredicate::Access::written;
  const QString name = scene.name(*picked);
  TracePredicate wanted;
  wanted.access = access;
  wanted.block = picked->block;
  wanted.first = picked->index;
  wanted.count = 1;
  // The cycle that is shown may have written it itself: its state is told at its end.
  return {wanted, written ? scene.cycle + 1 : scene.cycle, written ? Direction::backwards : Direction::forwards,
          written ? QStringLiteral("Nothing has written %1 so far.").arg(name)
                  : QStringLiteral("Nothing reads %1 any more.").arg(name)};
}

StepperSearch of_units(const StepperScene& scene, const std::optional<StepperPick>& picked, UnitActivity activity,
                       Direction direction) {
  TracePredicate wanted;
  wanted.activity = activity;
  const bool one = picked && picked->block < 0;
  if (one) wanted.unit = static_cast<int>(picked->index);
  return {wanted, scene.cycle, direction,
          QStringLiteral("%1 is %2 %3 this cycle.")
              .arg(one ? scene.units[static_cast<std::size_t>(picked->index)].name : QStringLiteral("No unit"),
                   (one ? QStringLiteral("never ") : QString()) + to_text(artifact::unit_activity_name(activity)),
                   side(direction))};
}

StepperSearch of_iteration(const StepperScene& scene, Direction direction) {
  TracePredicate wanted;
  const std::int64_t now = scene.changes.iteration;
  wanted.iteration = direction == Direction::forwards ? now + 1 : now - 1;
  if (direction == Direction::backwards && now <= 0)
    return impossible(QStringLiteral("No iteration is before this one."));
  return {wanted, scene.cycle, direction, QStringLiteral("No iteration is %1 this one.").arg(side(direction))};
}

StepperSearch of_stop(const StepperScene& scene, const std::optional<StepperStop>& stop, Direction direction) {
  if (!stop) return impossible(QStringLiteral("Choose a breakpoint first: the menu ‘Stop at’."));
  return {stop->predicate, scene.cycle, direction,
          QStringLiteral("‘%1’ doesn't happen %2 this cycle.").arg(stop->name, side(direction))};
}

StepperStop element_stop(const StepperScene& scene, const StepperPick& picked, TracePredicate::Access access) {
  TracePredicate wanted;
  wanted.access = access;
  wanted.block = picked.block;
  wanted.first = picked.index;
  wanted.count = 1;
  const bool written = access == TracePredicate::Access::written;
  return {
      QStringLiteral("%1 is %2").arg(scene.name(picked), written ? QStringLiteral("written") : QStringLiteral("read")),
      wanted};
}

StepperStop unit_stop(const StepperScene& scene, int unit, UnitActivity activity) {
  TracePredicate wanted;
  wanted.unit = unit;
  wanted.activity = activity;
  const QString who = unit < 0 ? QStringLiteral("any unit") : scene.units[static_cast<std::size_t>(unit)].name;
  return {QStringLiteral("%1 is %2").arg(who, to_text(artifact::unit_activity_name(activity))), wanted};
}

}  // namespace

std::optional<StepperSearch> stepper_search(StepperAct act, const StepperScene& scene,
                                            const std::optional<StepperPick>& picked,
                                            const std::optional<StepperStop>& stop) {
  switch (act) {
    case StepperAct::writer:
      return of_element(scene, picked, TracePredicate::Access::written);
    case StepperAct::use:
      return of_element(scene, picked, TracePredicate::Access::read);
    case StepperAct::stall:
      return of_units(scene, picked, UnitActivity::stalled, Direction::forwards);
    case StepperAct::stall_back:
      return of_units(scene, picked, UnitActivity::stalled, Direction::backwards);
    case StepperAct::idle:
      return of_units(scene, picked, UnitActivity::idle, Direction::forwards);
    case StepperAct::idle_back:
      return of_units(scene, picked, UnitActivity::idle, Direction::backwards);
    case StepperAct::iteration:
      return of_iteration(scene, Direction::forwards);
    case StepperAct::iteration_back:
      return of_iteration(scene, Direction::backwards);
    case StepperAct::stop_here:
      return of_stop(scene, stop, Direction::forwards);
    case StepperAct::stop_here_back:
      return of_stop(scene, stop, Direction::backwards);
    default:
      return std::nullopt;
  }
}

std::vector<StepperStop> stepper_stops(const StepperScene& scene, const std::optional<StepperPick>& picked) {
  std::vector<StepperStop> stops;
  if (scene.changes.address >= 0) {
    TracePredicate wanted;
    wanted.address = scene.changes.address;
    stops.push_back({QStringLiteral("instruction %1").arg(count_text(scene.changes.address)), wanted});
  }
  if (picked && picked->block >= 0) {
    stops.push_back(element_stop(scene, *picked, TracePredicate::Access::written));
    stops.push_back(element_stop(scene, *picked, TracePredicate::Access::read));
    TracePredicate block;
    block.access = TracePredicate::Access::written;
    block.block = picked->block;
    stops.push_back({QStringLiteral("%1 is written anywhere").arg(to_text(scene.schema(picked->block).name)), block});
  }
  if (picked && picked->block < 0) {
    for (const UnitActivity activity : {UnitActivity::busy, UnitActivity::idle, UnitActivity::stalled})
      stops.push_back(unit_stop(scene, static_cast<int>(picked->index), activity));
  }
  stops.push_back(unit_stop(scene, -1, UnitActivity::stalled));
  return stops;
}

}  // namespace convscope::ui
