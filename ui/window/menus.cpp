#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>

#include "core/base/resources.h"
#include "core/session/session_file.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/help_window.h"
#include "ui/document/exploration/exploration.h"
#include "ui/published_figures/figures_window.h"
#include "ui/session/session_actions.h"
#include "ui/window/compare_menu.h"
#include "ui/window/explore_menu.h"
#include "ui/window/input_size_bar.h"
#include "ui/window/labs_menu.h"
#include "ui/window/main_window.h"
#include "ui/window/recent_files.h"
#include "ui/window/view_area.h"
#include "ui/window/view_list.h"
#include "ui/window/welcome.h"

namespace convscope::ui {
namespace {

/// "face_detection.xml" -> "Face detection".
QString sample_title(const QFileInfo& file) {
  QString title = file.completeBaseName().replace('_', ' ');
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return title;
}

QString file_filter(const catalogue::Catalogue& catalogue) {
  QStringList extensions, filters;
  for (const catalogue::Reader& reader : catalogue.readers) {
    extensions << QString::fromStdString(reader.format.extensions);
    filters << QStringLiteral("%1 (%2)").arg(QString::fromStdString(reader.format.title), extensions.back());
  }
  const QString sessions = QStringLiteral("*") + session::extension;
  extensions << sessions;
  filters << QObject::tr("Sessions (%1)").arg(sessions);
  filters.prepend(QObject::tr("Networks and sessions (%1)").arg(extensions.join(' ')));
  filters << QObject::tr("All files (*)");
  return filters.join(QStringLiteral(";;"));
}

QAction* add_action(QMenu& menu, const QString& name, const QString& text, const QKeySequence& shortcut = {}) {
  QAction* action = menu.addAction(text);
  action->setObjectName(name);
  action->setShortcut(shortcut);
  return action;
}

}  // namespace

void MainWindow::build_menus() {
  build_file_menu();
  build_edit_menu();
  build_view_menu();
  menuBar()->addMenu(new CompareMenu(workbench_, *this, this));
  menuBar()->addMenu(new ExploreMenu(workbench_, *this, this));
  menuBar()->addMenu(new LabsMenu(workbench_, *this, this));
  build_help_menu();
}

void MainWindow::build_file_menu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  connect(add_action(*menu, "open", tr("&Open…"), QKeySequence::Open), &QAction::triggered, this,
          &MainWindow::ask_for_network);
  connect(add_action(*menu, "open-results", tr("Open res&ults…")), &QAction::triggered, this,
          &MainWindow::ask_for_results);
  QMenu* samples = menu->addMenu(tr("Open &sample"));
  samples->setObjectName("samples");
  const QDir folder(QString::fromStdString(sample_path("networks")));
  for (const QFileInfo& file : folder.entryInfoList(QDir::Files, QDir::Name)) {
    QAction* action = add_action(*samples, "sample-" + file.completeBaseName(), sample_title(file));
    connect(action, &QAction::triggered, this, [this, path = file.filePath()] { workbench_.open_network(path); });
  }
  QMenu* recent = menu->addMenu(tr("Open &recent"));
  recent->setObjectName("recent");
  set_up_recent_menu(*recent, *recent_, workbench_);
  menu->addSeparator();
  session_actions_->fill(*menu);
  connect(add_action(*menu, "export-view", tr("&Export view…"), QKeySequence(Qt::CTRL | Qt::Key_E)),
          &QAction::triggered, this, &MainWindow::ask_for_export);
  connect(add_action(*menu, "export-report", tr("&Report as PDF…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)),
          &QAction::triggered, this, &MainWindow::ask_for_report);
  menu->addSeparator();
  connect(add_action(*menu, "quit", tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q)), &QAction::triggered, this,
          &QWidget::close);
}

void MainWindow::build_edit_menu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = workbench_.undo_stack().createUndoAction(this, tr("&Undo"));
  undo->setObjectName("undo");
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = workbench_.undo_stack().createRedoAction(this, tr("&Redo"));
  redo->setObjectName("redo");
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  menu->addActions({undo, redo});
  menu->addSeparator();
  connect(add_action(*menu, "save-preset", tr("&Save preset as…")), &QAction::triggered, this,
          &MainWindow::save_preset);
  connect(add_action(*menu, "load-preset", tr("&Load preset…")), &QAction::triggered, this, &MainWindow::load_preset);
  QAction* input_size =
      add_action(*menu, "input-size", tr("&Input size…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I));
  input_size->setEnabled(workbench_.input_sizes().has_value());
  connect(input_size, &QAction::triggered, input_sizes_, &InputSizeBar::ask);
  connect(input_sizes_, &InputSizeBar::available_changed, input_size, &QAction::setEnabled);
  menu->addSeparator();
  connect(add_action(*menu, "recompile", tr("&Compile again"), QKeySequence(Qt::Key_F5)), &QAction::triggered,
          &workbench_, &Workbench::recompile);
  connect(add_action(*menu, "cancel-work", tr("C&ancel"), QKeySequence(Qt::CTRL | Qt::Key_Period)), &QAction::triggered,
          &workbench_, &Workbench::cancel);
}

void MainWindow::build_view_menu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  int number = 0;
  for (const ViewEntry& entry : view_entries()) {
    const QKeySequence shortcut =
        ++number <= 10 ? QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_0 + number % 10)) : QKeySequence();
    connect(add_action(*menu, "show-" + entry.id, entry.title, shortcut), &QAction::triggered, this,
            [this, id = entry.id] { show_view(id); });
  }
  menu->addSeparator();
  QMenu* panels = menu->addMenu(tr("&Panels"));  // one of them has a view's name
  for (QDockWidget* dock : findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    panels->addAction(dock->toggleViewAction());
  }
  build_layout_menu(*menu);
  menu->addSeparator();
  build_theme_actions(*menu);
}

