// The parameter panel, generated for a machine that it has never heard of.

#include "ui/panels/parameter_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QTest>

#include <gtest/gtest.h>

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

  Workbench workbench{{std::make_shared<MadeUpTarget>()}};
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
    EXPECT_EQ(find<QLabel>(name).text(), "depth must be at least 8 words a lane");
  }
  EXPECT_FALSE(find<QLabel>("violation-clock").isVisibleTo(&panel));
  workbench.undo_stack().undo();
  EXPECT_FALSE(find<QLabel>("violation-depth").isVisibleTo(&panel));
}

}  // namespace
}  // namespace convscope::ui::test
