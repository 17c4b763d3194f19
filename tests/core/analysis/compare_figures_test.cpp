// Differences of figures: sizes, directions, and what cannot be compared.

#include "core/analysis/compare_figures.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace convscope::analysis {
namespace {

using artifact::Better;
using artifact::common_figure;

Quantity cycles(double value, Origin origin = Origin::derived) {
  return {value, "cycles", origin};
}

/// Of a made-up machine.
const Figures& own_figures() {
  static const Figures figures = {
      {.key = "work_per_step", .label = "Work / step", .better = Better::more, .ratio = true},
      {.key = "strategy", .label = "Strategy"}};
  return figures;
}

artifact::Metrics metrics(double of_cycles, std::int64_t bytes) {
  artifact::Metrics result;
  result.macs = 1000;
  result.cycles.value = of_cycles;
  result.seconds.value = of_cycles * 1e-8;
  result.utilization.value = 0.5;
  result.bytes_in = bytes;
  result.target_figures = {{"work_per_step", {8, "", Origin::derived}},
                           {"strategy", {1, "", Origin::estimate}, "rows"}};
  return result;
}

const FigureDifference* find(const std::vector<FigureDifference>& figures, std::string_view key) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& each) { return each.key == key; });
  return found == figures.end() ? nullptr : &*found;
}

TEST(Difference, FewerCyclesAreBetterMoreUtilizationIsToo) {
  const FigureDifference fewer = difference(common_figure("cycles"), cycles(80), cycles(100));
  EXPECT_EQ(fewer.absolute, -20);
  EXPECT_EQ(fewer.relative, -0.2);
  EXPECT_EQ(fewer.verdict, Verdict::better);
  EXPECT_EQ(difference(common_figure("cycles"), cycles(120), cycles(100)).verdict, Verdict::worse);
  EXPECT_EQ(difference(common_figure("utilization"), Quantity{0.6, "", {}}, Quantity{0.5, "", {}}).verdict,
            Verdict::better);
  EXPECT_EQ(difference(common_figure("utilization"), Quantity{0.4, "", {}}, Quantity{0.5, "", {}}).verdict,
            Verdict::worse);
  EXPECT_EQ(difference(common_figure("bytes"), Quantity{1, "byte", {}}, Quantity{2, "byte", {}}).verdict,
            Verdict::better);
}

TEST(Difference, NeutralFiguresChangeWithoutAJudgement) {
  EXPECT_EQ(difference(common_figure("macs"), cycles(2), cycles(1)).verdict, Verdict::changed);
  EXPECT_EQ(difference({.key = "no such figure"}, cycles(2), cycles(1)).verdict, Verdict::changed);
}

TEST(Difference, ADescriptionSaysWhichWayIsBetterAndHowItIsCalled) {
  const FigureDifference named = difference(own_figures()[0], cycles(2), cycles(1));
  EXPECT_EQ(named.key, "work_per_step");
  EXPECT_EQ(named.label, "Work / step");
  EXPECT_EQ(named.better, Better::more);
  EXPECT_EQ(named.verdict, Verdict::better);
  EXPECT_EQ(difference({.key = "unnamed"}, cycles(2), cycles(1)).label, "unnamed");
}

TEST(Difference, DescriptionsAreFoundByKey) {
  EXPECT_EQ(description_of(own_figures(), "cycles").better, Better::less);
  EXPECT_EQ(description_of(own_figures(), "work_per_step").label, "Work / step");
  const artifact::FigureDescription unknown = description_of(own_figures(), "unknown");
  EXPECT_EQ(unknown.key, "unknown");
  EXPECT_EQ(unknown.better, Better::neutral);
}

TEST(Difference, ZeroHasNoPercentage) {
  const FigureDifference from_zero = difference(common_figure("cycles"), cycles(5), cycles(0));
  EXPECT_EQ(from_zero.absolute, 5);
  EXPECT_FALSE(from_zero.relative);
  EXPECT_EQ(from_zero.verdict, Verdict::worse);
  const FigureDifference to_zero = difference(common_figure("cycles"), cycles(0), cycles(5));
  EXPECT_EQ(to_zero.relative, -1);
  EXPECT_EQ(to_zero.verdict, Verdict::better);
  EXPECT_EQ(difference(common_figure("cycles"), cycles(0), cycles(0)).verdict, Verdict::same);
}

