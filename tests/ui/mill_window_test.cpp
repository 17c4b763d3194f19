// A target that only tests know goes through the whole window: quick results first, table, charts, comparison, linked
// program, sweep, session and export.

#include <QFileInfo>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include "tests/made/catalogues.h"
#include "tests/made/mill/mill_target.h"
#include "tests/ui/sweeping.h"
#include "ui/export/export.h"
#include "ui/panels/layers/layer_table_model.h"
#include "ui/session/session_keeper.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

class MillWindow : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(open_and_wait(workbench, sample("face_detection"), true)); }
  bool set(const char* parameter, double value) {
    workbench.set_parameter(static_cast<int>(*workbench.machine().description().find(parameter)), value);
    return wait_until([&] { return workbench.settled(); });
  }
  std::string csv(const char* view) const { return find_view(view)->make_painter(workbench.snapshot())->csv(); }
  void select_network() { workbench.select(artifact::Ref{}); }

  Workbench workbench{made::catalogue_of({made::make_mill()})};
};

TEST_F(MillWindow, FiguresAreColumnsOfTheTable) {
  const LayerTableModel model(workbench);
  const int sacks = model.column("sacks"), grist = model.column("grist");
  ASSERT_GE(sacks, 0);
  ASSERT_GE(grist, 0);
  EXPECT_EQ(model.headerData(sacks, Qt::Horizontal).toString().toStdString().find("Sacks"), 0u);
  EXPECT_EQ(model.index(0, grist).data().toString(), "flour");
  EXPECT_LT(model.column("cart_turns"), 0) << "a detail is for files";
}

TEST_F(MillWindow, EveryViewTakesIt) {
  for (const ViewEntry& view : view_entries())
    EXPECT_FALSE(csv(view.id.toUtf8().constData()).empty()) << view.id.toStdString();
  EXPECT_NE(csv("schedule").find("grind L1"), std::string::npos);
  EXPECT_EQ(csv("schedule").find("grind L2"), std::string::npos) << "a layer is selected";
  EXPECT_NE(csv("breakdown").find("carts"), std::string::npos);
  EXPECT_NE(csv("memory").find("hopper 3"), std::string::npos);
}

TEST_F(MillWindow, TheWholeNetworkShowsItsLinkedProgram) {
  select_network();
  EXPECT_NE(csv("schedule").find("grind L4"), std::string::npos);
  EXPECT_NE(csv("program").find("carry"), std::string::npos);
  EXPECT_NE(csv("memory").find("L4"), std::string::npos);
}

TEST_F(MillWindow, WordsAreOfTheMemoryThatTheyLieIn) {
  const auto links = workbench.snapshot().layer()->links(0);
  EXPECT_EQ(links->at_word({0, 0}).size(), 1u);
  EXPECT_EQ(links->at_word({1, 0}).size(), 1u);
  EXPECT_NE(links->at_word({0, 0}), links->at_word({1, 0}));
}

TEST_F(MillWindow, RunsAreCompared) {
  ASSERT_GE(workbench.pin_baseline(), 0);
  ASSERT_TRUE(set("stones", 8));
  EXPECT_NE(csv("compare").find("L1"), std::string::npos);
  const Baseline* baseline = workbench.snapshot().baseline();
  ASSERT_NE(baseline, nullptr);
  EXPECT_GT(baseline->run->total.cycles.value, workbench.snapshot().compiled->total.cycles.value);
}

TEST_F(MillWindow, MachinesAreSweptAndReadBack) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("mills.db");
  const std::string space = "<space name='mills'><network file='" + sample("face_detection").toStdString() +
                            "'/><machines target='mill' levels='coarse fine'><parameter name='stones' from='1' to='4'/>"
                            "</machines></space>";
  const auto table = sweep_and_wait(workbench, {space_of(workbench, space), {}, file.toStdString(), 0});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows(), 8u);
  workbench.exploration().clear();
  workbench.open_network(file);
  ASSERT_TRUE(wait_until([&] { return workbench.exploration().state()->sweep != nullptr; }))
      << workbench.messages().text();
  EXPECT_EQ(workbench.exploration().state()->sweep->rows(), 8u);
}

TEST_F(MillWindow, SessionsKeepIt) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("mill.convscope");
  {
    MainWindow window(workbench);
    workbench.set_level("coarse");
    ASSERT_TRUE(set("stones", 5));
    bool saved = false;
    window.session().save(file, [&](bool result) { saved = result; });
    ASSERT_TRUE(wait_until([&] { return saved; }));
  }
  Workbench later{made::catalogue_of({made::make_mill()})};
  MainWindow window(later);
  later.open_session(file);
  ASSERT_TRUE(wait_until([&] { return later.network() != nullptr && !later.busy(); })) << later.messages().text();
  EXPECT_EQ(later.level(), "coarse");
  EXPECT_EQ(later.machine().get_int("stones"), 5);
}

TEST_F(MillWindow, ViewsAreExported) {
  const QTemporaryDir folder;
  for (const ViewEntry& view : view_entries()) {
    for (const char* suffix : {".svg", ".csv"}) {
      const ExportRequest request{folder.filePath(view.id + suffix), {}, 1};
      Diagnostics diagnostics;
      EXPECT_TRUE(export_view(view, workbench.snapshot(), workbench.theme(), request, diagnostics))
          << view.id.toStdString() << diagnostics.text();
      EXPECT_GT(QFileInfo(request.file).size(), 0);
    }
  }
}

TEST(MillQuickFirst, ShowsCompleteResultsUntilBetterOnesAreThere) {
  Workbench workbench{made::catalogue_of({made::make_mill(std::chrono::milliseconds(300))})};
  workbench.open_network(sample("face_detection"));
  const auto level = [&] {
    const auto& run = workbench.snapshot().compiled;
    return run && run->complete ? run->level : std::string();
  };
  ASSERT_TRUE(wait_until([&] { return level() == "coarse"; }));
  EXPECT_TRUE(workbench.busy()) << "the better ones are on their way";
  EXPECT_EQ(workbench.snapshot().layer()->metrics().text("grist"), "groats");
  ASSERT_TRUE(wait_until([&] { return level() == "fine"; }));
  EXPECT_EQ(workbench.snapshot().layer()->metrics().text("grist"), "flour");
  ASSERT_TRUE(wait_until([&] { return !workbench.busy(); }));
}

TEST(MillQuickFirst, StayWhenTheBetterOnesAreCancelledAndGiveWayToANewMachine) {
  Workbench workbench{made::catalogue_of({made::make_mill(std::chrono::minutes(10))})};
  workbench.open_network(sample("face_detection"));
  const auto stones_of_quick = [&] {
    const auto& run = workbench.snapshot().compiled;
    return run && run->complete && run->level == "coarse" ? run->machine.get_int("stones") : 0;
  };
  ASSERT_TRUE(wait_until([&] { return stones_of_quick() == 4; }));
  workbench.set_parameter(0, 8);
  ASSERT_TRUE(wait_until([&] { return stones_of_quick() == 8; })) << "the slow run was superseded";
  workbench.cancel();
  EXPECT_FALSE(workbench.busy());
  EXPECT_EQ(stones_of_quick(), 8);
}

}  // namespace
}  // namespace convscope::ui::test
