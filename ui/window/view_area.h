#pragma once
// The centre of the window: every view in a dock of its own, in tabs at first, that can be dragged out of its tab
// bar to the side of another (splits the area) or out of the window (floats). A view's widget is made when it is first
// shown.

#include <QMainWindow>
#include <QTimer>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ui/model/view_host.h"
#include "ui/window/view_contents.h"

class QDockWidget;
class QStyle;
class QTabBar;

namespace convscope::ui {

class ViewArea : public QMainWindow {
  Q_OBJECT
 public:
  explicit ViewArea(ViewHost& host, QWidget* parent = nullptr);
  ~ViewArea() override;

  /// Opens a view if it was closed, and brings it to the front; does nothing for an unknown id.
  void show_view(const QString& id);
  /// The view that was worked in last.
  QString current_view() const;
  /// Views that can be seen now: the front tab of each pane, and those that float.
  QStringList visible_views() const;
  /// Tabs say what is the case now, e.g. which views have nothing to show.
  bool titles_settled() const { return contents_.settled() && !titles_.isActive(); }

  /// The current view in a pane of its own, beside or below the tabs that it was among; beside or below all others if
  /// it was alone.
  void split(Qt::Orientation direction);
  /// The current view to the tabs of the next pane.
  void move_to_next_pane();
  void toggle_floating();
  void close_current();
  /// What the current view shows and how it is read, beside it.
  void explain_current();
  /// All views in one row of tabs, in their usual order.
  void join();
  /// The view `step` further in the usual order, of those that are open.
  void step_view(int step);

  /// Panes, tabs, floating windows and the current view, as text.
  QString state() const;
  /// False, with nothing changed, if the text is no state.
  bool restore(const QString& state);
  /// What is seen of each view's pictures, by names for a session; views without such a thing are left out.
  std::map<std::string, std::string> positions() const;
  /// Names that are no view's, and what a view does not understand, change nothing.
  void restore_positions(const std::map<std::string, std::string>& positions);

 protected:
  /// On the title of a pane with a single view.
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QDockWidget* add_view(const ViewEntry& entry);
  /// The view's widget, if it isn't there yet.
  void make_view(const QDockWidget& dock);
  QDockWidget* dock(const QString& id) const;
  QDockWidget* current() const;
  void refresh_titles();
  void refresh_tab(QTabBar& bar, int tab) const;
  void remember_current(QWidget* focused);
  void remember_clicked(int tab);
  bool has_other_pane() const;
  QDockWidget* dock_of_tab(const QTabBar& bar, int tab) const;
  void show_tab_menu(QPoint point);
  /// What can be done with a view's place; the menu deletes itself.
  void show_place_menu(const QDockWidget& dock, QPoint where);
  /// Takes a view out of its tabs and puts it beside them; null if it is alone.
  QDockWidget* split_own_pane(QDockWidget& moved, Qt::Orientation direction);
  QDockWidget* split_all(QDockWidget& moved, Qt::Orientation direction);

  ViewHost& host_;
  ViewContents contents_;
  std::vector<QDockWidget*> docks_;  // in the usual order
  QString current_;
  QString last_shown_;
  std::map<QString, QString> wanted_positions_;  // of a session, by id, of views that have not been shown yet
  QTimer titles_;
  std::unique_ptr<QStyle> tab_style_;
};

}  // namespace convscope::ui
