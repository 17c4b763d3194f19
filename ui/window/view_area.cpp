#include "ui/window/view_area.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenu>
#include <QProxyStyle>
#include <QTabBar>
#include <QVBoxLayout>
#include <QWhatsThis>
#include <algorithm>

#include "ui/model/view.h"
#include "ui/model/view_position.h"
#include "ui/window/view_list.h"

namespace convscope::ui {
namespace {

constexpr QSize smallest_view(160, 100);
// Of saveState: raised when docks are renamed, so that states of before are refused.
constexpr int state_version = 1;
constexpr int title_milliseconds = 20;
constexpr QLatin1String dock_prefix("view-dock-");
const std::string position_prefix = "position:";
constexpr QLatin1Char position_separator('|');

QString id_of(const QDockWidget& dock) {
  return dock.objectName().mid(dock_prefix.size());
}

/// Null until it has been shown for the first time.
QWidget* view_of(const QDockWidget& dock) {
  return dock.widget()->findChild<QWidget*>("view-" + id_of(dock));
}

bool is_seen(const QDockWidget& dock) {
  const QWidget* view = view_of(dock);
  return view != nullptr && view->isVisible();
}

/// All views' names are to be seen at once.
class NarrowTabs : public QProxyStyle {
 public:
  NarrowTabs() : QProxyStyle(QStringLiteral("Fusion")) {}
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    constexpr int around_name = 12;
    return metric == PM_TabBarTabHSpace ? around_name : QProxyStyle::pixelMetric(metric, option, widget);
  }
};

/// The view itself or those in it, in the order in which they were made.
std::vector<ViewPosition*> pictures_of(QWidget& view) {
  if (auto* picture = dynamic_cast<ViewPosition*>(&view)) return {picture};
  std::vector<ViewPosition*> pictures;
  for (QWidget* each : view.findChildren<QWidget*>()) {
    if (auto* picture = dynamic_cast<ViewPosition*>(each)) pictures.push_back(picture);
  }
  return pictures;
}

QString position_of(QWidget& view) {
  QStringList parts;
  for (const ViewPosition* part : pictures_of(view)) parts << part->position();
  return parts.join(QString()).isEmpty() ? QString() : parts.join(position_separator);
}

void restore_position(QWidget& view, const QString& position) {
  const QStringList parts = position.split(position_separator);
  const auto pictures = pictures_of(view);
  for (std::size_t part = 0; part < pictures.size() && static_cast<qsizetype>(part) < parts.size(); ++part)
    pictures[part]->restore_position(parts[static_cast<qsizetype>(part)]);
}

/// A view in a row of tabs needs no title of its own: its tab says it already.
void show_title(QDockWidget& dock, bool shown) {
  QWidget* old = dock.titleBarWidget();
  if (shown == (old == nullptr)) return;
  dock.setTitleBarWidget(shown ? nullptr : new QWidget(&dock));
  delete old;
}

}  // namespace

ViewArea::ViewArea(ViewHost& host, QWidget* parent)
    : QMainWindow(parent), host_(host), contents_(host, view_entries(), this), tab_style_(new NarrowTabs) {
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
  connect(&contents_, &ViewContents::answers_changed, &titles_, qOverload<>(&QTimer::start));
  connect(&host, &ViewHost::changed, &titles_, [this](Changes what) {
    if (what.testFlag(Change::theme)) titles_.start();
  });
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { remember_current(now); });
}

ViewArea::~ViewArea() {
  // The style goes before the tab bars do, which are children.
  for (QTabBar* bar : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) bar->setStyle(nullptr);
}

QDockWidget* ViewArea::add_view(const ViewEntry& entry) {
  auto* dock = new QDockWidget(entry.title, this);
  dock->setObjectName(dock_prefix + entry.id);
  dock->setAccessibleName(entry.title);
  dock->setWhatsThis(QStringLiteral("<p><b>%1</b></p><p>%2</p>").arg(entry.title, entry.help.toHtmlEscaped()));
  auto* frame = new QWidget(dock);
  frame->setMinimumSize(smallest_view);
  auto* layout = new QVBoxLayout(frame);
  layout->setContentsMargins(0, 0, 0, 0);
  dock->setWidget(frame);
  connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool visible) {
    if (visible) make_view(*dock);
    // A tab that is not in front is moved out of sight but stays visible to Qt: hidden, it does no work.
    if (QWidget* view = view_of(*dock)) view->setVisible(visible);
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

void ViewArea::make_view(const QDockWidget& dock) {
  if (view_of(dock) != nullptr) return;
  const QString id = id_of(dock);
  const ViewEntry& entry = *find_view(id);
  QWidget* view = entry.make_widget(host_, dock.widget());
  view->setObjectName("view-" + id);
  view->setAccessibleName(entry.title);
  view->hide();
  dock.widget()->layout()->addWidget(view);
  if (const auto wanted = wanted_positions_.find(id); wanted != wanted_positions_.end()) {
    restore_position(*view, wanted->second);
    wanted_positions_.erase(wanted);
  }
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
    if (is_seen(*each)) result << id_of(*each);
  }
  return result;
}

