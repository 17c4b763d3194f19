// A network in fixed point: scene, painter, and the view used as a person does.

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/made_up_sweep.h"
#include "tests/ui/session.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/workbench.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/network/quantization/quantization_painter.h"
#include "ui/window/view_list.h"
#include "views_fixture.h"

namespace convscope::ui::test {
namespace {

const QRectF area(0, 0, 1000, 600);

QuantizationPainter painter_of(int layer) {
  const Snapshot snapshot = with_exploration(made_up_snapshot());
  return QuantizationPainter(make_quantization_scene(snapshot.exploration->quantization, layer));
}

TEST(QuantizationScene, ShowsTheSelectedLayersTensors) {
  const QuantizationScene scene = painter_of(1).scene();
  EXPECT_EQ(scene.points, (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(scene.losses, (std::vector<int>{4, 2})) << "most noise first";
  EXPECT_EQ(scene.chosen, 2);
  EXPECT_EQ(scene.panels, (std::vector<int>{3, 4})) << "weights, then what is computed";
  EXPECT_EQ(scene.neighbour(-1), 0);
  EXPECT_EQ(scene.neighbour(1), -1);
  EXPECT_TRUE(scene.title.contains("20.0 dB")) << scene.title.toStdString();
  EXPECT_TRUE(scene.words(4).contains("saturate"));
  EXPECT_EQ(noise_text(0), "nothing lost");
}

TEST(QuantizationPainter, ClicksSelectLayers) {
  const QuantizationPainter painter = painter_of(0);
  const auto on_point = painter.hit(painter.place_of_point(2, area), area);
  const auto on_row = painter.hit(painter.place_of_loss(1, area).center(), area);
  ASSERT_TRUE(on_point && on_row);
  EXPECT_EQ(on_point->layer, 1);
  EXPECT_EQ(on_row->layer, 0);
  EXPECT_FALSE(painter.hit(painter.place_of_point(0, area), area)) << "the input is no layer's";
  EXPECT_TRUE(painter.reading(painter.place_of_point(2, area), area).contains("everything rounded: 20.0 dB"));
}

TEST(QuantizationPainter, ReadsMagnitudes) {
  const QuantizationPainter painter = painter_of(0);
  QStringList readings;
  for (int x = 0; x < 1000; x += 4) readings << painter.reading(QPointF(x, 450), area);
  for (const char* part : {"2^2 ≤ |x| < 2^3: 1 positive, 0 negative\nsaturate", "less than the last bit", "become 0",
                           "2^-4 ≤ |x| < 2^-3: 300 positive, 200 negative\nwithin the word"})
    EXPECT_GT(readings.filter(QString::fromUtf8(part)).size(), 1) << part;
}

class QuantizationWidgetTest : public testing::Test {
 protected:
  void open(const char* path) {
    ASSERT_TRUE(open_and_wait(workbench, path));
    view.reset(find_view("quantization")->make_widget(workbench, nullptr));
    view->resize(1000, 600);
    view->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(view.get()));
    panel().canvas().setFocus();
  }
  CanvasPanel& panel() { return *dynamic_cast<CanvasPanel*>(view.get()); }
  template <typename Painter>
  Painter* painter() {
    return dynamic_cast<Painter*>(panel().canvas().painter());
  }

  Workbench workbench{catalogue::standard()};
  std::unique_ptr<QWidget> view;
};

TEST_F(QuantizationWidgetTest, MakesOnRequestAndWalksAlongTheNetwork) {
  open(CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb");
  ASSERT_TRUE(wait_until([&] { return painter<MessagePainter>() != nullptr; })) << "says what to do";
  auto* make = view->findChild<QToolButton*>("quantization-make");
  ASSERT_NE(make, nullptr);
  QTest::mouseClick(make, Qt::LeftButton);
  EXPECT_EQ(make->text(), "Stop");
  ASSERT_TRUE(wait_until([&] { return painter<QuantizationPainter>() != nullptr; }));
  EXPECT_EQ(make->text(), "Quantize");
  EXPECT_EQ(painter<QuantizationPainter>()->scene().run->result->inputs, 4);
  const int before = workbench.snapshot().selection.layer;
  QTest::keyClick(&panel().canvas(), Qt::Key_Right);
  EXPECT_GT(workbench.snapshot().selection.layer, before);
  ASSERT_TRUE(wait_until([&] {
    return painter<QuantizationPainter>() &&
           painter<QuantizationPainter>()->scene().layer == workbench.snapshot().selection.layer;
  }));
}

TEST_F(QuantizationWidgetTest, SaysWhyANetworkCannotBe) {
  open(sample("face_detection").toUtf8().constData());
  QTest::keyClick(&panel().canvas(), Qt::Key_M);
  ASSERT_TRUE(wait_until(
      [&] { return painter<MessagePainter>() && painter<MessagePainter>()->message().contains("no operators"); }));
  EXPECT_FALSE(workbench.exploration().quantizing());
}

TEST_F(QuantizationWidgetTest, Stops) {
  open(CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb");
  QTest::keyClick(&panel().canvas(), Qt::Key_M);
  QTest::keyClick(&panel().canvas(), Qt::Key_M);
  EXPECT_FALSE(workbench.exploration().quantizing());
  EXPECT_EQ(workbench.snapshot().exploration->quantization, nullptr);
}

/// A folder with one gray image of 14 by 14 pixels, half of them black and half white.
void write_image(const QTemporaryDir& folder) {
  QFile file(folder.filePath("half.pgm"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("P5\n14 14\n255\n" + QByteArray(98, 0) + QByteArray(98, char(255)));
}

TEST_F(QuantizationWidgetTest, TakesTheImagesOfAFolder) {
  const QTemporaryDir folder;
  write_image(folder);
  open(CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb");
  auto* path = view->findChild<QLineEdit*>("quantization-images");
  auto *mean = view->findChild<QDoubleSpinBox*>("quantization-mean"),
       *scale = view->findChild<QDoubleSpinBox*>("quantization-scale");
  ASSERT_TRUE(path && mean && scale);
  EXPECT_FALSE(mean->isVisible()) << "made-up inputs have no pixels";
  path->setFocus();
  QTest::keyClicks(path, folder.path());
  QTest::keyClick(path, Qt::Key_Return);
  EXPECT_TRUE(mean->isVisible());
  mean->setValue(100);
  scale->setValue(50);
  QTest::mouseClick(view->findChild<QToolButton*>("quantization-make"), Qt::LeftButton);
  ASSERT_TRUE(wait_until([&] { return painter<QuantizationPainter>() != nullptr; }));
  const auto& result = *painter<QuantizationPainter>()->scene().run->result;
  EXPECT_EQ(result.inputs, 1);
  EXPECT_DOUBLE_EQ(result.tensors[0].least, -2);
  EXPECT_DOUBLE_EQ(result.tensors[0].most, 3.1);
  EXPECT_TRUE(painter<QuantizationPainter>()->scene().title.endsWith("of 1 images"));
  path->clear();
  EXPECT_EQ(workbench.exploration().state()->quantization_wish.images.path, "");
}

TEST_F(QuantizationWidgetTest, SaysWhichFolderHoldsNoImages) {
  const QTemporaryDir empty;
  open(CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb");
  auto* path = view->findChild<QLineEdit*>("quantization-images");
  for (const QString& folder : {empty.path(), empty.filePath("missing")}) {
    path->setFocus();
    path->selectAll();
    QTest::keyClicks(path, folder);
    QTest::keyClick(path, Qt::Key_Return);
    QTest::keyClick(&panel().canvas(), Qt::Key_M);
    ASSERT_TRUE(wait_until([&] {
      const auto* shown = painter<MessagePainter>();
      return shown && shown->message().contains(folder + ": error: images") &&
             shown->message().contains("a folder of PNG");
    })) << folder.toStdString();
  }
}

TEST_F(QuantizationWidgetTest, OtherChoicesCancel) {
  open(CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb");
  QTest::keyClick(&panel().canvas(), Qt::Key_M);
  ASSERT_TRUE(workbench.exploration().quantizing());
  view->findChild<QCheckBox*>("quantization-filters")->click();
  EXPECT_FALSE(workbench.exploration().quantizing());
  EXPECT_TRUE(workbench.exploration().state()->quantization_wish.per_filter);
}

TEST_F(QuantizationWidgetTest, ChoicesAreUndone) {
  open(CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb");
  const auto wish = [&] { return workbench.exploration().state()->quantization_wish; };
  QUndoStack& undo = workbench.undo_stack();
  auto* bits = view->findChild<QComboBox*>("quantization-bits");
  auto* mean = view->findChild<QDoubleSpinBox*>("quantization-mean");
  ASSERT_TRUE(bits && mean);
  EXPECT_EQ(bits->currentData().toInt(), 16);
  bits->setCurrentIndex(bits->findData(8));
  QuantizationWish folder = wish();
  folder.images.path = "photos";
  workbench.exploration().set_quantization_wish(folder);
  for (int value = 1; value <= 120; ++value) mean->setValue(value);  // as a wheel does
  ASSERT_EQ(undo.count(), 3) << "what a number goes through is one step";
  EXPECT_EQ(undo.undoText(), "Mean of pixels 120");
  EXPECT_EQ(wish().images.pixels.mean, 120);
  undo.undo();
  EXPECT_EQ(wish().images.pixels.mean, 0);
  EXPECT_EQ(mean->value(), 0) << "the tools follow";
  undo.undo();
  EXPECT_EQ(wish().images.path, "");
  EXPECT_EQ(wish().bits, 8);
  undo.undo();
  EXPECT_EQ(wish(), QuantizationWish{});
  EXPECT_EQ(bits->currentData().toInt(), 16);
  undo.redo();
  EXPECT_EQ(bits->currentData().toInt(), 8);
  QTest::keyClick(&panel().canvas(), Qt::Key_M);
  ASSERT_TRUE(workbench.exploration().quantizing());
  undo.undo();
  EXPECT_FALSE(workbench.exploration().quantizing()) << "what is undone was another choice";
}

TEST_F(QuantizationWidgetTest, OffersWhatASessionSays) {
  open(CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb");
  QuantizationWish wish;
  wish.bits = 10;
  wish.percentile = 97.5;
  wish.inputs = 7;
  workbench.exploration().restore_quantization_wish(wish);
  EXPECT_EQ(workbench.undo_stack().count(), 0);
  EXPECT_EQ(view->findChild<QComboBox*>("quantization-bits")->currentText(), "10 bits");
  EXPECT_EQ(view->findChild<QComboBox*>("quantization-percentile")->currentText(), "97.5 % of the values");
  view->findChild<QCheckBox*>("quantization-filters")->click();
  wish.per_filter = true;
  EXPECT_EQ(workbench.exploration().state()->quantization_wish, wish);
}

TEST_F(QuantizationWidgetTest, AnotherTargetOrNetworkCancels) {
  open(CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb");
  QuantizationWish many;
  many.inputs = 2000;  // takes seconds
  workbench.exploration().quantize(many);
  ASSERT_TRUE(workbench.exploration().quantizing());
  workbench.set_target("nmp");
  ASSERT_TRUE(wait_until([&] { return workbench.target()->id() == "nmp"; }));
  EXPECT_FALSE(workbench.exploration().quantizing());
  EXPECT_EQ(workbench.exploration().state()->quantization, nullptr) << "cancelled, not done";
  workbench.exploration().quantize(many);
  ASSERT_TRUE(workbench.exploration().quantizing());
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  EXPECT_FALSE(workbench.exploration().quantizing());
  EXPECT_EQ(workbench.exploration().state()->quantization, nullptr) << "cancelled, not done";
}

}  // namespace
}  // namespace convscope::ui::test
