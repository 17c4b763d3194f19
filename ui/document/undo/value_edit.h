#pragma once
// One step of the undo stack: from one value to another.

#include <QUndoCommand>
#include <functional>
#include <utility>

namespace convscope::ui {

/// Values that drags change must be comparable.
template <typename Value>
class ValueEdit : public QUndoCommand {
 public:
  /// Called by redo and undo with the value to take.
  using Apply = std::function<void(const Value&)>;

  ValueEdit(const QString& text, Value before, Value after, Apply apply)
      : QUndoCommand(text), before_(std::move(before)), after_(std::move(after)), apply_(std::move(apply)) {}

  /// All edits of a drag are one step; 0: this one stands alone.
  void set_drag(int drag) { drag_ = drag; }
  /// What `after` says is the case already: the first redo, on the way to the stack, does nothing.
  void set_done() { done_ = true; }

  void undo() override { apply_(before_); }
  void redo() override {
    if (!std::exchange(done_, false)) apply_(after_);
  }
  int id() const override { return drag_ == 0 ? -1 : drag_; }
  /// Takes the other's end; the step is dropped if that is where it began.
  bool mergeWith(const QUndoCommand* other) override {
    const auto* edit = dynamic_cast<const ValueEdit*>(other);
    if (edit == nullptr || drag_ == 0 || edit->drag_ != drag_) return false;
    after_ = edit->after_;
    setText(edit->text());
    setObsolete(before_ == after_);
    return true;
  }

 private:
  Value before_, after_;
  Apply apply_;
  int drag_ = 0;
  bool done_ = false;
};

}  // namespace convscope::ui
