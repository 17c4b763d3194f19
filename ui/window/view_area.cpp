#include "ui/window/view_area.h"

#include <QApplication>
#include <QDockWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/views/view.h"

namespace convscope::ui {
namespace {

constexpr QSize smallest_view(160, 100);
// Of saveState: raised when docks are renamed, so that states of before are refused.
constexpr int state_version = 1;
constexpr int title_milliseconds = 20;
constexpr QLatin1String dock_prefix("view-dock-");

QString id_of(const QDockWidget& dock) {
  return dock.objectName().mid(dock_prefix.size());
}

QWidget& view_of(const QDockWidget& dock) {
  return *dock.widget()->findChild<QWidget*>("view-" + id_of(dock));
}

/// A view in a row of tabs needs no title of its own: its tab says it already.
void show_title(QDockWidget& dock, bool shown) {
  QWidget* old = dock.titleBarWidget();
  if (shown == (old == nullptr)) return;
  dock.setTitleBarWidget(shown ? nullptr : new QWidget(&dock));
  delete old;
}

}  // namespace

ViewArea::ViewArea(Workbench& workbench, QWidget* parent) : QMainWindow(parent), workbench_(workbench) {
  setWindowFlags(Qt::Widget);
  setObjectName("views");
  setAccessibleName(tr("Views"));
  setDockOptions(AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
  setDocumentMode(true);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  titles_.setSingleShot(true);
  titles_.setInterval(title_milliseconds);
  connect(&titles_, &QTimer::timeout, this, &ViewArea::refresh_titles);
  for (const ViewEntry& entry : view_entries()) docks_.push_back(add_view(entry));
  join();
  show_view(view_entries().front().id);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { remember_current(now); });
}

QDockWidget* ViewArea::add_view(const ViewEntry& entry) {
  auto* dock = new QDockWidget(entry.title, this);
  dock->setObjectName(dock_prefix + entry.id);
  dock->setAccessibleName(entry.title);
  auto* frame = new QWidget(dock);
  frame->setMinimumSize(smallest_view);
  auto* layout = new QVBoxLayout(frame);
  layout->setContentsMargins(0, 0, 0, 0);
  QWidget* view = entry.make_widget(workbench_, frame);
  view->setObjectName("view-" + entry.id);
  view->setAccessibleName(entry.title);
  layout->addWidget(view);
  dock->setWidget(frame);
  view->hide();
  // A tab that is not in front is moved out of sight but stays visible to Qt: hidden, it does no work.
  connect(dock, &QDockWidget::visibilityChanged, view, &QWidget::setVisible);
  connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool visible) {
    if (visible) last_shown_ = id_of(*dock);
    titles_.start();
  });
  connect(dock, &QDockWidget::topLevelChanged, this, [dock, this](bool floating) {
    if (floating) show_title(*dock, true);
    titles_.start();
  });
  connect(dock, &QDockWidget::dockLocationChanged, this, [this] { titles_.start(); });
  return dock;
}

QDockWidget* ViewArea::dock(const QString& id) const {
  const auto found = std::find_if(docks_.begin(), docks_.end(), [&](const auto* each) { return id_of(*each) == id; });
  return found == docks_.end() ? nullptr : *found;
}

QDockWidget* ViewArea::current() const {
  return dock(current_);
}

QString ViewArea::current_view() const {
  return current_;
}

QStringList ViewArea::visible_views() const {
  QStringList result;
  for (const QDockWidget* each : docks_) {
    if (view_of(*each).isVisible()) result << id_of(*each);
  }
  return result;
}

void ViewArea::show_view(const QString& id) {
  QDockWidget* shown = dock(id);
  if (shown == nullptr) return;
  shown->show();
  shown->raise();
  if (shown->isFloating()) shown->activateWindow();
  current_ = id;
  if (isVisible()) view_of(*shown).setFocus();
}

void ViewArea::split(Qt::Orientation direction) {
  QDockWidget* moved = current();
  if (moved == nullptr || moved->isHidden()) return;
  const QString id = current_;
  moved->setFloating(false);
  removeDockWidget(moved);
  addDockWidget(Qt::LeftDockWidgetArea, moved, direction);
  show_view(id);
  const auto other = std::find_if(docks_.begin(), docks_.end(), [&](const auto* each) {
    return each != moved && !each->isFloating() && !each->isHidden() && !each->visibleRegion().isEmpty();
  });
  if (other == docks_.end()) return;
  // Only once the layout knows the new pane can it be given its half.
  QTimer::singleShot(0, this, [this, beside = *other, moved, direction] {
    const int half = (direction == Qt::Horizontal ? width() : height()) / 2;
    resizeDocks({beside, moved}, {half, half}, direction);
  });
}

