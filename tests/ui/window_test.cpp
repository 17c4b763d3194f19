// The window as a user uses it, on the real samples and targets.

#include <QAction>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <set>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"
#include "ui/words/figures.h"

namespace convscope::ui::test {
namespace {

constexpr qint64 longest_block_milliseconds = 1000;

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  }

  template <typename Widget>
  Widget& find(const QString& name) {
    auto* widget = window.findChild<Widget*>(name);
    if (widget == nullptr) throw std::runtime_error("no widget " + name.toStdString());
    return *widget;
  }
  bool compiled() {
    return wait_until([&] { return !workbench.busy(); });
  }
  /// A slider whose parameter changes the first layer's cycles when dragged to one end; null if there is none.
  QSlider* effective_slider() {
    const auto before = cycles(workbench);
    for (const auto& parameter : workbench.machine().description().parameters) {
      auto* slider = window.findChild<QSlider*>("slider-" + QString::fromStdString(parameter.name));
      if (slider == nullptr) continue;
      const int at = slider->value();
      slider->setValue(at < slider->maximum() ? at + 1 : at - 1);
      const bool effective = compiled() && !cycles(workbench).empty() && cycles(workbench) != before;
      workbench.undo_stack().undo();
      if (compiled() && effective) return slider;
    }
    return nullptr;
  }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

QImage picture(QWidget& widget) {
  return widget.grab().toImage();
}

QImage painted(const ViewEntry& entry, const Snapshot& snapshot) {
  QImage image(1000, 700, QImage::Format_ARGB32_Premultiplied);
  image.fill(light_theme().background);
  QPainter painter(&image);
  entry.make_painter(snapshot)->paint(painter, QRectF(image.rect()), light_theme());
  return image;
}

/// The whole network compiled anew by the engine alone, as the command line does it.
engine::CompiledNetwork compiled_without_window(const Workbench& workbench) {
  Diagnostics diagnostics;
  const auto network = catalogue::standard()->read_network(sample("face_detection").toStdString(), diagnostics);
  engine::Request request{std::make_shared<const network::Network>(*network),
                          catalogue::standard()->find_target(workbench.target()->id()),
                          workbench.machine(),
                          workbench.level().toStdString(),
                          workbench.preset().toStdString(),
                          0,
                          {}};
  const auto executor = engine::make_thread_executor(1);
  target::NoCache cache;
  return engine::compile(request, *executor, cache);
}

TEST_F(WindowTest, ShowsOneTabPerViewAndNothingEmpty) {
  for (const ViewEntry& entry : view_entries()) {
    window.show_view(entry.id);
    auto& view = find<QWidget>("view-" + entry.id);
    ASSERT_TRUE(wait_until([&] { return view.isVisible(); })) << entry.id.toStdString();
    QTest::qWait(20);
    const QImage image = picture(view);
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
      for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
    }
    EXPECT_GE(colours.size(), 4u) << entry.id.toStdString();
  }
}

TEST_F(WindowTest, FiguresAreThoseOfTheCommandLine) {
  const auto expected = compiled_without_window(workbench);
  auto& table = find<QTableView>("layer-table");
  int column = 0;
  while (table.model()->headerData(column, Qt::Horizontal).toString() != "Cycles") ++column;
  ASSERT_EQ(table.model()->rowCount(), static_cast<int>(expected.layers.size()));
  for (int row = 0; row < table.model()->rowCount(); ++row) {
    const double shown = table.model()->index(row, column).data(value_role).toDouble();
    EXPECT_EQ(shown, expected.layers[static_cast<std::size_t>(row)]->metrics().cycles.value);
  }
}

TEST_F(WindowTest, EveryViewFollowsADraggedSlider) {
  QSlider* slider = effective_slider();
  ASSERT_NE(slider, nullptr);
  const auto before = cycles(workbench);
  const auto run_before = workbench.snapshot().compiled;
  std::vector<QImage> pictures;
  for (const ViewEntry& entry : view_entries()) pictures.push_back(painted(entry, workbench.snapshot()));
  const int steps = workbench.undo_stack().index();

  const BlockWatch watch;
  const int start = slider->value(), end = start < slider->maximum() ? start + 1 : start - 1;
  slider->setSliderDown(true);
  for (const int position : {end, start, end}) {
    slider->setValue(position);
    QTest::qWait(30);
  }
  slider->setSliderDown(false);
  ASSERT_TRUE(compiled());

  EXPECT_EQ(workbench.undo_stack().index(), steps + 1);
  EXPECT_NE(workbench.snapshot().compiled, run_before);
  EXPECT_NE(cycles(workbench), before);
  EXPECT_LT(watch.longest_milliseconds(), longest_block_milliseconds);
  const auto expected = compiled_without_window(workbench);
  for (std::size_t layer = 0; layer < expected.layers.size(); ++layer) {
    EXPECT_EQ(cycles(workbench)[layer], expected.layers[layer]->metrics().cycles.value);
  }
  std::size_t followed = 0;
  for (std::size_t view = 0; view < pictures.size(); ++view) {
    followed += painted(view_entries()[view], workbench.snapshot()) != pictures[view] ? 1 : 0;
  }
  EXPECT_GE(followed, 4u);

  find<QAction>("undo").trigger();
  ASSERT_TRUE(compiled());
  EXPECT_EQ(cycles(workbench), before);
}