void ViewArea::show_view(const QString& id) {
  QDockWidget* shown = dock(id);
  if (shown == nullptr) return;
  make_view(*shown);
  shown->show();
  shown->raise();
  if (shown->isFloating()) shown->activateWindow();
  current_ = id;
  if (isVisible()) view_of(*shown)->setFocus();
}

void ViewArea::split(Qt::Orientation direction) {
  QDockWidget* moved = current();
  if (moved == nullptr || moved->isHidden()) return;
  const QString id = current_;
  moved->setFloating(false);
  QDockWidget* beside = split_own_pane(*moved, direction);
  const bool own = beside != nullptr;
  if (!own) beside = split_all(*moved, direction);
  show_view(id);
  if (beside == nullptr) return;
  const QSize whole = own ? beside->size() : size();
  // Only once the layout knows the new pane can it be given its half.
  QTimer::singleShot(0, this, [this, beside, moved, direction, whole] {
    const int half = (direction == Qt::Horizontal ? whole.width() : whole.height()) / 2;
    resizeDocks({beside, moved}, {half, half}, direction);
  });
}

QDockWidget* ViewArea::split_own_pane(QDockWidget& moved, Qt::Orientation direction) {
  const QList<QDockWidget*> others = tabifiedDockWidgets(&moved);
  if (others.isEmpty()) return nullptr;
  // The tab after it comes to the front, the one before it if it was the last.
  const auto position = std::find(docks_.begin(), docks_.end(), &moved);
  const auto together = [&](QDockWidget* each) { return others.contains(each); };
  auto next = std::find_if(position, docks_.end(), together);
  if (next == docks_.end()) next = std::find_if(docks_.rbegin(), docks_.rend(), together).base() - 1;
  QDockWidget* front = *next;
  QDockWidget* kept = *std::find_if(docks_.begin(), docks_.end(), together);  // tabs stay in their usual order
  // Qt splits a pane only where it has a single view: the other tabs step aside and come back.
  for (QDockWidget* each : others) {
    if (each != kept) removeDockWidget(each);
  }
  removeDockWidget(&moved);
  splitDockWidget(kept, &moved, direction);
  moved.show();
  for (QDockWidget* each : docks_) {
    if (each == kept || !others.contains(each)) continue;
    tabifyDockWidget(kept, each);
    each->show();
  }
  front->raise();
  return front;
}

