// The setup of sweeps, as one uses it: typed into, refused, started, saved.

#include "ui/panels/sweep_setup/sweep_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "tests/ui/sweeping.h"
#include "ui/panels/sweep_setup/axis_row.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

class SweepDialogTest : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  }
  /// As by 'Sweep this parameter…' in the machine's panel.
  void vary(const QString& parameter) {
    auto* action = window.findChild<QAction*>("sweep-" + parameter);
    ASSERT_NE(action, nullptr);
    action->trigger();
    settle();
  }
  SweepDialog& dialog() { return *window.findChild<SweepDialog*>(); }
  template <typename Widget>
  Widget* find(const QString& name) {
    return dialog().findChild<Widget*>(name);
  }
  void settle() {
    ASSERT_TRUE(wait_until([&] { return !dialog().checking(); }));
  }
  void type(const QString& name, const QString& text) {
    auto* field = find<QLineEdit>(name);
    ASSERT_NE(field, nullptr) << name.toStdString();
    field->selectAll();
    QTest::keyClick(field, Qt::Key_Delete);
    QTest::keyClicks(field, text);
    settle();
  }
  void open(const std::string& xml) {
    QFile file(folder.filePath("space.xml"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(xml));
    file.close();
    window.findChild<QAction*>("sweep")->trigger();
    dialog().open_space(file.fileName());
    ASSERT_TRUE(wait_until([&] { return workbench.exploration().setup().file == file.fileName(); }));
    settle();
  }
  QString status() { return find<QLabel>("sweep-status")->text(); }
  bool can_start() { return find<QPushButton>("start-sweep")->isEnabled(); }
  bool ready() { return dialog().checked().ready(); }

  QTemporaryDir folder;
  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

TEST_F(SweepDialogTest, StartsFromAParameterOfThePanel) {
  vary("lanes");
  ASSERT_NE(find<AxisRow>("axis-lanes"), nullptr);
  EXPECT_TRUE(ready()) << status().toStdString();
  EXPECT_TRUE(status().startsWith("5 points")) << status().toStdString();  // 4 8 16 32 64
  EXPECT_EQ(find<QLabel>("axis-lanes-count")->text(), "5 values");
  QTest::mouseClick(find<QPushButton>("start-sweep"), Qt::LeftButton);
  ASSERT_TRUE(
      wait_until([&] { return workbench.exploration().state()->sweep && !workbench.exploration().sweeping(); }));
  EXPECT_EQ(workbench.exploration().state()->sweep->seen, 5U);
}

TEST_F(SweepDialogTest, KeepsWhatTheUserChangedOfTheMachine) {
  const auto bandwidth = *workbench.machine().description().find("bandwidth");
  workbench.set_parameter(static_cast<int>(bandwidth), 200);
  vary("lanes");
  ASSERT_TRUE(ready());
  const auto& space = *dialog().checked().space;
  for (std::uint64_t i = 0; i < space.size(); ++i) EXPECT_EQ(space.point(i).machine.get("bandwidth"), 200);
}

TEST_F(SweepDialogTest, TakesValuesRangesLinksAndConstraints) {
  vary("lanes");
  auto* form = find<QComboBox>("axis-lanes-form");
  form->setCurrentIndex(0);
  emit form->activated(0);
  type("axis-lanes-values", "8 16");
  EXPECT_TRUE(status().startsWith("2 points")) << status().toStdString();
  vary("local_buffer");
  form = find<QComboBox>("axis-local_buffer-form");
  form->setCurrentIndex(2);
  emit form->activated(2);
  type("axis-local_buffer-equals", "lanes * 64");
  ASSERT_TRUE(ready()) << status().toStdString();
  EXPECT_EQ(dialog().checked().space->point(1).machine.get("local_buffer"), 1024);
  QTest::mouseClick(find<QPushButton>("machines-0-constrain"), Qt::LeftButton);
  settle();
  EXPECT_FALSE(can_start()) << "an empty constraint";
  type("constraint-0-expression", "lanes < 10");
  type("constraint-0-reason", "too wide");
  ASSERT_TRUE(ready());
  EXPECT_EQ(dialog().checked().space->point(1).removed, "too wide");
}

TEST_F(SweepDialogTest, OpensEverySample) {
  window.findChild<QAction*>("sweep")->trigger();
  for (const char* name : {"nve_lanes_ports_instructions", "nmp_scratchpads_tles_bandwidth", "equal_machines"}) {
    const auto path = QString::fromStdString(sample_path("spaces/") + name + ".xml");
    dialog().open_space(path);
    ASSERT_TRUE(wait_until([&] { return workbench.exploration().setup().file.endsWith(QString(name) + ".xml"); }));
    settle();
    EXPECT_TRUE(ready()) << name << ": " << dialog().checked().diagnostics.text();
    Diagnostics diagnostics;
    const auto headless = explore::read_space_file(path.toStdString(), catalogue::standard(), diagnostics);
    EXPECT_EQ(dialog().checked().space->hash, headless->hash) << "results are those of the command line";
  }
}

TEST_F(SweepDialogTest, SavesASpaceThatTheCommandLineReads) {
  vary("lanes");
  const QString path = folder.filePath("saved.xml");
  dialog().save_space(path);
  ASSERT_TRUE(wait_until([&] { return workbench.exploration().setup().is_saved(); }));
  settle();
  Diagnostics diagnostics;
  const auto read = explore::read_space_file(path.toStdString(), catalogue::standard(), diagnostics);
  ASSERT_TRUE(read) << diagnostics.text();
  EXPECT_EQ(read->hash, dialog().checked().space->hash);
  EXPECT_EQ(read->size(), 5U);
}

// What must be refused, where it was typed.

TEST_F(SweepDialogTest, RefusesAnEmptyRange) {
  vary("lanes");
  type("axis-lanes-from", "64");
  type("axis-lanes-to", "4");
  EXPECT_FALSE(can_start());
  EXPECT_TRUE(find<AxisRow>("axis-lanes")->message().contains("is empty"))
      << find<AxisRow>("axis-lanes")->message().toStdString();
  type("axis-lanes-to", "64");
  EXPECT_TRUE(can_start());
  EXPECT_TRUE(find<AxisRow>("axis-lanes")->message().isEmpty());
}

/// Lanes are powers of two, of which there is none below zero.
TEST_F(SweepDialogTest, RefusesARangeOfPowersFromBelowZero) {
  vary("lanes");
  type("axis-lanes-from", "-1");
  EXPECT_FALSE(can_start());
  EXPECT_TRUE(find<AxisRow>("axis-lanes")->message().contains("above 0"))
      << find<AxisRow>("axis-lanes")->message().toStdString();
}

TEST_F(SweepDialogTest, RefusesWhatASessionHolds) {
  Diagnostics diagnostics;
  SweepSetup setup;
  setup.draft = *explore::read_draft("<space name='a'><network file='" + sample("face_detection").toStdString() +
                                         "'/><machines target='nve'><parameter name='lanes' from='-1'/></machines>"
                                         "</space>",
                                     "space.xml", diagnostics);
  workbench.exploration().set_setup(setup);
  window.findChild<QAction*>("sweep")->trigger();
  settle();
  EXPECT_FALSE(can_start());
  EXPECT_TRUE(find<AxisRow>("axis-lanes")->message().contains("above 0"));
}

TEST_F(SweepDialogTest, RefusesAnUnknownParameter) {
  open("<space name='a'><network file='" + sample("face_detection").toStdString() +
       "'/><machines target='nve'><parameter name='wings'>1 2</parameter></machines></space>");
  EXPECT_FALSE(can_start());
  EXPECT_TRUE(find<AxisRow>("axis-wings")->message().contains("wings"));
}

TEST_F(SweepDialogTest, RefusesLinksThatContradictEachOther) {
  vary("lanes");
  vary("local_buffer");
  for (const QString name : {"lanes", "local_buffer"}) {
    auto* form = find<QComboBox>("axis-" + name + "-form");
    form->setCurrentIndex(2);
    emit form->activated(2);
  }
  type("axis-lanes-equals", "local_buffer / 64");
  type("axis-local_buffer-equals", "lanes * 64");
  EXPECT_FALSE(can_start());
  const QString messages = find<AxisRow>("axis-lanes")->message() + find<AxisRow>("axis-local_buffer")->message();
  EXPECT_TRUE(messages.contains("contradict")) << messages.toStdString();
}

TEST_F(SweepDialogTest, RefusesTooManyPoints) {
  std::string axes;
  double points = 1;  // more than are allowed, fewer than can be counted
  for (const auto& parameter : workbench.machine().description().parameters) {
    if (parameter.kind == arch::ParameterKind::choice || parameter.step <= 0 || parameter.minimum <= 0) continue;
    const double values = parameter.powers_of_two ? std::log2(parameter.maximum / parameter.minimum) + 1
                                                  : (parameter.maximum - parameter.minimum) / parameter.step + 1;
    if (points * values > 1e18) continue;
    points *= values;
    axes += "<parameter name='" + parameter.name + "' from='" + std::to_string(parameter.minimum) + "'/>";
  }
  ASSERT_GT(points, 1e13);
  open("<space name='a'><network file='" + sample("face_detection").toStdString() + "'/><machines target='nve'>" +
       axes + "</machines></space>");
  EXPECT_FALSE(can_start()) << status().toStdString();
  EXPECT_TRUE(status().contains("points; expected at most")) << status().toStdString();
}

TEST_F(SweepDialogTest, RefusesFilesThatAreNoSpaces) {
  window.findChild<QAction*>("sweep")->trigger();
  settle();
  dialog().open_space(sample("face_detection"));
  ASSERT_TRUE(wait_until([&] { return status().contains("space"); })) << status().toStdString();
  EXPECT_TRUE(workbench.exploration().setup().file.isEmpty());
}

TEST_F(SweepDialogTest, RefusesAWrongWeightAtItsNetwork) {
  vary("lanes");
  type("network-0-weight", "-1");
  EXPECT_FALSE(can_start());
  EXPECT_TRUE(find<SetupRow>("network-0")->message().contains("weight"));
}

}  // namespace
}  // namespace convscope::ui::test
