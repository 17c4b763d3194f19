#pragma once
// The window: docks around the views, menus, tool bar, status bar. Everything goes through the workbench.

#include <QMainWindow>
#include <map>
#include <memory>
#include <string>

#include "ui/document/workbench.h"
#include "ui/theme/system_theme.h"
#include "ui/theme/theme_choice.h"

class QDockWidget;
class QLabel;
class QMenu;

namespace convscope::ui {

class InputSizeBar;
class RecentFiles;
class WelcomePage;
class Autosave;
class SessionActions;
class SessionKeeper;
class ViewArea;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(Workbench& workbench, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Brings a view's tab to the front; does nothing for an unknown id.
  void show_view(const QString& id);
  /// Nothing that it shows by itself is still to come: views tell of themselves.
  bool settled() const;
  /// Opens a network, a session or a lab; does nothing else than the workbench with what is no lab.
  void open_file(const QString& path);
  /// Shows things to try to a user who starts the program for the first time.
  void greet();
  /// Takes the theme chosen in an earlier run, or the desktop's, and follows the desktop from now on.
  void follow_desktop_theme();

  /// Places of window, docks and views, as text by name.
  std::map<std::string, std::string> layout() const;
  /// What is missing or not understood stays as it is.
  void restore_layout(const std::map<std::string, std::string>& layout);
  /// The layout, and what is seen of each view: what a session keeps.
  std::map<std::string, std::string> session_state() const;
  /// As the program first starts.
  void reset_layout();
  /// Takes the layout of the user's settings, and leaves it there when the window is closed.
  void remember_layout();

  SessionKeeper& session() { return *session_; }
  SessionActions& session_actions() { return *session_actions_; }
  /// From now on unsaved work is asked about, and saved aside in the folder of autosaves; what a crash left there is
  /// offered: true if that is being opened. Only for a window with a user in front of it.
  bool keep_sessions();

 protected:
  /// A file that is dropped anywhere on the window is opened.
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void build_views();
  void build_docks();
  void build_status_bar();
  QDockWidget* add_dock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);

  void build_menus();
  void build_file_menu();
  void build_edit_menu();
  void build_view_menu();
  void build_layout_menu(QMenu& menu);
  void build_theme_actions(QMenu& menu);
  void build_help_menu();

  void build_session_actions();
  bool offer_recovery(const QString& folder);
  void save_preset();
  void load_preset();
  void ask_for_network();
  void ask_for_results();
  void ask_for_export();
  void ask_for_report();
  void show_about();
  void apply_theme();
  void refresh_title();
  void refresh_status();

  Workbench& workbench_;
  SystemTheme system_theme_;
  ThemeChoice theme_choice_;
  ViewArea* views_ = nullptr;
  QLabel* notice_ = nullptr;  ///< why the figures are not those of the machine on the right
  QLabel* summary_ = nullptr;
  InputSizeBar* input_sizes_ = nullptr;
  WelcomePage* welcome_ = nullptr;
  RecentFiles* recent_ = nullptr;
  std::map<std::string, std::string> first_layout_;
  bool remembers_layout_ = false;
  std::unique_ptr<SessionKeeper> session_;
  std::unique_ptr<Autosave> autosave_;  // after the keeper, which it uses
  SessionActions* session_actions_ = nullptr;
};

}  // namespace convscope::ui
