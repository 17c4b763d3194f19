// Differences of figures: sizes, directions, and what cannot be compared.

#include "core/analysis/compare_figures.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace convscope::analysis {
namespace {

Quantity cycles(double value, Origin origin = Origin::derived) {
  return {value, "cycles", origin};
}

artifact::Metrics metrics(double of_cycles, std::int64_t bytes) {
  artifact::Metrics result;
  result.macs = 1000;
  result.cycles.value = of_cycles;
  result.seconds.value = of_cycles * 1e-8;
  result.utilization.value = 0.5;
  result.bytes_in = bytes;
  result.target_figures = {{"mac_per_instruction", "MAC / instruction", {8, "", Origin::derived}},
                           {"partition", "Partition", {1, "", Origin::estimate}, false, "KS"}};
  return result;
}

const FigureDifference* find(const std::vector<FigureDifference>& figures, std::string_view key) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& each) { return each.key == key; });
  return found == figures.end() ? nullptr : &*found;
}

TEST(Difference, FewerCyclesAreBetterMoreUtilizationIsToo) {
  const FigureDifference fewer = difference("cycles", cycles(80), cycles(100));
  EXPECT_EQ(fewer.absolute, -20);
  EXPECT_EQ(fewer.relative, -0.2);
  EXPECT_EQ(fewer.verdict, Verdict::better);
  EXPECT_EQ(difference("cycles", cycles(120), cycles(100)).verdict, Verdict::worse);
  EXPECT_EQ(difference("utilization", Quantity{0.6, "", {}}, Quantity{0.5, "", {}}).verdict, Verdict::better);
  EXPECT_EQ(difference("utilization", Quantity{0.4, "", {}}, Quantity{0.5, "", {}}).verdict, Verdict::worse);
  EXPECT_EQ(difference("bytes", Quantity{1, "byte", {}}, Quantity{2, "byte", {}}).verdict, Verdict::better);
}

TEST(Difference, NeutralFiguresChangeWithoutAJudgement) {
  for (const char* key : {"macs", "programs", "tile.TR", "seconds_hidden", "no such figure"}) {
    EXPECT_EQ(direction_of(key), Direction::neutral) << key;
    EXPECT_EQ(difference(key, cycles(2), cycles(1)).verdict, Verdict::changed) << key;
  }
  for (const char* key : {"cycles", "seconds", "seconds_dram", "bytes_in", "instructions", "bursts"})
    EXPECT_EQ(direction_of(key), Direction::less_is_better) << key;
  EXPECT_EQ(direction_of("mac_per_instruction"), Direction::more_is_better);
}

TEST(Difference, ZeroHasNoPercentage) {
  const FigureDifference from_zero = difference("cycles", cycles(5), cycles(0));
  EXPECT_EQ(from_zero.absolute, 5);
  EXPECT_FALSE(from_zero.relative);
  EXPECT_EQ(from_zero.verdict, Verdict::worse);
  const FigureDifference to_zero = difference("cycles", cycles(0), cycles(5));
  EXPECT_EQ(to_zero.relative, -1);
  EXPECT_EQ(to_zero.verdict, Verdict::better);
  EXPECT_EQ(difference("cycles", cycles(0), cycles(0)).verdict, Verdict::same);
}

TEST(Difference, RoundingIsNoDifference) {
  EXPECT_EQ(difference("seconds", Quantity{0.1 + 0.2, "s", {}}, Quantity{0.3, "s", {}}).verdict, Verdict::same);
  EXPECT_EQ(difference("seconds", Quantity{0.3 + 1e-9, "s", {}}, Quantity{0.3, "s", {}}).verdict, Verdict::worse);
}

TEST(Difference, MissingFiguresAreSaidToBeMissing) {
  const FigureDifference gone = difference("cycles", std::nullopt, cycles(5));
  EXPECT_EQ(gone.verdict, Verdict::missing);
  EXPECT_FALSE(gone.absolute || gone.relative || gone.origin());
  EXPECT_EQ(difference("cycles", cycles(5), std::nullopt).verdict, Verdict::missing);
}

TEST(Difference, KeepsOriginsAndTakesTheWeaker) {
  const FigureDifference mixed = difference("cycles", cycles(5, Origin::simulated), cycles(6, Origin::estimate));
  EXPECT_EQ(mixed.value->origin, Origin::simulated);
  EXPECT_EQ(mixed.reference->origin, Origin::estimate);
  EXPECT_EQ(mixed.origin(), Origin::estimate);
}

TEST(CompareMetrics, EveryFigureOfBothInOrder) {
  artifact::Metrics now = metrics(80, 10), before = metrics(100, 20);
  now.target_figures[1].text = "OFM";
  before.target_figures.push_back({"old_figure", "", {3, "", Origin::derived}});
  const auto compared = compare_metrics(now, before, {});
  std::vector<std::string> keys;
  for (const auto& each : compared) keys.push_back(each.key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"macs", "cycles", "seconds", "utilization", "bytes_in", "bytes_out",
                                      "bytes_weights", "bytes", "mac_per_instruction", "partition", "old_figure"}));
  EXPECT_EQ(find(compared, "macs")->verdict, Verdict::same);
  EXPECT_EQ(find(compared, "bytes")->absolute, -10);
  const FigureDifference* words = find(compared, "partition");
  EXPECT_EQ(words->text, "OFM");
  EXPECT_EQ(words->reference_text, "KS");
  EXPECT_EQ(words->verdict, Verdict::changed);
  EXPECT_FALSE(words->absolute);
  EXPECT_EQ(find(compared, "old_figure")->verdict, Verdict::missing);
}

TEST(CompareMetrics, AnotherMachineLeavesSecondsBytesAndMacs) {
  const auto compared = compare_metrics(metrics(80, 10), metrics(100, 20), {false, false});
  std::vector<std::string> keys;
  for (const auto& each : compared) keys.push_back(each.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"macs", "seconds", "bytes_in", "bytes_out", "bytes_weights", "bytes"}));
}

TEST(CompareMetrics, ClocksDecideWhetherCyclesAreComparable) {
  EXPECT_EQ(comparability("nve", "100", "nve", "100"), (Comparability{true, true}));
  EXPECT_EQ(comparability("nve", "200", "nve", "100"), (Comparability{false, true}));
  EXPECT_EQ(comparability("nve", "100", "nmp", "100"), (Comparability{false, false}));
  EXPECT_EQ(find(compare_metrics(metrics(1, 1), metrics(1, 1), {false, true}), "cycles"), nullptr);
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
