#pragma once
// Asks once, above the views and in nobody's way, for the sizes that a network file leaves open. The network is open
// with the usual ones meanwhile.

#include <QFrame>
#include <QSet>
#include <QString>

#include "ui/document/workbench.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace convscope::ui {

class InputSizeBar : public QFrame {
  Q_OBJECT
 public:
  explicit InputSizeBar(Workbench& workbench, QWidget* parent = nullptr);

  /// Shows the bar with the sizes that hold now, the first field ready to type in. Does nothing if the open network's
  /// format states all its sizes.
  void ask();

 signals:
  /// Whether `ask` can do anything.
  void available_changed(bool available);

 protected:
  /// Escape keeps the sizes.
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QSpinBox* add_field(QBoxLayout& row, const QString& name, const QString& label, int largest);
  void add_buttons(QBoxLayout& row);
  void opened();
  void show_sizes();
  network::InputSizes wanted() const;
  void refresh_buttons();
  void apply();
  void close_bar();

  Workbench& workbench_;
  QLabel* question_;
  QSpinBox* height_;
  QSpinBox* width_;
  QSpinBox* batch_;
  QPushButton* apply_;
  QPushButton* keep_;
  QString file_;         ///< the question is about
  QSet<QString> asked_;  ///< files whose open images were asked for
  bool asked_for_batch_ = false;
  bool applying_ = false;  ///< what is read now answers the question
};

}  // namespace convscope::ui
