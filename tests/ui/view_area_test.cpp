// Views in tabs that split and float.

#include "ui/window/view_area.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QRegularExpression>
#include <QTabBar>
#include <QTest>
#include <QWhatsThis>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

class ViewAreaTest : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    area = window.findChild<ViewArea*>("views");
    ASSERT_NE(area, nullptr);
    ASSERT_TRUE(sees({"network-graph"}));
  }
  bool sees(const QStringList& ids) {
    const bool seen = QTest::qWaitFor([&] { return area->visible_views() == ids; }, 10000);
    EXPECT_TRUE(seen) << "sees " << area->visible_views().join(' ').toStdString();
    return seen;
  }
  void trigger(const QString& action) { window.findChild<QAction*>(action)->trigger(); }
  QDockWidget& dock(const QString& id) { return *area->findChild<QDockWidget*>("view-dock-" + id); }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
  ViewArea* area = nullptr;
};

TEST_F(ViewAreaTest, OnlyTheTabInFrontDoesWork) {
  for (const ViewEntry& entry : view_entries()) {
    window.show_view(entry.id);
    EXPECT_TRUE(sees({entry.id})) << entry.id.toStdString();
    EXPECT_EQ(area->current_view(), entry.id);
  }
  window.show_view("no-such-view");
  EXPECT_TRUE(sees({view_entries().back().id}));
}

TEST_F(ViewAreaTest, TabsAreClicked) {
  const auto bars = area->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly);
  ASSERT_EQ(bars.size(), 1);
  ASSERT_EQ(bars[0]->count(), static_cast<int>(view_entries().size()));
  ASSERT_TRUE(wait_until([&] { return !bars[0]->accessibleName().isEmpty(); }));
  for (const int tab : {3, 1}) {
    QTest::mouseClick(bars[0], Qt::LeftButton, {}, bars[0]->tabRect(tab).center());
    EXPECT_TRUE(sees({view_entries()[static_cast<std::size_t>(tab)].id}));
    EXPECT_EQ(area->current_view(), view_entries()[static_cast<std::size_t>(tab)].id);
  }
}

TEST_F(ViewAreaTest, SplitsBesideAndBelow) {
  window.show_view("schedule");
  trigger("split-right");
  // The tab after it comes to the front of the pane that it left.
  ASSERT_TRUE(sees({"schedule", "task-graph"}));
  EXPECT_GE(dock("schedule").x(), dock("task-graph").geometry().right());
  EXPECT_TRUE(wait_until([&] { return dock("schedule").width() > area->width() / 3; }));
  window.show_view("traffic");
  trigger("split-below");
  ASSERT_TRUE(wait_until([&] { return area->visible_views().size() == 3; }));
  EXPECT_TRUE(area->visible_views().contains("traffic"));
  // Below the tabs that it was among, beside the other pane.
  const QString above = area->visible_views().filter(QRegularExpression("^(?!schedule|traffic)")).value(0);
  ASSERT_FALSE(above.isEmpty());
  EXPECT_GE(dock("traffic").y(), dock(above).geometry().bottom());
  EXPECT_LE(dock("traffic").geometry().right(), dock("schedule").x());
  EXPECT_TRUE(wait_until([&] { return dock("traffic").height() > area->height() / 3; }));
  for (const ViewEntry& entry : view_entries()) EXPECT_FALSE(dock(entry.id).isHidden()) << entry.id.toStdString();
  trigger("join-views");
  EXPECT_TRUE(sees({"traffic"}));
}

TEST_F(ViewAreaTest, MovesToTheNextPane) {
  window.show_view("schedule");
  trigger("split-right");
  ASSERT_TRUE(sees({"schedule", "task-graph"}));
  window.show_view("memory");
  trigger("move-view");
  ASSERT_TRUE(wait_until([&] { return area->visible_views().contains("memory"); }));
  EXPECT_TRUE(wait_until([&] { return !area->visible_views().contains("schedule"); }));
  EXPECT_EQ(area->visible_views().size(), 2);
  EXPECT_EQ(area->current_view(), "memory");
}

