#include "ui/document/settings_edit.h"

#include <utility>

namespace convscope::ui {

SettingsEdit::SettingsEdit(Settings before, Settings after, const QString& text, int drag,
                           std::function<void(const Settings&)> apply)
    : QUndoCommand(text), before_(std::move(before)), after_(std::move(after)), drag_(drag), apply_(std::move(apply)) {}

bool SettingsEdit::mergeWith(const QUndoCommand* other) {
  const auto* edit = dynamic_cast<const SettingsEdit*>(other);
  if (edit == nullptr || edit->drag_ != drag_) return false;
  after_ = edit->after_;
  setText(edit->text());
  setObsolete(before_ == after_);
  return true;
}

}  // namespace convscope::ui