TEST_F(WindowTest, TreeTableAndWorkbenchSelectTheSameLayer) {
  auto& tree = find<QTreeView>("network-tree");
  auto& table = find<QTableView>("layer-table");
  tree.setCurrentIndex(tree.model()->index(2, 0, tree.model()->index(0, 0)));
  EXPECT_EQ(workbench.snapshot().selection.layer, 2);
  EXPECT_EQ(table.currentIndex().row(), 2);
  table.selectRow(1);
  EXPECT_EQ(workbench.snapshot().selection.layer, 1);
  EXPECT_EQ(tree.currentIndex().row(), 1);
  artifact::Ref ref;
  ref.layer = 3;
  workbench.select(ref);
  EXPECT_EQ(tree.currentIndex().row(), 3);
  EXPECT_EQ(table.currentIndex().row(), 3);
}

TEST_F(WindowTest, ChoosersChangeTheMachine) {
  auto& level = find<QComboBox>("level");
  ASSERT_GE(level.count(), 2);
  const auto before = cycles(workbench);
  const int other = level.currentIndex() == 0 ? level.count() - 1 : 0;
  level.setCurrentIndex(other);
  emit level.activated(other);
  ASSERT_TRUE(compiled());
  EXPECT_EQ(workbench.level(), level.itemData(other).toString());
  EXPECT_NE(cycles(workbench), before);
  EXPECT_EQ(level.currentIndex(), other);
}

TEST_F(WindowTest, SamplesOpenFromTheMenu) {
  find<QAction>("sample-speed_sign").trigger();
  ASSERT_TRUE(compiled());
  EXPECT_TRUE(window.windowTitle().startsWith(QString::fromStdString(workbench.network()->name)));
  EXPECT_TRUE(workbench.network()->source_file.find("speed_sign") != std::string::npos);
  EXPECT_EQ(cycles(workbench).size(), workbench.network()->layers.size());
}

TEST_F(WindowTest, ABadFileGivesAMessageAndKeepsTheNetwork) {
  const auto network = workbench.network();
  open_and_wait(workbench, QStringLiteral(CONVSCOPE_SOURCE_DIR "/LICENSE"));
  EXPECT_EQ(workbench.network(), network);
  EXPECT_GE(find<QTableView>("message-table").model()->rowCount(), 1);
  EXPECT_TRUE(find<QLabel>("summary").text().contains("error"));
}

TEST_F(WindowTest, AChangedParameterIsMarkedAndReset) {
  QSlider* slider = effective_slider();
  ASSERT_NE(slider, nullptr);
  const QString name = slider->objectName().mid(QStringLiteral("slider-").size());
  EXPECT_FALSE(find<QWidget>("reset-" + name).isVisibleTo(&window));
  slider->setValue(slider->value() < slider->maximum() ? slider->value() + 1 : slider->value() - 1);
  EXPECT_TRUE(find<QWidget>("reset-" + name).isVisibleTo(&window));
  EXPECT_TRUE(find<QLabel>("label-" + name).text().startsWith(QStringLiteral("●")));
  EXPECT_TRUE(find<QComboBox>("preset").currentText().contains("changed"));
  QTest::mouseClick(&find<QWidget>("reset-" + name), Qt::LeftButton);
  EXPECT_EQ(workbench.machine(), workbench.preset_machine());
  EXPECT_FALSE(find<QWidget>("reset-" + name).isVisibleTo(&window));
}

TEST_F(WindowTest, AThemeRepaintsEverything) {
  const QImage light = picture(window);
  find<QAction>("theme-dark").trigger();
  QTest::qWait(50);
  const QImage dark = picture(window);
  EXPECT_EQ(workbench.theme().name, "dark");
  int darker = 0, samples = 0;
  for (int y = 0; y < light.height(); y += 7) {
    for (int x = 0; x < light.width(); x += 7, ++samples) {
      darker += qGray(dark.pixel(x, y)) < 128 && qGray(light.pixel(x, y)) > 128 ? 1 : 0;
    }
  }
  EXPECT_GT(darker, samples * 6 / 10);
  find<QAction>("theme-light").trigger();
  EXPECT_EQ(workbench.theme().name, "light");
}

TEST_F(WindowTest, NothingBlocksTheThreadWhileNetworksOpenAndCompile) {
  const BlockWatch watch;
  for (const char* name : {"speed_sign", "face_detection", "filter_3x3"}) {
    ASSERT_TRUE(open_and_wait(workbench, sample(name), true));
  }
  EXPECT_LT(watch.longest_milliseconds(), longest_block_milliseconds);
}

TEST_F(WindowTest, CancelLeavesTheFiguresOfTheRunBefore) {
  const auto before = cycles(workbench);
  workbench.set_level(QString::fromStdString(workbench.target()->levels().front().name));
  workbench.open_network(sample("speed_sign"));
  find<QAction>("cancel-work").trigger();
  EXPECT_FALSE(workbench.busy());
  QTest::qWait(100);
  EXPECT_EQ(workbench.network()->source_file.find("speed_sign"), std::string::npos);
  find<QAction>("recompile").trigger();
  workbench.undo_stack().undo();
  ASSERT_TRUE(compiled());
  EXPECT_EQ(cycles(workbench), before);
}

TEST_F(WindowTest, EveryWidgetThatTakesInputHasANameForPeopleAndTests) {
  for (const QComboBox* combo : window.findChildren<QComboBox*>()) {
    EXPECT_FALSE(combo->objectName().isEmpty());
    EXPECT_FALSE(combo->accessibleName().isEmpty()) << combo->objectName().toStdString();
  }
  for (const QSlider* slider : window.findChildren<QSlider*>()) {
    EXPECT_FALSE(slider->accessibleName().isEmpty()) << slider->objectName().toStdString();
  }
}

}  // namespace
}  // namespace convscope::ui::test
