#pragma once
// Any number of names out of a list, on a button with a menu of check marks.

#include <QPushButton>
#include <QStringList>

class QMenu;

namespace convscope::ui {

class ChoiceButton : public QPushButton {
  Q_OBJECT
 public:
  ChoiceButton(const QString& name, const QString& title, QWidget* parent);

  /// `chosen` ones that are not offered are offered too: whoever judges them says what is wrong.
  void offer(const QStringList& offered, const QStringList& chosen);
  QStringList chosen() const;

 signals:
  void edited();

 private:
  void refresh();

  QMenu* menu_ = nullptr;
};

}  // namespace convscope::ui