TEST_F(ViewAreaTest, FloatsAndComesBack) {
  window.show_view("memory");
  trigger("float-view");
  ASSERT_TRUE(wait_until([&] { return dock("memory").isFloating(); }));
  EXPECT_TRUE(wait_until([&] { return area->visible_views().contains("memory"); }));
  EXPECT_TRUE(dock("memory").isWindow());
  trigger("float-view");
  EXPECT_FALSE(dock("memory").isFloating());
  EXPECT_TRUE(sees({"memory"}));
}

TEST_F(ViewAreaTest, AViewAloneInItsPaneGoesBesideAllOthers) {
  window.show_view("schedule");
  trigger("split-right");
  ASSERT_TRUE(sees({"schedule", "task-graph"}));
  window.show_view("schedule");
  trigger("split-below");
  EXPECT_TRUE(wait_until([&] { return dock("schedule").y() >= dock("task-graph").geometry().bottom(); }));
}

TEST_F(ViewAreaTest, TabsHaveAMenuForTheirPlace) {
  auto* bar = area->findChild<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
  ASSERT_TRUE(wait_until([&] { return bar->contextMenuPolicy() == Qt::CustomContextMenu; }));
  const auto choose = [&](const QString& view, const char* action) {
    QTabBar* holder = nullptr;
    int tab = -1;
    for (QTabBar* each : area->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
      for (int at = 0; at < each->count(); ++at) {
        if (each->isVisible() && each->tabText(at) == view) holder = each, tab = at;
      }
    }
    ASSERT_NE(holder, nullptr) << view.toStdString();
    ASSERT_TRUE(wait_until([&] { return holder->contextMenuPolicy() == Qt::CustomContextMenu; }));
    emit holder->customContextMenuRequested(holder->tabRect(tab).center());
    auto* menu = area->findChild<QMenu*>("view-place");
    ASSERT_NE(menu, nullptr);
    menu->findChild<QAction*>(QLatin1String("place-") + QLatin1String(action))->trigger();
    menu->close();
    QCoreApplication::sendPostedEvents(menu, QEvent::DeferredDelete);
  };
  choose("Memory", "split-right");
  EXPECT_TRUE(wait_until([&] { return area->visible_views().size() == 2; }));
  EXPECT_TRUE(area->visible_views().contains("memory"));
  choose("Traffic", "split-below");
  EXPECT_TRUE(wait_until([&] { return area->visible_views().size() == 3; }));
  choose("Roofline", "float");
  EXPECT_TRUE(wait_until([&] { return dock("roofline").isFloating(); }));
  choose("Program", "close");
  EXPECT_TRUE(wait_until([&] { return dock("program").isHidden(); }));
  choose("Schedule", "next-pane");
  EXPECT_TRUE(area->visible_views().contains("schedule"));
  EXPECT_EQ(area->current_view(), "schedule");
  const QString state = area->state();
  choose("Network", "join");
  EXPECT_TRUE(wait_until([&] { return area->visible_views().size() == 1; }));
  EXPECT_FALSE(dock("program").isHidden());
  ASSERT_TRUE(area->restore(state));
  EXPECT_TRUE(dock("program").isHidden());
  EXPECT_TRUE(dock("roofline").isFloating());
}

TEST_F(ViewAreaTest, TabsAndKeysTellWhatAViewShows) {
  auto* bar = area->findChild<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
  ASSERT_TRUE(wait_until([&] { return bar->contextMenuPolicy() == Qt::CustomContextMenu; }));
  for (int tab = 0; tab < bar->count(); ++tab) {
    const auto& entry = view_entries()[static_cast<std::size_t>(tab)];
    EXPECT_TRUE(bar->tabToolTip(tab).contains(entry.help.toHtmlEscaped())) << entry.id.toStdString();
  }
  window.show_view("roofline");
  trigger("explain-view");
  const auto explained = [] {
    for (const QWidget* each : QApplication::topLevelWidgets()) {
      if (QLatin1String(each->metaObject()->className()) == QLatin1String("QWhatsThat") && each->isVisible())
        return true;
    }
    return false;
  };
  EXPECT_TRUE(wait_until(explained));
  QWhatsThis::hideText();
}

