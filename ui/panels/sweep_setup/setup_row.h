#pragma once
// A line of the sweep's setup: fields side by side, a button that removes it, and what is wrong with it below.

#include <QWidget>

#include "ui/document/workbench.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace convscope::ui {

class SetupRow : public QWidget {
  Q_OBJECT
 public:
  /// `what` names the line for those who don't see it, e.g. "lanes".
  SetupRow(const Workbench& workbench, const QString& name, const QString& what, QWidget* parent);

  /// Empty: nothing is wrong.
  void show_message(const QString& message);
  QString message() const;

 signals:
  void edited();
  void removed();

 protected:
  QHBoxLayout& fields() { return *fields_; }
  /// A field that tells of each edit; `width` in characters, 0: what is left.
  QLineEdit* add_field(const QString& name, const QString& title, const QString& placeholder, int width);
  /// After all fields.
  void add_remove_button();

 private:
  const Workbench& workbench_;
  QString what_;
  QHBoxLayout* fields_ = nullptr;
  QLabel* message_ = nullptr;
};

}  // namespace convscope::ui
