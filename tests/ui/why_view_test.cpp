// The why panel: the words of `convscope-cli why`, what a click and a key select, and no work done twice.

#include <QTest>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/ui/made_up_sweep.h"
#include "tests/ui/session.h"
#include "tests/ui/views_fixture.h"
#include "ui/model/exploration.h"
#include "ui/model/machine_actions.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/layer/why/why_painter.h"

namespace convscope::ui::test {
namespace {

using analysis::WhyLine;

constexpr QRectF panel_area(0, 0, 900, 700);

Snapshot selected(artifact::OperationKey operation, std::int64_t cycle) {
  Snapshot snapshot = made_up_snapshot();
  snapshot.selection.operation = operation;
  snapshot.selection.cycle = cycle;
  return snapshot;
}

WhyScene scene_of(const Snapshot& snapshot) {
  WhyShelf shelf;
  return make_why_scene(snapshot, shelf);
}

std::vector<const WhyLine*> of_kind(const WhyScene& scene, WhyLine::Kind kind) {
  std::vector<const WhyLine*> found;
  for (const WhyLine& line : scene.lines)
    if (line.kind == kind) found.push_back(&line);
  return found;
}

TEST(WhyView, SaysWhatTheCommandLineSays) {
  const Snapshot snapshot = selected(mac_key, 4);
  const auto layer = snapshot.layer();
  analysis::Why why{"L1", *layer->explanation(), layer->metrics().cycles, {}, {}, {}};
  const auto graph = layer->task_graph(0);
  why.operation = analysis::operation_reason(*graph, mac_key);
  Diagnostics none;
  why.at_cycle = analysis::slot_reasons(*layer->timeline(0), graph.get(), 4, {}, none);
  const std::vector<WhyLine> told = analysis::why_lines(why);
  const WhyScene scene = scene_of(snapshot);
  ASSERT_EQ(scene.lines.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(scene.lines[i].name, told[i].name);
    EXPECT_EQ(scene.lines[i].words, told[i].words);
  }
}

TEST(WhyView, FollowsWhatIsSelected) {
  EXPECT_TRUE(of_kind(scene_of(selected(0, -1)), WhyLine::Kind::taken).empty());
  EXPECT_FALSE(scene_of(selected(0, -1)).hint.isEmpty());
  const WhyScene scene = scene_of(selected(mac_key, 4));
  EXPECT_TRUE(scene.hint.isEmpty());
  ASSERT_EQ(of_kind(scene, WhyLine::Kind::operation).size(), 1u);
  EXPECT_EQ(of_kind(scene, WhyLine::Kind::operation)[0]->name, "mac");
  ASSERT_EQ(of_kind(scene, WhyLine::Kind::taken).size(), 1u);
  EXPECT_EQ(of_kind(scene, WhyLine::Kind::empty)[0]->name, "LOAD");
  EXPECT_TRUE(of_kind(scene_of(selected(mac_key, 99'999)), WhyLine::Kind::empty).empty())
      << "the run has no such cycle";
  EXPECT_EQ(of_kind(scene_of(selected(second_program + act_key, -1)), WhyLine::Kind::operation)[0]->name, "act");
}

TEST(WhyView, OfALayerThatIsNotMappedItSaysTheReason) {
  Snapshot snapshot = made_up_snapshot();
  snapshot.selection.layer = 1;
  const WhyScene scene = scene_of(snapshot);
  ASSERT_FALSE(scene.lines.empty());
  EXPECT_EQ(scene.lines[0].name, "L2");
  EXPECT_EQ(scene.lines[0].words[0], "the kernel is larger than the image");
  EXPECT_FALSE(of_kind(scene, WhyLine::Kind::rejected).empty());
}

TEST(WhyView, SaysWhatHelpsOnceThatIsMeasuredOfTheSameMachine) {
  Snapshot snapshot = with_exploration(made_up_snapshot());
  SensitivityRun run = *snapshot.exploration->sensitivity;
  for (explore::Change& change : run.result.changes) change.after.layers = {change.after.total};
  run.result.before.layers = {run.result.before.total};
  const auto told = [&] {
    auto state = std::make_shared<ExplorationState>(*snapshot.exploration);
    state->sensitivity = std::make_shared<const SensitivityRun>(run);
    snapshot.exploration = state;
    return scene_of(snapshot);
  };
  EXPECT_TRUE(of_kind(told(), WhyLine::Kind::helps).empty()) << "of another machine";
  auto compiled = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  compiled->machine = run.machine;
  snapshot.compiled = compiled;
  const WhyScene scene = told();
  const auto helps = of_kind(scene, WhyLine::Kind::helps);
  ASSERT_FALSE(helps.empty());
  EXPECT_EQ(helps[0]->name, "Port width");
  EXPECT_EQ(helps[0]->words[0], "256 instead of 64 saves 39.0 %");
  run.complete = false;
  EXPECT_TRUE(of_kind(told(), WhyLine::Kind::helps).empty()) << "not all is known yet";
}

TEST(WhyView, AClickOnASlotSelectsItsOperation) {
  const WhyPainter painter(scene_of(selected(0, 4)));
  std::vector<artifact::Ref> hits;
  bool says_nothing = false;
  for (int y = 2; y < panel_area.height(); y += 4) {
    const QPointF at(60, y);
    if (const auto ref = painter.hit(at, panel_area); ref && (hits.empty() || !(hits.back() == *ref)))
      hits.push_back(*ref);
    says_nothing = says_nothing || painter.reading(at, panel_area).contains(QStringLiteral("LOAD\nnothing"));
  }
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits[0].operation, mac_key);
  EXPECT_EQ(hits[0].cycle, 4);
  EXPECT_TRUE(says_nothing);
  EXPECT_FALSE(painter.hit(QPointF(-5, 10), panel_area));
}

TEST(WhyView, NothingIsCutOffWhereThePanelIsNarrow) {
  const WhyPainter painter(scene_of(selected(mac_key, 4)));
  const CanvasGeometry narrow = painter.geometry(QRectF(0, 0, 300, 300)), wide = painter.geometry(panel_area);
  EXPECT_GT(narrow.content.width(), 300) << "it scrolls";
  EXPECT_GT(narrow.content.height(), wide.content.height()) << "words wrap";
}

/// A window with one layer whose explanation is counted.
class CountedLayer : public MadeUpLayer {
 public:
  std::shared_ptr<const artifact::Explanation> explanation() const override {
    ++asked;
    return MadeUpLayer::explanation();
  }
  mutable std::atomic<int> asked{0};
};

class WhyHost : public ViewHost {
 public:
  WhyHost() {
    auto run = std::make_shared<engine::CompiledNetwork>(*snapshot_.compiled);
    run->layers[0] = layer;
    snapshot_.compiled = run;
  }
  const Snapshot& snapshot() const override { return snapshot_; }
  const Theme& theme() const override { return light_theme(); }
  void select(const artifact::Ref& ref) override {
    snapshot_.selection = ref;
    emit changed(Change::selection);
  }
  MachineActions& machines() override { throw std::logic_error("the panel asks for no machines"); }
  const std::shared_ptr<CountedLayer> layer = std::make_shared<CountedLayer>();

 private:
  Snapshot snapshot_ = made_up_snapshot();
};

TEST(WhyPanel, KeysAloneAskForEveryCycleAndOperation) {
  WhyHost host;
  const std::unique_ptr<CanvasPanel> panel(dynamic_cast<CanvasPanel*>(make_why_widget(host, nullptr)));
  ASSERT_NE(panel, nullptr);
  panel->resize(900, 700);
  panel->show();
  const auto shown = [&] { return dynamic_cast<WhyPainter*>(panel->canvas().painter()); };
  const auto settled = [&] { return wait_until([&] { return panel->idle() && shown() != nullptr; }); };
  ASSERT_TRUE(settled());
  QTest::keyClick(&panel->canvas(), Qt::Key_Period);
  EXPECT_EQ(host.snapshot().selection.cycle, 3) << "the loop's first";
  QTest::keyClick(&panel->canvas(), Qt::Key_Period);
  EXPECT_EQ(host.snapshot().selection.cycle, 4) << "before the picture is there";
  ASSERT_TRUE(settled());
  EXPECT_EQ(shown()->scene().selection.cycle, 4);
  QTest::keyClick(&panel->canvas(), Qt::Key_Down, Qt::ShiftModifier);
  EXPECT_EQ(host.snapshot().selection.operation, mac_key);
  ASSERT_TRUE(settled());
  EXPECT_EQ(of_kind(shown()->scene(), WhyLine::Kind::operation).size(), 1u);
  for (int i = 0; i < 9; ++i) QTest::keyClick(&panel->canvas(), Qt::Key_Comma);
  EXPECT_EQ(host.snapshot().selection.cycle, 0);
  ASSERT_TRUE(settled());
  QTest::keyClick(&panel->canvas(), Qt::Key_Up, Qt::ShiftModifier);
  EXPECT_EQ(host.snapshot().selection.operation, read_key);
  ASSERT_TRUE(settled());
  EXPECT_EQ(host.layer->asked, 1) << "one explanation serves all cycles";
}

}  // namespace
}  // namespace convscope::ui::test