TEST(Difference, RoundingIsNoDifference) {
  EXPECT_EQ(difference(common_figure("seconds"), Quantity{0.1 + 0.2, "s", {}}, Quantity{0.3, "s", {}}).verdict,
            Verdict::same);
  EXPECT_EQ(difference(common_figure("seconds"), Quantity{0.3 + 1e-9, "s", {}}, Quantity{0.3, "s", {}}).verdict,
            Verdict::worse);
}

TEST(Difference, MissingFiguresAreSaidToBeMissing) {
  const FigureDifference gone = difference(common_figure("cycles"), std::nullopt, cycles(5));
  EXPECT_EQ(gone.verdict, Verdict::missing);
  EXPECT_FALSE(gone.absolute || gone.relative || gone.origin());
  EXPECT_EQ(difference(common_figure("cycles"), cycles(5), std::nullopt).verdict, Verdict::missing);
}

TEST(Difference, KeepsOriginsAndTakesTheWeaker) {
  const FigureDifference mixed =
      difference(common_figure("cycles"), cycles(5, Origin::simulated), cycles(6, Origin::estimate));
  EXPECT_EQ(mixed.value->origin, Origin::simulated);
  EXPECT_EQ(mixed.reference->origin, Origin::estimate);
  EXPECT_EQ(mixed.origin(), Origin::estimate);
}

TEST(CompareMetrics, EveryFigureOfBothInOrder) {
  artifact::Metrics now = metrics(80, 10), before = metrics(100, 20);
  now.target_figures[1].text = "columns";
  before.target_figures.push_back({"old_figure", {3, "", Origin::derived}});
  const auto compared = compare_metrics(now, before, {}, own_figures());
  std::vector<std::string> keys;
  for (const auto& each : compared) keys.push_back(each.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"macs", "cycles", "seconds", "utilization", "bytes_in", "bytes_out",
                                            "bytes_weights", "bytes", "work_per_step", "strategy", "old_figure"}));
  EXPECT_EQ(find(compared, "macs")->verdict, Verdict::same);
  EXPECT_EQ(find(compared, "bytes")->absolute, -10);
  const FigureDifference* words = find(compared, "strategy");
  EXPECT_EQ(words->text, "columns");
  EXPECT_EQ(words->reference_text, "rows");
  EXPECT_EQ(words->verdict, Verdict::changed);
  EXPECT_FALSE(words->absolute);
  EXPECT_EQ(find(compared, "old_figure")->verdict, Verdict::missing);
  EXPECT_EQ(find(compared, "work_per_step")->label, "Work / step");
}

TEST(CompareMetrics, AnotherMachineLeavesSecondsBytesAndMacs) {
  const auto compared = compare_metrics(metrics(80, 10), metrics(100, 20), {false, false}, own_figures());
  std::vector<std::string> keys;
  for (const auto& each : compared) keys.push_back(each.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"macs", "seconds", "bytes_in", "bytes_out", "bytes_weights", "bytes"}));
}

TEST(CompareMetrics, ClocksDecideWhetherCyclesAreComparable) {
  EXPECT_EQ(comparability("nve", "100", "nve", "100"), (Comparability{true, true}));
  EXPECT_EQ(comparability("nve", "200", "nve", "100"), (Comparability{false, true}));
  EXPECT_EQ(comparability("nve", "100", "nmp", "100"), (Comparability{false, false}));
  EXPECT_EQ(find(compare_metrics(metrics(1, 1), metrics(1, 1), {false, true}, own_figures()), "cycles"), nullptr);
}

TEST(CompareMetrics, BytesAreAsGoodAsTheCyclesBesideThem) {
  artifact::Metrics estimated = metrics(1, 1), simulated = metrics(1, 1);
  estimated.cycles.origin = Origin::estimate;
  simulated.cycles.origin = Origin::simulated;
  EXPECT_EQ(figure(estimated, "bytes_in")->origin, Origin::estimate);
  EXPECT_EQ(figure(simulated, "bytes_in")->origin, Origin::derived);
  EXPECT_FALSE(figure(simulated, "no such figure"));
}

}  // namespace
}  // namespace convscope::analysis
