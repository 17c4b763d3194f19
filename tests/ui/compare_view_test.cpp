// Charts with pinned runs: bars, arrows, differences, and what they say.

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "tests/ui/views_fixture.h"
#include "ui/document/baselines.h"
#include "ui/model/baseline_difference.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/comparison/comparison_line.h"
#include "ui/views/network/compare/difference_chart.h"
#include "ui/views/network/network_graph/network_graph_painter.h"
#include "ui/views/network/roofline/roofline_view.h"
#include "ui/views/network/traffic/traffic_view.h"
#include "ui/views/network/utilization/utilization_view.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"
#include "ui/words/difference_text.h"

namespace convscope::ui::test {
namespace {

TEST(ViewsCompare, EachLayerHasItsDifference) {
  const Snapshot snapshot = with_baseline(made_up_snapshot());
  const auto chart = make_difference_chart(snapshot);
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->key, "cycles");
  ASSERT_EQ(chart->rows.size(), 1u);  // the other layer is mapped in neither run
  ASSERT_TRUE(chart->rows[0].difference);
  EXPECT_EQ(chart->rows[0].difference->absolute, -100);
  EXPECT_EQ(chart->rows[0].difference->verdict, analysis::Verdict::better);
  EXPECT_EQ(missing_difference(snapshot, *snapshot.baseline(), 1), "mapped in neither");
  ASSERT_TRUE(chart->total);
  EXPECT_NE(chart->csv().find("L1,L1,cycles,600,500,-100,"), std::string::npos) << chart->csv();
}

TEST(ViewsCompare, IsSortedBySizeAndShowsOtherFigures) {
  Snapshot snapshot = with_baseline(made_up_snapshot());
  const auto chart = make_difference_chart(snapshot, "bytes", DifferenceOrder::size);
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->rows[0].difference->absolute, 1000);
  EXPECT_EQ(chart->rows[0].difference->verdict, analysis::Verdict::worse);
}

TEST(ViewsCompare, SaysWhatToDoWithoutABaseline) {
  Snapshot snapshot = made_up_snapshot();
  EXPECT_EQ(make_difference_chart(snapshot), nullptr);
  EXPECT_TRUE(missing_comparison(snapshot).contains("Ctrl+B"));
  snapshot = with_baseline(snapshot);
  snapshot.compared = -1;
  EXPECT_TRUE(missing_comparison(snapshot).contains("Choose"));
  snapshot = with_baseline(made_up_snapshot());
  snapshot.baselines[0].matching = std::make_shared<const analysis::LayerMatching>();
  EXPECT_EQ(snapshot.baseline(), nullptr);
  EXPECT_TRUE(missing_comparison(snapshot).contains("no layer"));
}

TEST(ViewsCompare, BarsOfPinnedRunsStandBesideOurs) {
  const Snapshot snapshot = with_baseline(made_up_snapshot());
  const auto utilization = make_utilization_chart(snapshot);
  ASSERT_EQ(utilization->stacks.size(), 4u);  // ours, pinned, two published
  EXPECT_EQ(utilization->stacks[1].name, "pinned (baseline)");
  EXPECT_EQ(utilization->stacks[1].parts[0].fill.kind, BarFill::Kind::pinned);
  EXPECT_EQ(utilization->stacks[1].parts[0].values[0], 6);
  EXPECT_EQ(utilization->stacks[0].notes[0], "▲ +33.3 % ✓ vs pinned");
  const auto traffic = make_traffic_chart(snapshot);
  ASSERT_EQ(traffic->stacks.size(), 2u);
  EXPECT_EQ(traffic->stacks[1].parts[0].values[0], 3000);
  EXPECT_TRUE(traffic->stacks[1].parts[0].fill.hatched);
  EXPECT_NE(traffic->csv().find("pinned (baseline)"), std::string::npos);
}

