#pragma once
// Machines of one target: presets, levels, what varies, what must hold.

#include <QGroupBox>

#include "core/explore/space/space.h"
#include "core/explore/space/space_draft.h"
#include "ui/document/workbench.h"
#include "ui/panels/sweep_setup/setup_parts.h"

class QMenu;

namespace convscope::ui {

class AxisRow;
class ChoiceButton;
class ConstraintRow;

class MachinesBox : public QGroupBox {
  Q_OBJECT
 public:
  /// `index` counts the machines of a space.
  MachinesBox(const Workbench& workbench, const explore::DraftMachines& machines, int index, QWidget* parent);

  explore::DraftMachines value() const;
  /// Presets that come with the program.
  void offer_presets(const QStringList& presets);
  /// A row for the parameter; what was said of it is replaced.
  void vary(const std::string& parameter);
  /// How many values each parameter takes; null: not known.
  void show_counts(const explore::Family* family);
  void clear_messages();
  /// What is wrong with a parameter or constraint, or with the whole.
  void show_message(const explore::DraftPlace& place, const QString& message);

 signals:
  void edited();
  void removed();

 private:
  void build_head();
  void build_buttons();
  void fill_menu();
  void add_axis(const explore::DraftParameter& parameter);
  void add_constraint(const explore::DraftConstraint& constraint);
  const arch::ParameterDescription* description(const std::string& parameter) const;

  const Workbench& workbench_;
  std::string target_id_;
  std::shared_ptr<const target::Target> target_;  ///< null: there is none of this name
  ChoiceButton *presets_ = nullptr, *levels_ = nullptr;
  QMenu* parameters_ = nullptr;
  MessageLabel* message_ = nullptr;
  RowList<AxisRow> axes_;
  RowList<ConstraintRow> constraints_;
  int constraints_made_ = 0;
};

}  // namespace convscope::ui
