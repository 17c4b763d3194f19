#pragma once
// Where in the run something happens: what the stepper asks a Trace for, as values.

#include <QString>
#include <optional>

#include "ui/views/program/stepper/stepper_keys.h"
#include "ui/views/program/stepper/stepper_scene.h"

namespace convscope::ui {

struct StepperSearch {
  target::TracePredicate predicate;
  std::int64_t from = 0;  ///< as Trace::next takes it
  target::Direction direction = target::Direction::forwards;
  QString missing;          ///< words if there is no such cycle
  QString impossible = {};  ///< words if it can't be asked for, e.g. because nothing is picked; empty if it can
};

/// A breakpoint, as it is offered and named.
struct StepperStop {
  QString name;
  target::TracePredicate predicate;
};

/// What an act that looks for a cycle asks for, from the cycle that is shown; nothing for other acts.
std::optional<StepperSearch> stepper_search(StepperAct act, const StepperScene& scene,
                                            const std::optional<StepperPick>& picked,
                                            const std::optional<StepperStop>& stop);

/// Breakpoints that make sense in this cycle: its instruction, what is picked, stalls.
std::vector<StepperStop> stepper_stops(const StepperScene& scene, const std::optional<StepperPick>& picked);

}  // namespace convscope::ui
