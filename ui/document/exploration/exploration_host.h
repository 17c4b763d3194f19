#pragma once
// What the exploration asks of its owner: the machine that people see, and where machines and messages go.

#include <QString>
#include <QUndoCommand>
#include <memory>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/catalogue/catalogue.h"
#include "ui/model/settings.h"

namespace convscope::ui {

class ExplorationHost {
 public:
  virtual ~ExplorationHost() = default;

  /// The open network; may be null.
  virtual std::shared_ptr<const network::Network> network() const = 0;
  virtual const Settings& settings() const = 0;
  virtual const catalogue::CataloguePointer& catalogue() const = 0;
  virtual const std::vector<std::shared_ptr<const target::Target>>& targets() const = 0;
  /// One parameter of the current machine; one undo step.
  virtual void change_parameter(std::size_t parameter, double value) = 0;
  /// The machine becomes the current one; one undo step, named by `text`.
  virtual void take_machine(const Settings& settings, const QString& text) = 0;
  /// Does it, as one undo step.
  virtual void push_step(std::unique_ptr<QUndoCommand> step) = 0;
  /// Pins a machine for the open network and compares with it, once it is compiled in the background; one that is
  /// pinned already is chosen. Does nothing, and returns -1, if no network is open.
  virtual int pin_machine(const Settings& settings, const QString& name) = 0;
  /// What a sweep, or the like, had to say; replaces what was said before.
  virtual void report_exploration(const Diagnostics& diagnostics) = 0;
};

}  // namespace convscope::ui
