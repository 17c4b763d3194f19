// What a view is told: the parts of the picture that changed, and no others.

#include "ui/model/view_host.h"

#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/made_up_sweep.h"
#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"
#include "ui/document/exploration/exploration.h"
#include "ui/model/machine_actions.h"
#include "ui/window/main_window.h"
#include "ui/window/view_area.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

class ViewHostTest : public testing::Test {
 protected:
  ViewHostTest() {
    QObject::connect(&workbench, &ViewHost::changed, [this](Changes what) { told |= what; });
  }
  /// What views are told while something is done.
  template <typename Do>
  Changes told_by(Do&& action) {
    told = {};
    action();
    return told;
  }
  artifact::Ref layer(int index) const {
    artifact::Ref ref;
    ref.layer = index;
    return ref;
  }

  Workbench workbench{catalogue::standard()};
  Changes told;
};

TEST_F(ViewHostTest, TellsOfTheNetworkAndItsResults) {
  const Changes opened = told_by([&] { ASSERT_TRUE(open_and_wait(workbench, sample("face_detection"), true)); });
  EXPECT_TRUE(opened.testFlag(Change::network));
  EXPECT_TRUE(opened.testFlag(Change::results));
  EXPECT_FALSE(opened.testAnyFlags(Change::sweep | Change::look | Change::sensitivity | Change::theme));
}

TEST_F(ViewHostTest, TellsOfOneThingAtATime) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection"), true));
  EXPECT_EQ(told_by([&] { workbench.select(layer(1)); }), Changes(Change::selection));
  EXPECT_EQ(told_by([&] { workbench.select(layer(1)); }), Changes()) << "it is selected already";
  EXPECT_EQ(told_by([&] { workbench.set_theme("dark"); }), Changes(Change::theme));
  EXPECT_EQ(told_by([&] { workbench.pin_baseline(); }), Changes(Change::baselines));
  EXPECT_EQ(told_by([&] { workbench.exploration().show_sweep(made_up_sweep(10)); }), Changes(Change::sweep));
  EXPECT_EQ(told_by([&] { workbench.machines().choose(3); }), Changes(Change::look));
  const SensitivityRun run{workbench.network(), workbench.target(), workbench.machine(), "", {}, false};
  const auto measured = std::make_shared<const SensitivityRun>(run);
  EXPECT_EQ(told_by([&] { workbench.exploration().show_sensitivity(measured); }), Changes(Change::sensitivity));
}

TEST_F(ViewHostTest, ChangesAParameterOfItsOwnMachineOnly) {
  const arch::ParameterValues before = workbench.machine();
  const double other = before.at(0) + before.description().parameters[0].step;
  workbench.machines().change_parameter(MadeUpTarget(), 0, other);
  EXPECT_EQ(workbench.machine(), before);
  workbench.machines().change_parameter(*workbench.target(), 0, other);
  EXPECT_EQ(workbench.machine().at(0), other);
}

QColor tab_colour(const MainWindow& window, const QString& title) {
  // Of views alone: one of the panels has the same title.
  for (const QTabBar* bar : window.findChild<ViewArea*>("views")->findChildren<QTabBar*>()) {
    for (int tab = 0; tab < bar->count(); ++tab) {
      if (bar->tabText(tab) == title) return bar->tabTextColor(tab);
    }
  }
  return {};
}

class FirstShownTest : public testing::Test {
 protected:
  QWidget* widget(const ViewEntry& entry) { return window.findChild<QWidget*>("view-" + entry.id); }
  QColor tab_colour(const QString& title) { return test::tab_colour(window, title); }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

TEST_F(FirstShownTest, WidgetsAreMadeWhenTheyAreShown) {
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  EXPECT_NE(widget(view_entries().front()), nullptr);
  EXPECT_EQ(widget(view_entries().back()), nullptr);
  window.show_view(view_entries().back().id);
  ASSERT_NE(widget(view_entries().back()), nullptr);
  EXPECT_TRUE(wait_until([&] { return widget(view_entries().back())->isVisible(); }));
}

TEST_F(FirstShownTest, TabsWithNothingToShowStepBackAndReturn) {
  window.show();
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection"), true));
  const QString sweep = find_view(ViewRole::sweep).title;
  EXPECT_TRUE(wait_until([&] { return tab_colour(sweep).isValid(); }));
  EXPECT_EQ(tab_colour(sweep), workbench.theme().muted_text);
  EXPECT_FALSE(tab_colour(find_view("schedule")->title).isValid()) << "this machine has schedules";
  workbench.exploration().show_sweep(made_up_sweep(10));
  EXPECT_TRUE(wait_until([&] { return !tab_colour(sweep).isValid(); }));
  workbench.set_target("nmp");
  const QString graph = find_view("task-graph")->title;
  EXPECT_TRUE(wait_until([&] { return tab_colour(graph).isValid(); })) << "this one has no task graphs";
  EXPECT_FALSE(tab_colour(find_view("tiling")->title).isValid());
}

TEST(LaterWindow, KnowsWhichTabsHaveNothingToShow) {
  Workbench workbench{catalogue::standard()};
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection"), true));
  MainWindow window{workbench};
  window.show();
  EXPECT_FALSE(window.settled());
  ASSERT_TRUE(wait_until([&] { return window.settled(); }));
  EXPECT_EQ(tab_colour(window, find_view(ViewRole::sweep).title), workbench.theme().muted_text);
  EXPECT_FALSE(tab_colour(window, find_view("schedule")->title).isValid());
}

}  // namespace
}  // namespace convscope::ui::test
