// The window's part in sessions: what of it is saved, what it asks, what it offers after a crash.

#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include "ui/model/settings.h"
#include "ui/session/autosave.h"
#include "ui/session/session_actions.h"
#include "ui/session/session_keeper.h"
#include "ui/window/labs_menu.h"
#include "ui/window/main_window.h"
#include "ui/window/preset_dialog.h"
#include "ui/window/recent_files.h"
#include "ui/window/view_area.h"

namespace convscope::ui {

MainWindow::~MainWindow() = default;

void MainWindow::build_session_actions() {
  session_ = std::make_unique<SessionKeeper>(workbench_, [this] { return session_state(); });
  session_actions_ = new SessionActions(workbench_, *session_, *this);
  connect(session_.get(), &SessionKeeper::changed, this, &MainWindow::refresh_title);
  connect(session_.get(), &SessionKeeper::opened, this, [this](const session::Session& opened) {
    restore_layout(opened.window);
    views_->restore_positions(opened.window);
    if (auto* labs = findChild<LabsMenu*>("labs-menu")) labs->restore(opened.window);
    if (!session_->path().isEmpty()) recent_->add(session_->path());
  });
  connect(session_.get(), &SessionKeeper::saved, recent_, &RecentFiles::add);
}

std::map<std::string, std::string> MainWindow::session_state() const {
  auto state = layout();
  state.merge(views_->positions());
  if (const auto* labs = findChild<LabsMenu*>("labs-menu")) state.merge(labs->session_state());
  return state;
}

bool MainWindow::keep_sessions() {
  session_actions_->ask_user();
  const QString folder = autosave_folder();
  autosave_ = std::make_unique<Autosave>(*session_, folder);
  return offer_recovery(folder);
}

bool MainWindow::offer_recovery(const QString& folder) {
  for (AbandonedAutosave& each : abandoned_autosaves(folder)) {
    const QString name = each.session.isEmpty() ? tr("an unsaved session") : QFileInfo(each.session).fileName();
    QMessageBox box(QMessageBox::Question, tr("Recover unsaved work"),
                    tr("ConvScope ended before %1 was saved.").arg(name), QMessageBox::NoButton, this);
    box.setInformativeText(tr("There is an automatic copy of %1.").arg(QLocale().toString(each.saved)));
    QPushButton* recover = box.addButton(tr("&Recover"), QMessageBox::AcceptRole);
    QPushButton* drop = box.addButton(tr("&Delete it"), QMessageBox::DestructiveRole);
    box.addButton(tr("&Later"), QMessageBox::RejectRole);
    box.setDefaultButton(recover);
    box.exec();
    if (box.clickedButton() == drop) each.discard();
    if (box.clickedButton() == recover) {
      autosave_->recover(std::move(each));
      return true;
    }
  }
  return false;
}

void MainWindow::save_preset() {
  PresetDialog dialog(*workbench_.target(), workbench_.preset(), this);
  if (dialog.exec() == QDialog::Accepted) {
    workbench_.save_preset(dialog.path(), dialog.name(), dialog.description());
  }
}

void MainWindow::load_preset() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Load a preset"), user_preset_folder(), tr("Presets (*.xml)"));
  if (!path.isEmpty()) workbench_.load_preset(path);
}

}  // namespace convscope::ui