void ViewArea::move_to_next_pane() {
  QDockWidget* moved = current();
  if (moved == nullptr) return;
  const QString id = current_;
  const QList<QDockWidget*> together = tabifiedDockWidgets(moved);
  const auto position = std::find(docks_.begin(), docks_.end(), moved) - docks_.begin();
  for (std::size_t step = 1; step < docks_.size(); ++step) {
    QDockWidget* other = docks_[(static_cast<std::size_t>(position) + step) % docks_.size()];
    if (together.contains(other) || other->isFloating() || other->isHidden()) continue;
    tabifyDockWidget(other, moved);
    return show_view(id);
  }
}

void ViewArea::toggle_floating() {
  QDockWidget* moved = current();
  if (moved == nullptr) return;
  const QString id = current_;
  show_title(*moved, true);
  moved->setFloating(!moved->isFloating());
  show_view(id);
}

void ViewArea::join() {
  const QString id = current_;
  for (QDockWidget* each : docks_) {
    each->setFloating(false);
    removeDockWidget(each);
  }
  addDockWidget(Qt::LeftDockWidgetArea, docks_.front());
  docks_.front()->show();
  for (std::size_t index = 1; index < docks_.size(); ++index) {
    addDockWidget(Qt::LeftDockWidgetArea, docks_[index]);
    tabifyDockWidget(docks_[index - 1], docks_[index]);
    docks_[index]->show();
  }
  show_view(id);
}

void ViewArea::step_view(int step) {
  const auto count = static_cast<int>(docks_.size());
  const QDockWidget* from = current();
  int at = static_cast<int>(std::find(docks_.begin(), docks_.end(), from) - docks_.begin());
  for (int tried = 0; tried < count; ++tried) {
    at = ((at + step) % count + count) % count;
    const QDockWidget& next = *docks_[static_cast<std::size_t>(at)];
    if (!next.isHidden()) return show_view(id_of(next));
  }
}

QString ViewArea::state() const {
  return current_ + ' ' + QString::fromLatin1(saveState(state_version).toBase64());
}

bool ViewArea::restore(const QString& state) {
  const QString id = state.section(' ', 0, 0);
  const auto bytes = QByteArray::fromBase64(state.section(' ', 1).toLatin1());
  if (bytes.isEmpty() || dock(id) == nullptr) return false;
  const QString before = this->state();
  if (!restoreState(bytes, state_version)) return false;
  const bool any = std::any_of(docks_.begin(), docks_.end(), [](const auto* each) { return !each->isHidden(); });
  if (!any) {
    restore(before);
    return false;
  }
  if (!dock(id)->isHidden()) show_view(id);
  titles_.start();
  return true;
}

void ViewArea::remember_current(QWidget* focused) {
  for (QWidget* each = focused; each != nullptr; each = each->parentWidget()) {
    if (auto* found = qobject_cast<QDockWidget*>(each); found != nullptr && dock(id_of(*found)) == found) {
      current_ = id_of(*found);
    }
  }
}

void ViewArea::remember_clicked(int tab) {
  const auto* bar = qobject_cast<QTabBar*>(sender());
  if (bar == nullptr || tab < 0) return;
  for (const QDockWidget* each : docks_) {
    if (each->windowTitle() == bar->tabText(tab)) current_ = id_of(*each);
  }
}

void ViewArea::refresh_titles() {
  // A title that changes under the hand would end the drag.
  if (QApplication::mouseButtons() != Qt::NoButton) return titles_.start();
  for (QDockWidget* each : docks_) show_title(*each, each->isFloating() || tabifiedDockWidgets(each).isEmpty());
  // The current view was closed, or another tab came before it.
  const QDockWidget *now = current(), *shown = dock(last_shown_);
  if ((now == nullptr || !view_of(*now).isVisible()) && shown != nullptr && view_of(*shown).isVisible()) {
    current_ = last_shown_;
  }
  for (QTabBar* bar : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
    bar->setAccessibleName(tr("Views of this pane"));
    bar->setElideMode(Qt::ElideNone);
    bar->setUsesScrollButtons(true);
    connect(bar, &QTabBar::tabBarClicked, this, &ViewArea::remember_clicked, Qt::UniqueConnection);
  }
}

}  // namespace convscope::ui
