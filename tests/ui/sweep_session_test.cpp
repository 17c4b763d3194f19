// Sweeps in sessions: what is set up, found and marked comes back.

#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "tests/ui/sweeping.h"
#include "ui/document/exploration/look_text.h"
#include "ui/session/session_keeper.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

bool save(MainWindow& window, const QString& path) {
  bool done = false, saved = false;
  window.session().save(path, [&](bool result) {
    done = true;
    saved = result;
  });
  return wait_until([&] { return done; }) && saved;
}

SweepLook made_up_look() {
  SweepLook look;
  look.x = "seconds";
  look.y = "nve.lanes";
  look.colour = "bytes";
  look.logarithmic_x = true;
  look.brushes["nve.lanes"] = {4, 16};
  look.parallel.order = {"seconds", "nve.lanes"};
  look.parallel.flipped = {"seconds"};
  look.parallel.hidden = {"bytes"};
  look.parallel.shown = {"cycles"};
  return look;
}

TEST(SweepSession, LooksComeBackFromText) {
  SweepLook look = made_up_look();
  look.chosen = {7, 9};
  EXPECT_EQ(read_look(look_text(look)), look);
  EXPECT_EQ(read_look("{ nonsense"), SweepLook{});
}

TEST(SweepSession, SpaceResultsAndLookComeBack) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("work.convscope"), results = folder.filePath("results.db");
  {
    Workbench workbench{catalogue::standard()};
    MainWindow window(workbench);
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
    Diagnostics diagnostics;
    SweepSetup setup;
    setup.draft = *explore::read_draft(nve_space(), "space.xml", diagnostics);
    setup.results = results;
    workbench.exploration().set_setup(setup);
    SweepPlan plan{space_of(workbench, explore::write_draft(setup.draft).xml), {}, results.toStdString(), 0};
    ASSERT_EQ(sweep_and_wait(workbench, plan)->state, "finished");
    workbench.exploration().set_look(made_up_look());
    workbench.exploration().choose(3);
    ASSERT_TRUE(save(window, file));
    EXPECT_FALSE(window.session().modified());
  }
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  workbench.open_session(file);
  const auto restored = [&] { return workbench.exploration().state()->sweep != nullptr; };
  ASSERT_TRUE(wait_until(restored)) << workbench.messages().text();
  EXPECT_EQ(workbench.exploration().setup().draft.machines.size(), 1U);
  EXPECT_EQ(workbench.exploration().state()->sweep->rows(), 12U);
  EXPECT_TRUE(workbench.exploration().state()->sweep->space) << "the space of the setup is that of the results";
  SweepLook look = made_up_look();
  look.chosen = {3};
  EXPECT_EQ(workbench.exploration().state()->look, look);
  EXPECT_FALSE(window.session().modified()) << "what a session reads is no change of it";
  window.session().start_new();
  EXPECT_EQ(workbench.exploration().state()->sweep, nullptr);
  EXPECT_TRUE(workbench.exploration().setup().empty());
}

TEST(SweepSession, ASavedSpaceIsReferredTo) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("work.convscope");
  const auto space = QString::fromStdString(sample_path("spaces/nve_lanes_ports_instructions.xml"));
  {
    Workbench workbench{catalogue::standard()};
    MainWindow window(workbench);
    workbench.exploration().open_space(space);
    ASSERT_TRUE(wait_until([&] { return !workbench.exploration().setup().empty(); }));
    ASSERT_TRUE(save(window, file));
  }
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  workbench.open_session(file);
  ASSERT_TRUE(wait_until([&] { return !workbench.exploration().setup().empty(); }));
  EXPECT_TRUE(workbench.exploration().setup().is_saved());
  EXPECT_EQ(workbench.exploration().setup().file, space);
}

}  // namespace
}  // namespace convscope::ui::test
