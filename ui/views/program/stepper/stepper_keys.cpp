#include "ui/views/program/stepper/stepper_keys.h"

#include <QKeySequence>
#include <algorithm>

namespace convscope::ui {
namespace {

const StepperKey& of(StepperAct act) {
  const auto& keys = stepper_keys();
  return *std::find_if(keys.begin(), keys.end(), [&](const StepperKey& key) { return key.act == act; });
}

}  // namespace

const std::vector<StepperKey>& stepper_keys() {
  using enum StepperAct;
  static const std::vector<StepperKey> keys = {
      {Qt::Key_Period, false, false, step, QStringLiteral("Next cycle")},
      {Qt::Key_Comma, false, false, step_back, QStringLiteral("Cycle before")},
      {Qt::Key_Home, false, true, first, QStringLiteral("First cycle")},
      {Qt::Key_End, false, true, last, QStringLiteral("Last cycle")},
      {Qt::Key_Space, false, false, run, QStringLiteral("Run, or stand still")},
      {Qt::Key_Space, true, false, run_back, QStringLiteral("Run back")},
      {Qt::Key_W, false, false, writer, QStringLiteral("Who wrote what is picked")},
      {Qt::Key_U, false, false, use, QStringLiteral("Next use of what is picked")},
      {Qt::Key_S, false, false, stall, QStringLiteral("Next stall")},
      {Qt::Key_S, true, false, stall_back, QStringLiteral("Stall before")},
      {Qt::Key_I, false, false, idle, QStringLiteral("Next idle cycle of the picked unit")},
      {Qt::Key_I, true, false, idle_back, QStringLiteral("Idle cycle before of the picked unit")},
      {Qt::Key_N, false, false, iteration, QStringLiteral("Next iteration")},
      {Qt::Key_N, true, false, iteration_back, QStringLiteral("Iteration before")},
      {Qt::Key_B, false, false, stop_here, QStringLiteral("On to the breakpoint")},
      {Qt::Key_B, true, false, stop_here_back, QStringLiteral("Back to the breakpoint")},
      {Qt::Key_C, false, false, compare, QStringLiteral("Compare others with this cycle, or with none")},
      {Qt::Key_P, false, false, pick_touched, QStringLiteral("Pick what is read or written, one after the other")},
      {Qt::Key_Left, true, false, pick_left, QStringLiteral("Pick the element to the left")},
      {Qt::Key_Right, true, false, pick_right, QStringLiteral("Pick the element to the right")},
      {Qt::Key_Up, true, false, pick_up, QStringLiteral("Pick above")},
      {Qt::Key_Down, true, false, pick_down, QStringLiteral("Pick below")},
      {Qt::Key_Escape, false, false, drop, QStringLiteral("Give up the search, stand still, pick nothing")}};
  return keys;
}

std::optional<StepperAct> stepper_act(const QKeyEvent& event) {
  const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
  const bool control = event.modifiers().testFlag(Qt::ControlModifier);
  if (event.modifiers().testFlag(Qt::AltModifier)) return std::nullopt;
  for (const StepperKey& key : stepper_keys())
    if (key.key == event.key() && key.shift == shift && key.control == control) return key.act;
  return std::nullopt;
}

QString key_text(StepperAct act) {
  const StepperKey& key = of(act);
  Qt::KeyboardModifiers modifiers;
  modifiers.setFlag(Qt::ShiftModifier, key.shift);
  modifiers.setFlag(Qt::ControlModifier, key.control);
  return QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(key.key))).toString();
}

QString act_text(StepperAct act) {
  return of(act).text;
}

}  // namespace convscope::ui
