#pragma once
// One step of the undo stack: from some input sizes of a network to others.

#include <QCoreApplication>
#include <QUndoCommand>
#include <functional>
#include <utility>

#include "ui/document/network_reading.h"

namespace convscope::ui {

class SizesEdit : public QUndoCommand {
 public:
  /// Made when the network was read with `after` already: the first redo does nothing.
  SizesEdit(network::InputSizes before, network::InputSizes after,
            std::function<void(const network::InputSizes&)> apply)
      : QUndoCommand(
            QCoreApplication::translate("SizesEdit", "Input size %1").arg(QString::fromStdString(sizes_text(after)))),
        before_(std::move(before)),
        after_(std::move(after)),
        apply_(std::move(apply)) {}

  void undo() override { apply_(before_); }
  void redo() override {
    if (std::exchange(done_, true)) apply_(after_);
  }

 private:
  network::InputSizes before_, after_;
  std::function<void(const network::InputSizes&)> apply_;
  bool done_ = false;
};

}  // namespace convscope::ui
