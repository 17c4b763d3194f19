#include "ui/window/explore_menu.h"

#include <QDockWidget>

#include "ui/document/exploration/exploration.h"
#include "ui/panels/parameters/parameter_panel.h"
#include "ui/panels/sweep_results/sweep_panel.h"
#include "ui/panels/sweep_setup/sweep_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui {
namespace {

void raise_dock(const MainWindow& window) {
  auto* dock = window.findChild<QDockWidget*>("dock-sweep");
  if (dock == nullptr) return;
  dock->show();
  dock->raise();
}

}  // namespace

ExploreMenu::ExploreMenu(Workbench& workbench, MainWindow& window, QWidget* parent)
    : QMenu(tr("E&xplore"), parent), workbench_(workbench), window_(window) {
  setObjectName("explore-menu");
  Exploration& exploration = workbench.exploration();
  connect(add("sweep", tr("&Sweep…"), QKeySequence(Qt::Key_F6)), &QAction::triggered, this, [this] { set_up(); });
  cancel_ = add("cancel-sweep", tr("&Cancel sweep"), QKeySequence(Qt::SHIFT | Qt::Key_F6));
  connect(cancel_, &QAction::triggered, &exploration, &Exploration::cancel_sweep);
  addSeparator();
  open_ = add("open-marked-point", tr("&Open the marked machine"));
  connect(open_, &QAction::triggered, this,
          [&exploration] { exploration.open_point(exploration.state()->look.chosen.back()); });
  compare_ = add("compare-marked-points", tr("Co&mpare the two marked machines"));
  connect(compare_, &QAction::triggered, this, [&exploration] {
    const auto chosen = exploration.state()->look.chosen;
    exploration.compare_points(chosen.front(), chosen.back());
  });
  addSeparator();
  analyze_ = add("what-helps-most", tr("What &helps most"), QKeySequence(Qt::Key_F7));
  connect(analyze_, &QAction::triggered, this, [this] {
    workbench_.exploration().analyze();
    window_.show_view(find_view(ViewRole::sensitivity).id);
  });
  quantize_ = add("quantize", tr("&Quantization"), QKeySequence(Qt::Key_F9));
  connect(quantize_, &QAction::triggered, this, [this] {
    workbench_.exploration().quantize(workbench_.exploration().state()->quantization_wish);
    window_.show_view(find_view(ViewRole::quantization).id);
  });
  add_views();
  for (auto signal : {&Exploration::sweep_changed, &Exploration::look_changed, &Exploration::analysis_changed})
    connect(&exploration, signal, this, &ExploreMenu::refresh);
  connect(&workbench, &Workbench::network_opened, this, &ExploreMenu::refresh);
  connect(&exploration, &Exploration::results_opened, &window, [&window, &exploration] {
    if (!exploration.state()->sweep) return;
    raise_dock(window);
    window.show_view(find_view(ViewRole::sweep).id);
  });
  if (auto* panel = window.findChild<SweepPanel*>()) {
    connect(panel, &SweepPanel::sweep_wanted, this, [this] { set_up(); });
  }
  if (auto* panel = window.findChild<ParameterPanel*>()) {
    connect(panel, &ParameterPanel::sweep_wanted, this, &ExploreMenu::set_up);
  }
  refresh();
}

QAction* ExploreMenu::add(const QString& name, const QString& text, const QKeySequence& shortcut) {
  QAction* action = addAction(text);
  action->setObjectName(name);
  action->setShortcut(shortcut);
  return action;
}

void ExploreMenu::add_views() {
  addSeparator();
  for (const ViewRole role : {ViewRole::sweep, ViewRole::sweep_axes, ViewRole::sensitivity, ViewRole::quantization}) {
    const ViewEntry& entry = find_view(role);
    connect(add(QStringLiteral("explore-%1").arg(entry.id), tr("Show: %1").arg(entry.title)), &QAction::triggered, this,
            [this, view = entry.id] { window_.show_view(view); });
  }
}

void ExploreMenu::refresh() {
  const Exploration& exploration = workbench_.exploration();
  const std::size_t chosen = exploration.state()->look.chosen.size();
  cancel_->setEnabled(exploration.sweeping());
  open_->setEnabled(chosen > 0);
  compare_->setEnabled(chosen == 2);
  analyze_->setEnabled(workbench_.network() != nullptr);
  quantize_->setEnabled(workbench_.network() != nullptr);
}

void ExploreMenu::set_up(int parameter) {
  if (!dialog_) {
    dialog_ = new SweepDialog(workbench_, &window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    if (auto* help = window_.findChild<QAction*>("help")) dialog_->addAction(help);
    connect(dialog_, &SweepDialog::started, &window_, [this] {
      dialog_->hide();  // it would cover what it started; shown again, it is as it was
      raise_dock(window_);
      window_.show_view(find_view(ViewRole::sweep).id);
    });
  }
  if (parameter >= 0) dialog_->vary(parameter);
  dialog_->show();
  dialog_->raise();
  dialog_->activateWindow();
}

}  // namespace convscope::ui