TEST(ViewsCompare, ArrowsLeadFromTheBaselineToNow) {
  const Snapshot snapshot = with_baseline(made_up_snapshot());
  const auto chart = make_roofline_chart(snapshot);
  ASSERT_EQ(chart->arrows().size(), 1u);  // published points do not move
  EXPECT_EQ(chart->arrows()[0].from.operations_per_second, 5e8);
  EXPECT_EQ(chart->arrows()[0].to.operations_per_second, 1e9);
  EXPECT_NE(chart->csv().find("pinned (baseline)"), std::string::npos);
  EXPECT_TRUE(make_roofline_chart(made_up_snapshot())->arrows().empty());
}

TEST(ViewsCompare, EveryPictureOfALayerHasALineOfDifferences) {
  const Snapshot snapshot = with_baseline(made_up_snapshot());
  for (const char* id : {"schedule", "task-graph", "program", "memory", "tiling"}) {
    const auto with = find_view(id)->make_painter(snapshot), without = find_view(id)->make_painter(made_up_snapshot());
    EXPECT_EQ(with->preferred_size().height(), without->preferred_size().height() + comparison_line_height) << id;
    const QString reading = with->reading({5, 5}, QRectF(0, 0, 800, 500));
    EXPECT_TRUE(reading.contains("compared with pinned")) << id;
    EXPECT_TRUE(reading.contains("cycles: 600 → 500  ▼ −16.7 % ✓")) << id << reading.toStdString();
    EXPECT_EQ(with->csv(), without->csv());
    EXPECT_NE(painted(*with, {800, 500}, dark_theme()), painted(*without, {800, 500}, dark_theme())) << id;
  }
}

TEST(ViewsCompare, BoxesOfTheNetworkSayHowTheyDiffer) {
  Snapshot snapshot = with_baseline(made_up_snapshot());
  const auto painter = make_network_graph_painter(snapshot), before = make_network_graph_painter(made_up_snapshot());
  EXPECT_NE(painted(*painter, {800, 500}, light_theme()), painted(*before, {800, 500}, light_theme()));
  EXPECT_NE(painter->csv().find("baseline_cycles,relative_difference"), std::string::npos);
  EXPECT_NE(painter->csv().find(",600,-0.1666"), std::string::npos) << painter->csv();
  EXPECT_EQ(before->csv().find("baseline"), std::string::npos);
  QStringList readings;
  for (int y = 30; y < 500; y += 4) readings << painter->reading({400, static_cast<double>(y)}, QRectF(0, 0, 800, 500));
  EXPECT_FALSE(readings.filter("cycles: ▼ −16.7 % ✓ vs pinned").isEmpty());
}

TEST(ViewsCompare, TheLineCountsWhatTheArtifactHolds) {
  const Snapshot snapshot = with_baseline(made_up_snapshot());
  const auto has = [&](ComparedArtifact artifact, const std::string& label) {
    const auto line = comparison_line(snapshot, artifact);
    return std::any_of(line.differences.begin(), line.differences.end(),
                       [&](const auto& each) { return each.label == label; });
  };
  EXPECT_TRUE(has(ComparedArtifact::task_graph, "operations"));
  EXPECT_TRUE(has(ComparedArtifact::schedule, "this run, cycles"));
  EXPECT_TRUE(has(ComparedArtifact::tiling, "steps"));
  Snapshot unmatched = snapshot;
  unmatched.selection.layer = 1;  // not mapped
  const auto line = comparison_line(unmatched, ComparedArtifact::schedule);
  EXPECT_TRUE(line.differences.empty());
  EXPECT_FALSE(line.obstacle.isEmpty());
  EXPECT_TRUE(comparison_line(made_up_snapshot(), ComparedArtifact::schedule).empty());
  // Where there is nothing but a message, there is nothing to compare.
  const auto message = find_view("schedule")->make_painter(unmatched);
  EXPECT_NE(dynamic_cast<const MessagePainter*>(message.get()), nullptr);
}

