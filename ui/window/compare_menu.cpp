#include "ui/window/compare_menu.h"

#include <QActionGroup>
#include <QInputDialog>

#include "ui/document/baselines.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui {

CompareMenu::CompareMenu(Workbench& workbench, MainWindow& window, QWidget* parent)
    : QMenu(tr("&Compare"), parent), workbench_(workbench) {
  setObjectName("compare-menu");
  pin_ = add("pin-baseline", tr("&Pin this run"), QKeySequence(Qt::CTRL | Qt::Key_B));
  choice_ = addMenu(tr("Compare &with"));
  choice_->setObjectName("compare-with");
  choice_->setToolTipsVisible(true);
  chosen_ = new QActionGroup(this);
  addSeparator();
  rename_ = add("rename-baseline", tr("Re&name baseline…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B));
  remove_ = add("remove-baseline", tr("&Remove baseline"));
  addSeparator();
  QAction* view = add("show-comparison", tr("&Show comparison"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B));
  connect(pin_, &QAction::triggered, &workbench_, &Workbench::pin_baseline);
  connect(rename_, &QAction::triggered, this, &CompareMenu::ask_for_name);
  connect(remove_, &QAction::triggered, this, [this] { workbench_.remove_baseline(workbench_.baselines().chosen); });
  connect(view, &QAction::triggered, &window, [&window] { window.show_view(find_view(ViewRole::comparison).id); });
  connect(&workbench_, &Workbench::baselines_changed, this, &CompareMenu::refresh);
  on_change(workbench_, this, Change::network | Change::results, [this] {
    const auto& run = workbench_.snapshot().compiled;
    pin_->setEnabled(run && run->complete);
  });
  pin_->setEnabled(false);
  refresh();
}

QAction* CompareMenu::add(const QString& name, const QString& text, const QKeySequence& shortcut) {
  QAction* action = addAction(text);
  action->setObjectName(name);
  action->setShortcut(shortcut);
  return action;
}

void CompareMenu::refresh() {
  const PinnedBaseline* chosen = workbench_.baselines().find(workbench_.baselines().chosen);
  rename_->setEnabled(chosen != nullptr);
  remove_->setEnabled(chosen != nullptr);
  remove_->setText(chosen != nullptr ? tr("&Remove baseline “%1”").arg(chosen->record.name) : tr("&Remove baseline"));
  refresh_choice();
}

void CompareMenu::refresh_choice() {
  choice_->clear();
  const auto offer = [this](int id, const QString& text, const QString& obstacle) {
    QAction* action = choice_->addAction(text);
    action->setObjectName(QStringLiteral("compare-with-%1").arg(id));
    action->setCheckable(true);
    action->setChecked(workbench_.baselines().chosen == id);
    action->setEnabled(obstacle.isEmpty());
    action->setToolTip(obstacle);
    chosen_->addAction(action);
    // Queued: choosing makes these actions anew, the one that is being triggered among them.
    connect(
        action, &QAction::triggered, &workbench_, [this, id] { workbench_.compare_with(id); }, Qt::QueuedConnection);
  };
  offer(-1, tr("none"), {});
  for (const PinnedBaseline& each : workbench_.baselines().entries) {
    offer(each.id, each.record.name, workbench_.baseline_obstacle(each.id));
  }
  choice_->setEnabled(!workbench_.baselines().entries.empty());
}

void CompareMenu::ask_for_name() {
  const PinnedBaseline* chosen = workbench_.baselines().find(workbench_.baselines().chosen);
  if (chosen == nullptr) return;
  bool accepted = false;
  const int id = chosen->id;
  const QString name =
      QInputDialog::getText(this, tr("Rename baseline"), tr("Name"), QLineEdit::Normal, chosen->record.name, &accepted);
  if (accepted) workbench_.rename_baseline(id, name);
}

}  // namespace convscope::ui
