#pragma once
// A line of the sweep's setup: fields side by side, a button that removes it, and what is wrong with it below.

#include <QWidget>

#include "ui/panels/sweep_setup/setup_parts.h"

class QHBoxLayout;
class QLineEdit;

namespace convscope::ui {

class SetupRow : public QWidget {
  Q_OBJECT
 public:
  /// `what` names the line for those who don't see it, e.g. "lanes".
  SetupRow(const ViewHost& host, const QString& name, const QString& what, QWidget* parent);

  /// Empty: nothing is wrong.
  void show_message(const QString& message) { message_->show_message(message); }
  QString message() const { return message_->text(); }

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
  QString what_;
  QHBoxLayout* fields_ = nullptr;
  MessageLabel* message_ = nullptr;
};

}  // namespace convscope::ui
