#pragma once
// One parameter in the panel: its label, editor, reset, and what does not hold.

#include <QWidget>

#include "ui/document/workbench.h"
#include "ui/theme/theme.h"

class QAction;
class QLabel;
class QToolButton;

namespace convscope::ui {

class ParameterEditor;

class ParameterRow : public QWidget {
  Q_OBJECT
 public:
  ParameterRow(Workbench& workbench, int index, QWidget* parent);

  /// Shows the machine's value, whether it differs from the preset, and the given violations.
  void refresh(const QStringList& violations);

 signals:
  void drag_started();
  void edited(double value, bool dragged);
  void sweep_wanted();

 private:
  void build();
  void show_violations(const QStringList& violations);
  /// Says what would do, as a link that sets it.
  QString way_out() const;
  void show_remark(const QString& remark);

  Workbench& workbench_;
  int index_;
  QLabel* label_ = nullptr;
  QToolButton* reset_ = nullptr;
  QAction* sweep_ = nullptr;
  ParameterEditor* editor_ = nullptr;
  QLabel* violation_ = nullptr;
  QLabel* remark_ = nullptr;  ///< why a typed value is not taken as it is
};

}  // namespace convscope::ui
