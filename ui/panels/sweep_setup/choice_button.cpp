#include "ui/panels/sweep_setup/choice_button.h"

#include <QMenu>

namespace convscope::ui {
namespace {

/// Stays open while one checks several.
class CheckMenu : public QMenu {
 public:
  using QMenu::QMenu;

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override {
    QAction* action = activeAction();
    if (action == nullptr || !action->isCheckable()) return QMenu::mouseReleaseEvent(event);
    action->trigger();
  }
};

}  // namespace

ChoiceButton::ChoiceButton(const QString& name, const QString& title, QWidget* parent)
    : QPushButton(parent), menu_(new CheckMenu(this)) {
  setObjectName(name);
  setAccessibleName(title);
  setToolTip(title);
  setMenu(menu_);
  refresh();
}

void ChoiceButton::offer(const QStringList& offered, const QStringList& chosen) {
  menu_->clear();
  QStringList names = offered;
  for (const QString& each : chosen) {
    if (!names.contains(each)) names << each;
  }
  for (const QString& each : names) {
    QAction* action = menu_->addAction(each);
    action->setObjectName(objectName() + '-' + each);
    action->setCheckable(true);
    action->setChecked(chosen.contains(each));
    connect(action, &QAction::toggled, this, [this] {
      refresh();
      emit edited();
    });
  }
  refresh();
}

QStringList ChoiceButton::chosen() const {
  QStringList names;
  for (const QAction* action : menu_->actions()) {
    if (action->isChecked()) names << action->text();
  }
  return names;
}

void ChoiceButton::refresh() {
  setText(chosen().isEmpty() ? tr("the usual one") : chosen().join(QStringLiteral(", ")));
}

}  // namespace convscope::ui
