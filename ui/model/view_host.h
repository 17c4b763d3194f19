#pragma once
// What a view's widget may ask of the window: the picture of the moment, what changed in it, and a few actions.

#include <QObject>
#include <utility>

#include "ui/model/change.h"
#include "ui/model/snapshot.h"
#include "ui/theme/theme.h"

namespace convscope::ui {

class MachineActions;

class ViewHost : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual const Snapshot& snapshot() const = 0;
  virtual const Theme& theme() const = 0;
  virtual void select(const artifact::Ref& ref) = 0;
  /// For views of many machines.
  virtual MachineActions& machines() = 0;

 signals:
  /// The snapshot, or the theme, is another one by now.
  void changed(convscope::ui::Changes what);
};

/// Runs `act` whenever one of these parts has changed, as long as `context` is there.
template <typename Act>
void on_change(ViewHost& host, QObject* context, Changes parts, Act act) {
  QObject::connect(&host, &ViewHost::changed, context, [parts, act = std::move(act)](Changes what) {
    if (what.testAnyFlags(parts)) act();
  });
}

}  // namespace convscope::ui
