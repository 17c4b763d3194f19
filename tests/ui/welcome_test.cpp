// The page of a first start.

#include "ui/window/welcome.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/window/labs_menu.h"
#include "ui/window/main_window.h"
#include "ui/window/recent_files.h"
#include "ui/window/view_area.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

class Welcome : public testing::Test {
 protected:
  void SetUp() override {
    QSettings().clear();
    window.show();
  }
  void TearDown() override { QSettings().clear(); }
  QWidget& page() { return *window.findChild<QWidget*>("welcome"); }
  void press(const QString& name) { QTest::mouseClick(window.findChild<QAbstractButton*>(name), Qt::LeftButton); }
  QString view() { return "view-" + window.findChild<ViewArea*>("views")->current_view(); }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

std::vector<WelcomeThing> things() {
  Diagnostics diagnostics;
  return read_welcome_things(QString::fromStdString(resource_path("welcome/things.xml")), diagnostics);
}

TEST_F(Welcome, GreetsOnTheFirstStartOnly) {
  EXPECT_FALSE(page().isVisible());
  window.greet();
  EXPECT_TRUE(page().isVisible());
  press("welcome-close");
  EXPECT_FALSE(page().isVisible());
  RecentFiles().add("/a/1.onnx");
  window.greet();
  EXPECT_FALSE(page().isVisible());
}

TEST_F(Welcome, StaysAwayOnceToldSoAndComesFromTheMenu) {
  window.greet();
  window.findChild<QCheckBox*>("welcome-never-again")->click();
  QTest::keyClick(&page(), Qt::Key_Escape);
  EXPECT_FALSE(page().isVisible());
  window.greet();
  EXPECT_FALSE(page().isVisible());
  window.findChild<QAction*>("welcome")->trigger();
  EXPECT_TRUE(page().isVisible());
  EXPECT_TRUE(window.findChild<QCheckBox*>("welcome-never-again")->isChecked());
}

TEST_F(Welcome, OffersThingsThatThereAre) {
  const auto offered = things();
  ASSERT_EQ(offered.size(), 4u);
  for (const WelcomeThing& thing : offered) {
    EXPECT_NE(window.findChild<QPushButton*>("try-" + thing.id), nullptr);
    EXPECT_FALSE(thing.title.isEmpty() || thing.text.isEmpty() || thing.button.isEmpty());
    EXPECT_TRUE(thing.view.isEmpty() || find_view(thing.view) != nullptr) << thing.view.toStdString();
    EXPECT_FALSE(thing.view.isEmpty() && thing.lab.isEmpty());
    EXPECT_TRUE(thing.sample.isEmpty() || QFile::exists(sample(thing.sample)));
    if (thing.target.isEmpty()) continue;
    const auto& targets = workbench.targets();
    EXPECT_TRUE(std::any_of(targets.begin(), targets.end(),
                            [&](const auto& each) { return each->id() == thing.target.toStdString(); }));
  }
}

TEST_F(Welcome, DraggingIsOneUndoStepThatChangesTheMachine) {
  ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3")));
  const auto before = workbench.machine();
  const int steps = workbench.undo_stack().count();
  window.greet();
  press("try-drag");
  EXPECT_EQ(view(), "view-schedule");
  ASSERT_TRUE(wait_until([&] { return workbench.undo_stack().count() > steps; }));
  ASSERT_TRUE(wait_until([&] { return !workbench.busy() && workbench.machine().get("lanes") > before.get("lanes"); }));
  QTest::qWait(800);
  EXPECT_EQ(workbench.undo_stack().count(), steps + 1);
  workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine(), before);
}

TEST_F(Welcome, AnotherMachineAndARealNetworkAreOneClickAway) {
  ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3")));
  const auto target = workbench.target();
  window.greet();
  press("try-compare");
  ASSERT_TRUE(wait_until([&] { return !workbench.busy() && workbench.target() != target; }));
  EXPECT_EQ(workbench.snapshot().baselines.size(), 1u);
  press("try-tiling");
  ASSERT_TRUE(wait_until(
      [&] { return !workbench.busy() && workbench.network()->source_file.find("squeezenet") != std::string::npos; }));
  EXPECT_FALSE(cycles(workbench).empty());
  // What is tried gets the room of the words, which come back with the page.
  auto* page = window.findChild<QWidget*>("welcome");
  const auto words = [&] {
    const auto labels = page->findChildren<QLabel*>();
    return std::count_if(labels.begin(), labels.end(), [](const QLabel* each) { return each->isVisible(); });
  };
  EXPECT_EQ(words(), 1);
  page->hide();
  page->show();
  EXPECT_EQ(words(), 9);
}

TEST_F(Welcome, TheFirstLabIsOneClickAway) {
  window.greet();
  press("try-lab");
  LabWork& work = window.findChild<LabsMenu*>("labs-menu")->work();
  ASSERT_TRUE(wait_until([&] { return work.lab() != nullptr; }));
  EXPECT_EQ(work.lab()->lab.name, "first-mac");
  EXPECT_TRUE(window.findChild<QWidget*>("dock-lab")->isVisible());
}

TEST(WelcomeThings, ABrokenFileIsRefused) {
  const QTemporaryDir folder;
  QFile file(folder.filePath("things.xml"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("<things><thing id='a'>");
  file.close();
  Diagnostics diagnostics;
  EXPECT_TRUE(read_welcome_things(file.fileName(), diagnostics).empty());
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_TRUE(read_welcome_things("/no/such/file.xml", diagnostics).empty());
}

}  // namespace
}  // namespace convscope::ui::test
