#pragma once
// The window's document: network, machine, level, selection; recompiles in the background whenever one changes.
// Lives on the window's thread; never blocks it. Everything that widgets share goes through here.

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>

#include "core/arch/parameters.h"
#include "core/base/diagnostic.h"
#include "core/engine/engine.h"
#include "ui/theme/theme.h"
#include "ui/views/view.h"

namespace convscope::ui {

class Workbench : public QObject {
  Q_OBJECT
 public:
  explicit Workbench(QObject* parent = nullptr);
  ~Workbench() override;

  const Snapshot& snapshot() const;
  const arch::ParameterValues& machine() const;
  std::shared_ptr<const target::Target> target() const;
  QString level() const;
  QString preset() const;
  const Theme& theme() const;
  QUndoStack& undo_stack();
  const Diagnostics& messages() const;

  /// Opens in the background; `network_opened` or `messages_changed` follows.
  void open_network(const QString& path);
  void set_level(const QString& level);
  void load_preset(const QString& path_or_name);
  /// One parameter; consecutive calls with the same non-zero `drag` are one undo step.
  void set_parameter(int index, double value, int drag = 0);
  void reset_parameter(int index);
  void select(const artifact::Ref& ref);
  void set_theme(const QString& name);
  void cancel();
  bool busy() const;

 signals:
  void network_opened();
  void snapshot_changed();             ///< new results or a new network
  void selection_changed();
  void machine_changed();              ///< values, preset or level
  void progress_changed(double fraction, const QString& activity);
  void messages_changed();
  void theme_changed();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace convscope::ui
