// The parameter panel, generated for a machine that it has never heard of.

#include "ui/panels/parameters/parameter_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/made/catalogues.h"
#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"

namespace convscope::ui::test {
namespace {

class ParameterPanelTest : public testing::Test {
 protected:
  template <typename Widget>
  Widget& find(const QString& name) {
    auto* widget = panel.findChild<Widget*>(name);
    if (widget == nullptr) throw std::runtime_error("no widget " + name.toStdString());
    return *widget;
  }

  Workbench workbench{made::catalogue_of({std::make_shared<MadeUpTarget>()})};
  ParameterPanel panel{workbench};
};

TEST_F(ParameterPanelTest, HasAnEditorForEveryParameterAndAHeadingForEveryGroup) {
  EXPECT_EQ(find<QDoubleSpinBox>("spin-lanes").value(), 16);
  EXPECT_EQ(find<QDoubleSpinBox>("spin-clock").value(), 100);
  EXPECT_EQ(find<QComboBox>("combo-memory").currentText(), "dual port");
  for (const char* group : {"Vector", "Timing", "Memory"}) find<QLabel>(QString("group-") + group);
}

TEST_F(ParameterPanelTest, PowersOfTwoStepByDoubling) {
  auto& spin = find<QDoubleSpinBox>("spin-lanes");
  spin.stepUp();
  EXPECT_EQ(workbench.machine().get("lanes"), 32);
  spin.stepDown();
  spin.stepDown();
  EXPECT_EQ(workbench.machine().get("lanes"), 8);
}

TEST_F(ParameterPanelTest, WhatIsTypedOffStepGoesToTheNearestValue) {
  auto& spin = find<QDoubleSpinBox>("spin-lanes");
  spin.setValue(30);
  EXPECT_EQ(workbench.machine().get("lanes"), 32);
  EXPECT_EQ(spin.value(), 32);
  spin.setValue(31);
  EXPECT_EQ(spin.value(), 32);
}

TEST_F(ParameterPanelTest, ADragIsOneStepAndTheNextOneAnother) {
  auto& slider = find<QSlider>("slider-clock");
  for (int drag = 1; drag <= 2; ++drag) {
    slider.setSliderDown(true);
    for (int move = 1; move <= 20; ++move) slider.setValue(slider.value() + 1);
    slider.setSliderDown(false);
    EXPECT_EQ(workbench.undo_stack().count(), drag);
  }
  workbench.undo_stack().undo();
  workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine(), workbench.preset_machine());
  EXPECT_EQ(find<QDoubleSpinBox>("spin-clock").value(), 100);
}

TEST_F(ParameterPanelTest, ChoicesAreChosen) {
  auto& combo = find<QComboBox>("combo-memory");
  combo.setCurrentIndex(1);
  emit combo.activated(1);
  EXPECT_EQ(workbench.machine().get_choice("memory"), "single port");
}

TEST_F(ParameterPanelTest, AViolatedConstraintStandsAtEachOfItsParameters) {
  workbench.set_parameter(2, 8);
  for (const char* name : {"violation-lanes", "violation-depth"}) {
    EXPECT_TRUE(find<QLabel>(name).isVisibleTo(&panel));
    EXPECT_TRUE(find<QLabel>(name).text().startsWith("depth must be at least 8 words a lane"));
  }
  EXPECT_TRUE(find<QLabel>("violation-depth").text().contains("128 words</a> would do"));
  EXPECT_TRUE(find<QLabel>("violation-lanes").text().contains("1</a> would do"));
  EXPECT_FALSE(find<QLabel>("violation-clock").isVisibleTo(&panel));
  workbench.undo_stack().undo();
  EXPECT_FALSE(find<QLabel>("violation-depth").isVisibleTo(&panel));
}

TEST_F(ParameterPanelTest, WhatWouldDoIsAClickAway) {
  workbench.set_parameter(2, 8);
  emit find<QLabel>("violation-depth").linkActivated("128");
  EXPECT_EQ(workbench.machine().get("depth"), 128);
  EXPECT_FALSE(find<QLabel>("violation-depth").isVisibleTo(&panel));
  workbench.undo_stack().undo();
  EXPECT_EQ(workbench.machine().get("depth"), 8);
}

class TypedValues : public ParameterPanelTest {
 protected:
  void type(const QString& name, const QString& text) {
    auto& spin = find<QDoubleSpinBox>("spin-" + name);
    spin.setFocus();
    spin.selectAll();
    QTest::keyClicks(&spin, text);
    QTest::keyClick(&spin, Qt::Key_Return);
  }
  QString remark(const QString& name) {
    auto& label = find<QLabel>("remark-" + name);
    return label.isVisibleTo(&panel) ? label.text() : QString();
  }
};

TEST_F(TypedValues, TakeUnits) {
  type("clock", "0.25 GHz");
  EXPECT_EQ(workbench.machine().get("clock"), 250);
  EXPECT_EQ(find<QDoubleSpinBox>("spin-clock").text(), "250.0 MHz");
  type("clock", "66500 kHz");
  EXPECT_EQ(workbench.machine().get("clock"), 66.5);
  type("clock", "120");
  EXPECT_EQ(workbench.machine().get("clock"), 120);
  EXPECT_EQ(remark("clock"), "");
  EXPECT_EQ(workbench.undo_stack().count(), 3);
}

TEST_F(TypedValues, BeyondTheLimitsAreExplained) {
  type("clock", "1 GHz");
  EXPECT_EQ(workbench.machine().get("clock"), 500);
  EXPECT_TRUE(remark("clock").contains("1000 MHz is not allowed: a number from 10 to 500 MHz"))
      << remark("clock").toStdString();
  type("clock", "100");
  EXPECT_EQ(remark("clock"), "");
  type("lanes", "30");
  EXPECT_EQ(workbench.machine().get("lanes"), 32);
  EXPECT_TRUE(remark("lanes").contains("taken as 32"));
}

TEST_F(TypedValues, ThatMeanNothingChangeNothing) {
  for (const char* text : {"fast", "8 KiB", "", "1,5"}) {
    type("clock", text);
    EXPECT_EQ(workbench.machine().get("clock"), 100) << text;
    EXPECT_EQ(find<QDoubleSpinBox>("spin-clock").text(), "100.0 MHz") << text;
  }
  EXPECT_TRUE(remark("clock").contains("is not understood"));
  EXPECT_FALSE(workbench.undo_stack().canUndo());
}

}  // namespace
}  // namespace convscope::ui::test
