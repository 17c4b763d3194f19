#pragma once
// The window: docks around the views, menus, tool bar, status bar. Everything goes through the workbench.

#include <QMainWindow>

#include "ui/workbench.h"

class QDockWidget;
class QLabel;
class QTabWidget;

namespace convscope::ui {

class InputSizeBar;
class RecentFiles;
class WelcomePage;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(Workbench& workbench, QWidget* parent = nullptr);

  /// Brings a view's tab to the front; does nothing for an unknown id.
  void show_view(const QString& id);
  /// Shows three things to try to a user who starts the program for the first time.
  void greet();

 protected:
  /// A file that is dropped anywhere on the window is opened.
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build_views();
  void build_docks();
  void build_status_bar();
  QDockWidget* add_dock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);

  void build_menus();
  void build_file_menu();
  void build_edit_menu();
  void build_view_menu();
  void build_help_menu();

  void ask_for_network();
  void show_about();
  void apply_theme();
  void refresh_title();
  void refresh_status();

  Workbench& workbench_;
  QTabWidget* tabs_ = nullptr;
  QLabel* notice_ = nullptr;  ///< why the figures are not those of the machine on the right
  QLabel* summary_ = nullptr;
  InputSizeBar* input_sizes_ = nullptr;
  WelcomePage* welcome_ = nullptr;
  RecentFiles* recent_ = nullptr;
};

}  // namespace convscope::ui
