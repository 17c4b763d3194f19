// Sizes that a file leaves open: asked for once, remembered, undone.

#include <QAction>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/open_size_network.h"
#include "tests/ui/session.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

network::InputSizes sizes(int height, int width, int batch = 1) {
  network::InputSizes result;
  result.image = network::Size{height, width};
  result.batch = batch;
  return result;
}

network::Size image(const Workbench& workbench) {
  const auto open = workbench.input_sizes();
  return open ? open->image.value_or(network::Size{}) : network::Size{};
}

class InputSize : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(folder.isValid());
  }
  QWidget& bar() { return *window.findChild<QWidget*>("input-size-bar"); }
  QSpinBox& field(const QString& name) { return *window.findChild<QSpinBox*>("input-" + name); }
  void press(const QString& name) { QTest::mouseClick(window.findChild<QPushButton*>(name), Qt::LeftButton); }
  bool becomes(int height, int width) {
    return wait_until([&] { return !workbench.busy() && image(workbench) == network::Size{height, width}; });
  }

  QTemporaryDir folder;
  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

TEST_F(InputSize, IsAskedForOnceWithTheUsualOneOpenMeanwhile) {
  ASSERT_TRUE(open_and_wait(workbench, open_size_network(folder)));
  EXPECT_EQ(workbench.network()->layers[0].in.size, default_image);
  EXPECT_TRUE(bar().isVisible());
  EXPECT_EQ(field("height").value(), 224);
  EXPECT_EQ(field("batch").value(), 1);
  press("input-size-keep");
  EXPECT_FALSE(bar().isVisible());
  ASSERT_TRUE(open_and_wait(workbench, open_size_network(folder)));
  EXPECT_FALSE(bar().isVisible());
}

TEST_F(InputSize, TypedSizesAreTakenWithEnterAndUndone) {
  ASSERT_TRUE(open_and_wait(workbench, open_size_network(folder)));
  const int steps = workbench.undo_stack().count();
  for (const char* name : {"height", "width"}) {
    field(name).selectAll();
    QTest::keyClicks(&field(name), name == QString("height") ? "32" : "48");
  }
  QTest::keyClick(&field("width"), Qt::Key_Return);
  ASSERT_TRUE(becomes(32, 48));
  EXPECT_EQ(workbench.network()->layers[0].in.size, (network::Size{32, 48}));
  EXPECT_FALSE(bar().isVisible());
  EXPECT_EQ(workbench.undo_stack().count(), steps + 1);
  workbench.undo_stack().undo();
  ASSERT_TRUE(becomes(224, 224));
  EXPECT_EQ(field("height").value(), 224);
  workbench.undo_stack().redo();
  ASSERT_TRUE(becomes(32, 48));
}

TEST_F(InputSize, IsRememberedForTheFileAndForTheNext) {
  const QString first = open_size_network(folder), second = open_size_network(folder, "second.onnxtxt");
  ASSERT_TRUE(open_and_wait(workbench, first));
  workbench.set_input_sizes(sizes(64, 96));
  ASSERT_TRUE(becomes(64, 96));
  ASSERT_TRUE(open_and_wait(workbench, second));
  EXPECT_EQ(image(workbench), (network::Size{64, 96}));
  EXPECT_TRUE(bar().isVisible());
  workbench.set_input_sizes(sizes(16, 16));
  ASSERT_TRUE(becomes(16, 16));
  ASSERT_TRUE(open_and_wait(workbench, first));
  EXPECT_EQ(image(workbench), (network::Size{64, 96}));
}

TEST_F(InputSize, TheMenuAsksAgainAndEscapeKeeps) {
  auto* action = window.findChild<QAction*>("input-size");
  EXPECT_FALSE(action->isEnabled());
  ASSERT_TRUE(open_and_wait(workbench, open_size_network(folder)));
  press("input-size-keep");
  ASSERT_TRUE(action->isEnabled());
  action->trigger();
  EXPECT_TRUE(bar().isVisible());
  field("height").setValue(99);
  QTest::keyClick(&field("height"), Qt::Key_Escape);
  EXPECT_FALSE(bar().isVisible());
  EXPECT_EQ(image(workbench), default_image);
  ASSERT_TRUE(open_and_wait(workbench, sample("filter_3x3")));
  EXPECT_FALSE(action->isEnabled());
}

TEST_F(InputSize, ABatchThatIsOpenIsAskedForWhileTheImageStays) {
  ASSERT_TRUE(open_and_wait(workbench, open_batch_network(folder)));
  EXPECT_TRUE(bar().isVisible());
  EXPECT_FALSE(field("height").isEnabled());
  field("batch").setValue(4);
  press("input-size-apply");
  ASSERT_TRUE(wait_until([&] { return !workbench.busy() && workbench.input_sizes()->batch == 4; }));
  EXPECT_EQ(workbench.network()->layers[0].in.size, (network::Size{8, 8}));
}

TEST_F(InputSize, AnotherSizeKeepsTheSelectedLayer) {
  ASSERT_TRUE(open_and_wait(workbench, picky_network(folder)));
  artifact::Ref dense;
  dense.layer = 1;
  workbench.select(dense);
  network::InputSizes more = *workbench.input_sizes();
  more.batch = 2;
  workbench.set_input_sizes(more);
  ASSERT_TRUE(wait_until([&] { return !workbench.busy() && workbench.input_sizes()->batch == 2; }));
  EXPECT_EQ(workbench.snapshot().selection.layer, 1);
}

TEST_F(InputSize, SizesThatContradictAreRefusedAndTheNetworkStays) {
  ASSERT_TRUE(open_and_wait(workbench, picky_network(folder)));
  const auto before = workbench.network();
  const int steps = workbench.undo_stack().count();
  for (const auto& wrong : {sizes(8, 8), sizes(0, 5), sizes(-3, 224), sizes(1 << 20, 224), sizes(224, 224, 0)}) {
    workbench.set_input_sizes(wrong);
    ASSERT_TRUE(wait_until([&] { return !workbench.busy(); }));
    EXPECT_EQ(workbench.network(), before);
    EXPECT_TRUE(workbench.messages().has_errors());
    EXPECT_EQ(image(workbench), default_image);
  }
  EXPECT_EQ(workbench.undo_stack().count(), steps);
}

TEST_F(InputSize, DefaultsThatDoNotFitTheNextFileGiveWay) {
  ASSERT_TRUE(open_and_wait(workbench, open_size_network(folder)));
  workbench.set_input_sizes(sizes(16, 16));
  ASSERT_TRUE(becomes(16, 16));
  ASSERT_TRUE(open_and_wait(workbench, picky_network(folder)));
  EXPECT_EQ(image(workbench), default_image);
}

TEST_F(InputSize, FormatsThatStateTheirSizesRefuseOthers) {
  workbench.open_network(sample("filter_3x3"), sizes(32, 32));
  ASSERT_TRUE(wait_until([&] { return !workbench.busy(); }));
  EXPECT_EQ(workbench.network(), nullptr);
  EXPECT_TRUE(workbench.messages().has_errors());
  EXPECT_TRUE(workbench.snapshot().message.contains("could not be opened"));
}

}  // namespace
}  // namespace convscope::ui::test
