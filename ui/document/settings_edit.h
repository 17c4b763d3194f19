#pragma once
// One step of the undo stack: from some settings to others. All edits of a drag are one step.

#include <QUndoCommand>
#include <functional>

#include "ui/model/settings.h"

namespace convscope::ui {

class SettingsEdit : public QUndoCommand {
 public:
  /// `drag` is 0 for an edit that stands alone. `apply` is called by redo and undo, with the settings to take.
  SettingsEdit(Settings before, Settings after, const QString& text, int drag,
               std::function<void(const Settings&)> apply);

  void undo() override { apply_(before_); }
  void redo() override { apply_(after_); }
  int id() const override { return drag_ == 0 ? -1 : drag_; }
  /// Takes the other's end; the step is dropped if that is where it began.
  bool mergeWith(const QUndoCommand* other) override;

 private:
  Settings before_, after_;
  int drag_;
  std::function<void(const Settings&)> apply_;
};

}  // namespace convscope::ui