TEST(ViewsCompare, WordsSayMoreThanColours) {
  const auto difference = [](const char* key, double value, double reference) {
    return analysis::difference(artifact::common_figure(key), Quantity{value, "", Origin::derived},
                                Quantity{reference, "", Origin::derived});
  };
  EXPECT_EQ(difference_text(difference("cycles", 80, 100)), "▼ −20.0 % ✓");
  EXPECT_EQ(difference_text(difference("cycles", 100.2, 100)), "▲ +0.20 % !");
  EXPECT_EQ(difference_text(difference("cycles", 100, 100)), "=");
  EXPECT_EQ(difference_text(difference("utilization", 0.6, 0.5)), "▲ +10.0 pp ✓");
  EXPECT_EQ(difference_text(difference("macs", 2, 1)), "▲ +100.0 %");
  EXPECT_EQ(difference_text(difference("cycles", 2, 0)), "▲ from 0 !");
  EXPECT_TRUE(difference_tip(difference("cycles", 80, 100), "pinned").contains("pinned: 100 (derived)"));
}

class CompareWindow : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign"), true));
  }
  bool compiled() {
    return wait_until([&] { return !workbench.busy(); });
  }
  template <typename Widget>
  Widget& find(const QString& name) {
    auto* widget = window.findChild<Widget*>(name);
    if (widget == nullptr) throw std::runtime_error("no widget " + name.toStdString());
    return *widget;
  }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

TEST_F(CompareWindow, PinChangeUndoRemove) {
  find<QAction>("pin-baseline").trigger();
  auto& chooser = find<QComboBox>("baseline");
  EXPECT_EQ(chooser.currentText(), "nve-thesis, fusion");
  workbench.set_level("modulo");
  ASSERT_TRUE(compiled());
  auto& summary = find<QLabel>("summary");
  EXPECT_TRUE(summary.text().contains("vs nve-thesis, fusion")) << summary.text().toStdString();
  EXPECT_TRUE(summary.text().contains("!")) << summary.text().toStdString();
  find<QAction>("undo").trigger();
  ASSERT_TRUE(compiled());
  EXPECT_TRUE(summary.text().contains("(=)")) << summary.text().toStdString();
  find<QAction>("remove-baseline").trigger();
  EXPECT_EQ(chooser.currentText(), "none");
  EXPECT_FALSE(find<QAction>("remove-baseline").isEnabled());
  find<QAction>("undo").trigger();
  EXPECT_EQ(chooser.currentText(), "nve-thesis, fusion");
}

TEST_F(CompareWindow, TheViewComparesWhatCanBeCompared) {
  find<QAction>("pin-button").trigger();
  workbench.set_target("nmp");
  ASSERT_TRUE(wait_until([&] { return workbench.target()->id() == "nmp" && !workbench.busy(); }));
  find<QAction>("show-comparison").trigger();
  QTest::qWait(50);
  auto& figure = find<QComboBox>("compared-figure");
  EXPECT_EQ(figure.currentData(), "seconds");
  EXPECT_TRUE(find<QLabel>("comparison-note").text().contains("other machine"));
  EXPECT_EQ(figure.itemData(figure.findData("cycles"), Qt::ToolTipRole).toString(),
            "Not comparable: the clocks differ");
  const auto chart = make_difference_chart(workbench.snapshot());
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->key, "seconds");
  // The other machine runs connection tables, too: as dense convolutions.
  EXPECT_EQ(chart->rows.size(), 4U);
  for (const DifferenceRow& row : chart->rows) {
    EXPECT_TRUE(row.difference);
    EXPECT_EQ(row.reason, "");
  }
  EXPECT_EQ(make_utilization_chart(workbench.snapshot())->csv().find("(baseline)"), std::string::npos);
  EXPECT_NE(make_traffic_chart(workbench.snapshot())->csv().find("(baseline)"), std::string::npos);
}

TEST_F(CompareWindow, BaselinesThatDoNotFitAreGreyWithAReason) {
  workbench.pin_baseline();
  ASSERT_TRUE(open_and_wait(workbench, sample("squeezenet_1_0")));
  auto& chooser = find<QComboBox>("baseline");
  EXPECT_EQ(chooser.count(), 2);
  EXPECT_FALSE(chooser.model()->flags(chooser.model()->index(1, 0)) & Qt::ItemIsEnabled);
  EXPECT_TRUE(chooser.itemData(1, Qt::ToolTipRole).toString().contains("no layer"));
}

}  // namespace
}  // namespace convscope::ui::test
