#include <cmath>

#include <gtest/gtest.h>

#include "ui/views/network/breakdown/breakdown_view.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

using test::made_up_snapshot;
using test::MadeUpLayer;

/// The first layer loads and computes, the network also stores.
Snapshot broken_down() {
  Snapshot snapshot = made_up_snapshot();
  auto run = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  auto layer = std::make_shared<MadeUpLayer>();
  layer->metrics_.breakdown = {{"load", 100}, {"compute", 300}};
  layer->metrics_.cycles.origin = Origin::estimate;
  run->total = layer->metrics_;
  run->total.breakdown = {{"load", 100}, {"compute", 300}, {"store", 400}};
  run->layers[0] = std::move(layer);
  snapshot.compiled = std::move(run);
  return snapshot;
}

TEST(ViewsBreakdown, StacksThePartsOfLayersInCycles) {
  const auto chart = make_breakdown_cycles(broken_down());
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->categories.size(), 2U);  // the layer that has parts, and an empty place: the network would dwarf it
  EXPECT_EQ(chart->categories[0].name, "L1");
  EXPECT_EQ(chart->categories[1].layer, -1);
  for (const BarPart& part : chart->stacks[0].parts) EXPECT_TRUE(std::isnan(part.values[1]));
  EXPECT_TRUE(make_breakdown_shares(broken_down())->aligned);
  ASSERT_EQ(chart->stacks.size(), 1U);
  EXPECT_EQ(chart->stacks[0].origin, Origin::estimate);
  ASSERT_EQ(chart->stacks[0].parts.size(), 2U);
  EXPECT_EQ(chart->stacks[0].parts[0].name, "load");
  EXPECT_EQ(chart->stacks[0].parts[1].values[0], 300);
}

TEST(ViewsBreakdown, PartsNeverShareAColourAndOperationsKeepTheirs) {
  Snapshot snapshot = broken_down();
  auto run = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  auto layer = std::make_shared<test::MadeUpLayer>("");
  layer->metrics_.breakdown = {{"multiply-accumulate", 1}, {"transfer", 1}};
  for (const char* part : {"latency", "commands", "L1", "L2", "L3", "DRAM", "waits"})
    layer->metrics_.breakdown.push_back({part, 1});
  run->layers[0] = layer;
  snapshot.compiled = run;
  const auto chart = make_breakdown_cycles(snapshot);
  ASSERT_TRUE(chart);
  const Theme& theme = light_theme();
  std::vector<QColor> colours;
  for (const BarPart& part : chart->stacks[0].parts) {
    const bool operation = part.fill.kind == BarFill::Kind::operation;
    colours.push_back(operation ? theme.colour(static_cast<artifact::OperationClass>(part.fill.index))
                                : theme.series[part.fill.index]);
  }
  ASSERT_EQ(colours.size(), 9U);
  EXPECT_EQ(colours[0], theme.multiply_accumulate);
  for (std::size_t a = 0; a < colours.size(); ++a) {
    for (std::size_t b = a + 1; b < colours.size(); ++b) EXPECT_NE(colours[a], colours[b]) << a << ' ' << b;
  }
}

TEST(ViewsBreakdown, SharesAddUpAndEndWithTheNetwork) {
  const auto chart = make_breakdown_shares(broken_down());
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->categories.size(), 2U);
  EXPECT_EQ(chart->categories[1].layer, -1);
  for (std::size_t c = 0; c < 2; ++c) {
    double sum = 0;
    for (const BarPart& part : chart->stacks[0].parts) sum += part.values[c];
    EXPECT_NEAR(sum, 100, 1e-9) << c;
  }
  EXPECT_EQ(chart->stacks[0].parts[2].values[1], 50);
}

TEST(ViewsBreakdown, IsPaintedReadAndSelectedInBothHalves) {
  const auto painter = make_breakdown_painter(broken_down());
  EXPECT_GT(test::drawn_pixels(test::painted(*painter, {900, 900}, light_theme())), 5000);
  const QRectF area(0, 0, 900, 900);
  bool cycles = false, share = false, selects = false;
  for (int y = 2; y < 900; y += 4)
    for (int x = 2; x < 900; x += 4) {
      const QString reading = painter->reading({double(x), double(y)}, area);
      cycles |= y < 450 && reading.contains("compute\n300 cycles (estimate)");
      share |= y > 450 && reading.contains("compute\n75 % (estimate)");
      const auto ref = painter->hit({double(x), double(y)}, area);
      selects |= ref && ref->layer == 0;
    }
  EXPECT_TRUE(cycles);
  EXPECT_TRUE(share);
  EXPECT_TRUE(selects);
  for (const std::size_t width : test::csv_widths(painter->csv())) EXPECT_EQ(width, 6U);
}

TEST(ViewsBreakdown, SaysWhenThereIsNothing) {
  EXPECT_EQ(make_breakdown_cycles({}), nullptr);
  Snapshot without_parts = made_up_snapshot();
  auto run = std::make_shared<engine::CompiledNetwork>(*without_parts.compiled);
  auto layer = std::make_shared<MadeUpLayer>();
  layer->metrics_.breakdown.clear();
  run->total = layer->metrics_;
  run->layers = {std::move(layer)};
  without_parts.compiled = std::move(run);
  EXPECT_EQ(make_breakdown_shares(without_parts), nullptr);
  EXPECT_GT(test::drawn_pixels(test::painted(*make_breakdown_painter({}), {600, 300}, dark_theme())), 100);
}

}  // namespace
}  // namespace convscope::ui