void MainWindow::build_theme_actions(QMenu& menu) {
  auto* themes = new QActionGroup(this);
  for (const auto& [choice, text] :
       {std::pair(QStringLiteral("system"), tr("Theme of the des&ktop")),
        std::pair(light_theme().name, tr("&Light theme")), std::pair(dark_theme().name, tr("&Dark theme"))}) {
    QAction* action = add_action(menu, "theme-" + choice, text);
    action->setCheckable(true);
    action->setData(choice);
    themes->addAction(action);
  }
  const auto show_choice = [this, themes] {
    for (QAction* action : themes->actions()) action->setChecked(action->data() == theme_choice_.choice());
  };
  show_choice();
  connect(themes, &QActionGroup::triggered, this,
          [this](const QAction* action) { theme_choice_.choose(action->data().toString()); });
  connect(&theme_choice_, &ThemeChoice::choice_changed, themes, show_choice);
}

void MainWindow::build_layout_menu(QMenu& parent) {
  QMenu* menu = parent.addMenu(tr("&Layout"));
  const auto add = [&](const QString& name, const QString& text, const QKeySequence& shortcut, auto act) {
    connect(add_action(*menu, name, text, shortcut), &QAction::triggered, this, act);
  };
  constexpr auto keys = Qt::CTRL | Qt::SHIFT;  // desktops keep Ctrl+Alt with arrows for themselves
  add("split-right", tr("Split: view to the &right"), keys | Qt::Key_Right, [this] { views_->split(Qt::Horizontal); });
  add("split-below", tr("Split: view &below"), keys | Qt::Key_Down, [this] { views_->split(Qt::Vertical); });
  add("move-view", tr("View to the &next pane"), keys | Qt::Key_Left, [this] { views_->move_to_next_pane(); });
  add("float-view", tr("View in its &own window, or back"), keys | Qt::Key_Up, [this] { views_->toggle_floating(); });
  add("join-views", tr("All views in &tabs"), keys | Qt::Key_Home, [this] { views_->join(); });
  menu->addSeparator();
  add("next-view", tr("Ne&xt view"), Qt::CTRL | Qt::Key_PageDown, [this] { views_->step_view(1); });
  add("previous-view", tr("&Previous view"), Qt::CTRL | Qt::Key_PageUp, [this] { views_->step_view(-1); });
  menu->addSeparator();
  add("reset-layout", tr("Re&set layout"), {}, [this] { reset_layout(); });
}

void MainWindow::build_help_menu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  connect(add_action(*menu, "welcome", tr("&Things to try")), &QAction::triggered, welcome_, &WelcomePage::show);
  connect(add_action(*menu, "published-figures", tr("Published &figures…")), &QAction::triggered, this,
          [this] { show_figures_window(workbench_, workbench_.catalogue(), this); });
  connect(add_action(*menu, "command-palette", tr("&Command palette…"), QKeySequence(Qt::CTRL | Qt::Key_K)),
          &QAction::triggered, this, [this] { (new CommandPalette(*this, workbench_))->show(); });
  connect(add_action(*menu, "help", tr("&Keys, views and parameters…"), QKeySequence::HelpContents),
          &QAction::triggered, this, [this] { (new HelpWindow(*this, workbench_, view_entries()))->show(); });
  connect(add_action(*menu, "explain-view", tr("What this &view shows"), QKeySequence(Qt::SHIFT | Qt::Key_F1)),
          &QAction::triggered, this, [this] { views_->explain_current(); });
  connect(add_action(*menu, "about", tr("&About ConvScope")), &QAction::triggered, this, &MainWindow::show_about);
}

void MainWindow::ask_for_network() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open a network"), {}, file_filter(*workbench_.catalogue()));
  if (!path.isEmpty()) open_file(path);
}

void MainWindow::ask_for_results() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open results of a sweep"), {}, tr("Results (*.db);;All files (*)"));
  if (!path.isEmpty()) workbench_.exploration().open_results(path);
}

void MainWindow::show_about() {
  QMessageBox::about(this, tr("About ConvScope"),
                     tr("<b>ConvScope %1</b><p>Maps convolutional networks onto accelerators and shows how and why.</p>"
                        "<p>GPL-3.0-or-later. Built with Qt %2, QCustomPlot, oneTBB, Boost, pugixml and fmt.</p>")
                         .arg(QApplication::applicationVersion(), QLatin1String(qVersion())));
}

}  // namespace convscope::ui