TEST_F(ViewAreaTest, AClosedViewComesBackWhenItIsShown) {
  window.show_view("traffic");
  dock("traffic").close();
  EXPECT_TRUE(wait_until([&] { return !area->visible_views().contains("traffic"); }));
  window.show_view("traffic");
  EXPECT_TRUE(sees({"traffic"}));
}

TEST_F(ViewAreaTest, StepsThroughTheViews) {
  trigger("next-view");
  EXPECT_TRUE(sees({view_entries()[1].id}));
  trigger("previous-view");
  trigger("previous-view");
  EXPECT_TRUE(sees({view_entries().back().id}));
}

TEST_F(ViewAreaTest, LayoutsAreRestoredAndReset) {
  window.show_view("schedule");
  trigger("split-right");
  window.show_view("program");
  trigger("float-view");
  ASSERT_TRUE(wait_until([&] { return area->visible_views().size() == 3; }));
  const QStringList visible = area->visible_views();
  EXPECT_TRUE(visible.contains("schedule") && visible.contains("program"));
  auto* machine = window.findChild<QDockWidget*>("dock-machine");
  machine->close();
  const auto layout = window.layout();

  trigger("reset-layout");
  EXPECT_TRUE(wait_until([&] { return area->visible_views().size() == 1; }));
  EXPECT_TRUE(machine->isVisible());
  window.restore_layout(layout);
  EXPECT_TRUE(sees(visible));
  EXPECT_TRUE(dock("program").isFloating());
  EXPECT_FALSE(machine->isVisible());
  EXPECT_EQ(area->current_view(), "program");
}

TEST_F(ViewAreaTest, ViewsThatAnOldLayoutDoesNotKnowStandInTabs) {
  QMainWindow old;
  QDockWidget* first = nullptr;
  for (const char* id : {"network-graph", "schedule", "roofline"}) {
    auto* each = new QDockWidget(id, &old);
    each->setObjectName(QStringLiteral("view-dock-") + id);
    old.addDockWidget(Qt::LeftDockWidgetArea, each);
    if (first != nullptr) old.tabifyDockWidget(first, each);
    first = each;
  }
  ASSERT_TRUE(area->restore("schedule " + QString::fromLatin1(old.saveState(1).toBase64())));
  for (const ViewEntry& entry : view_entries()) {
    window.show_view(entry.id);
    EXPECT_TRUE(wait_until([&] { return area->visible_views().contains(entry.id); })) << entry.id.toStdString();
    EXPECT_FALSE(dock(entry.id).isFloating());
    EXPECT_GT(dock(entry.id).width(), area->width() / 4) << entry.id.toStdString();
  }
}

TEST_F(ViewAreaTest, LayoutsThatMeanNothingChangeNothing) {
  const auto before = area->visible_views();
  for (const char* text : {"", "x", "schedule", "schedule AAAA", "no-such-view AAAA"}) {
    EXPECT_FALSE(area->restore(text)) << text;
  }
  window.restore_layout({{"geometry", "x"}, {"docks", "AAAA"}, {"views", "nonsense"}});
  EXPECT_EQ(area->visible_views(), before);
}

TEST_F(ViewAreaTest, AnotherWindowRemembersTheLayout) {
  window.remember_layout();
  window.show_view("roofline");
  trigger("split-right");
  ASSERT_TRUE(sees({"roofline", "utilization"}));
  window.close();
  MainWindow next(workbench);
  next.remember_layout();
  next.show();
  auto* again = next.findChild<ViewArea*>("views");
  EXPECT_TRUE(wait_until([&] { return again->visible_views() == QStringList({"roofline", "utilization"}); }));
  next.reset_layout();
  next.close();
}

TEST_F(ViewAreaTest, AWindowMayBeClosedWhileItsViewsArePrepared) {
  for (int round = 0; round < 40; ++round) {
    MainWindow brief(workbench);
    brief.show();
    for (const ViewEntry& entry : view_entries()) brief.show_view(entry.id);
    QTest::qWait(round % 4);
  }
  QTest::qWait(20);
  EXPECT_TRUE(window.isVisible());
}

}  // namespace
}  // namespace convscope::ui::test
