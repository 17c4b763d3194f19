#pragma once
// What can be done in the stepper, and its keys: the same for buttons, menus and keyboard.

#include <QKeyEvent>
#include <QString>
#include <optional>
#include <vector>

namespace convscope::ui {

enum class StepperAct {
  step,
  step_back,
  first,
  last,
  run,
  run_back,
  writer,  ///< who wrote what is picked
  use,     ///< its next use
  stall,
  stall_back,
  idle,
  idle_back,
  iteration,
  iteration_back,
  stop_here,  ///< on to the breakpoint
  stop_here_back,
  compare,
  pick_touched,
  pick_left,
  pick_right,
  pick_up,
  pick_down,
  drop  ///< the search, the run, the pick: what there is first
};

struct StepperKey {
  int key = 0;  ///< Qt::Key
  bool shift = false, control = false;
  StepperAct act = StepperAct::step;
  QString text;  ///< of menus and tooltips
};

const std::vector<StepperKey>& stepper_keys();
/// Nothing for keys that are not the stepper's.
std::optional<StepperAct> stepper_act(const QKeyEvent& event);
/// "Shift+S".
QString key_text(StepperAct act);
QString act_text(StepperAct act);

}  // namespace convscope::ui