QDockWidget* ViewArea::split_all(QDockWidget& moved, Qt::Orientation direction) {
  removeDockWidget(&moved);
  addDockWidget(Qt::LeftDockWidgetArea, &moved, direction);
  moved.show();
  const auto other = std::find_if(docks_.begin(), docks_.end(), [&](const auto* each) {
    return each != &moved && !each->isFloating() && !each->isHidden() && !each->visibleRegion().isEmpty();
  });
  return other == docks_.end() ? nullptr : *other;
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

void ViewArea::explain_current() {
  const QDockWidget* shown = current();
  if (shown != nullptr && !shown->isHidden())
    QWhatsThis::showText(shown->mapToGlobal(QPoint(shown->width() / 4, 40)), shown->whatsThis());
}

void ViewArea::close_current() {
  if (QDockWidget* closed = current()) closed->close();
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

std::map<std::string, std::string> ViewArea::positions() const {
  std::map<std::string, std::string> positions;
  for (const QDockWidget* each : docks_) {
    QWidget* view = view_of(*each);
    const auto wanted = wanted_positions_.find(id_of(*each));
    const QString waiting = wanted == wanted_positions_.end() ? QString() : wanted->second;
    const QString position = view != nullptr ? position_of(*view) : waiting;
    if (!position.isEmpty()) positions[position_prefix + id_of(*each).toStdString()] = position.toStdString();
  }
  return positions;
}

void ViewArea::restore_positions(const std::map<std::string, std::string>& positions) {
  for (const QDockWidget* each : docks_) {
    const auto found = positions.find(position_prefix + id_of(*each).toStdString());
    if (found == positions.end()) continue;
    const QString position = QString::fromStdString(found->second);
    if (QWidget* view = view_of(*each))
      restore_position(*view, position);
    else
      wanted_positions_[id_of(*each)] = position;
  }
}

void ViewArea::remember_current(QWidget* focused) {
  for (QWidget* each = focused; each != nullptr; each = each->parentWidget()) {
    if (auto* found = qobject_cast<QDockWidget*>(each); found != nullptr && dock(id_of(*found)) == found) {
      current_ = id_of(*found);
    }
  }
}

QDockWidget* ViewArea::dock_of_tab(const QTabBar& bar, int tab) const {
  const auto found = std::find_if(docks_.begin(), docks_.end(), [&](const auto* each) {
    return tab >= 0 && each->windowTitle() == bar.tabText(tab);
  });
  return found == docks_.end() ? nullptr : *found;
}

void ViewArea::remember_clicked(int tab) {
  const auto* bar = qobject_cast<QTabBar*>(sender());
  const QDockWidget* clicked = bar == nullptr ? nullptr : dock_of_tab(*bar, tab);
  if (clicked != nullptr) current_ = id_of(*clicked);
}

void ViewArea::show_tab_menu(QPoint point) {
  const auto* bar = qobject_cast<QTabBar*>(sender());
  const QDockWidget* clicked = bar == nullptr ? nullptr : dock_of_tab(*bar, bar->tabAt(point));
  if (clicked != nullptr) show_place_menu(*clicked, bar->mapToGlobal(point));
}

void ViewArea::contextMenuEvent(QContextMenuEvent* event) {
  const auto under = std::find_if(docks_.begin(), docks_.end(), [&](const auto* each) {
    return !each->isFloating() && each->isVisible() && each->geometry().contains(event->pos());
  });
  if (under != docks_.end()) show_place_menu(**under, event->globalPos());
  event->accept();  // the main window's list of panels is no answer here
}

void ViewArea::show_place_menu(const QDockWidget& dock, QPoint where) {
  show_view(id_of(dock));
  auto* menu = new QMenu(this);
  menu->setObjectName("view-place");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const char* name, const QString& text, auto what) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QLatin1String("place-") + QLatin1String(name));
    connect(action, &QAction::triggered, this, what);
    return action;
  };
  add("split-right", tr("Split &right"), [this] { split(Qt::Horizontal); });
  add("split-below", tr("Split &below"), [this] { split(Qt::Vertical); });
  add("next-pane", tr("To the &next pane"), &ViewArea::move_to_next_pane)->setEnabled(has_other_pane());
  add("float", dock.isFloating() ? tr("&Dock") : tr("&Float"), &ViewArea::toggle_floating);
  menu->addSeparator();
  add("join", tr("All views in &one row of tabs"), &ViewArea::join);
  add("close", tr("&Close"), &ViewArea::close_current);
  menu->popup(where);
}

bool ViewArea::has_other_pane() const {
  QDockWidget* now = current();
  const QList<QDockWidget*> together = now == nullptr ? QList<QDockWidget*>{} : tabifiedDockWidgets(now);
  return std::any_of(docks_.begin(), docks_.end(), [&](auto* each) {
    return each != now && !together.contains(each) && !each->isFloating() && !each->isHidden();
  });
}

void ViewArea::refresh_titles() {
  // A title that changes under the hand would end the drag.
  if (QApplication::mouseButtons() != Qt::NoButton) return titles_.start();
  for (QDockWidget* each : docks_) show_title(*each, each->isFloating() || tabifiedDockWidgets(each).isEmpty());
  // The current view was closed, or another tab came before it.
  const QDockWidget *now = current(), *shown = dock(last_shown_);
  if ((now == nullptr || !is_seen(*now)) && shown != nullptr && is_seen(*shown)) current_ = last_shown_;
  for (QTabBar* bar : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
    bar->setAccessibleName(tr("Views of this pane"));
    bar->setElideMode(Qt::ElideNone);
    bar->setUsesScrollButtons(true);
    if (bar->style() != tab_style_.get()) bar->setStyle(tab_style_.get());
    bar->setContextMenuPolicy(Qt::CustomContextMenu);
    for (int tab = 0; tab < bar->count(); ++tab) refresh_tab(*bar, tab);
    connect(bar, &QTabBar::tabBarClicked, this, &ViewArea::remember_clicked, Qt::UniqueConnection);
    connect(bar, &QWidget::customContextMenuRequested, this, &ViewArea::show_tab_menu, Qt::UniqueConnection);
  }
}

/// A view that has nothing to show steps back: it keeps its place, where people look for it, in a muted colour.
void ViewArea::refresh_tab(QTabBar& bar, int tab) const {
  const QDockWidget* view = dock_of_tab(bar, tab);
  if (view == nullptr) return;
  const bool shows = contents_.has_content(*find_view(id_of(*view)));
  const QString nothing = QStringLiteral("<p><i>%1</i></p>").arg(tr("Nothing to show at the moment."));
  bar.setTabToolTip(tab, shows ? view->whatsThis() : view->whatsThis() + nothing);
  bar.setTabTextColor(tab, shows ? QColor() : host_.theme().muted_text);
}

}  // namespace convscope::ui
