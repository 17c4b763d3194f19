// Two widths in one network.

#include "core/quantization/mixed_widths.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/readers/common/graph_builder.h"

namespace convscope::quantization {
namespace {

using reference::FloatTensors;

/// Three products one after the other, the last one's sum with the second's output: that ties two of their tensors.
struct Chain {
  Diagnostics diagnostics;
  readers::Report report{"chain", diagnostics};
  int in = -1, first = -1, second = -1, third = -1, sum = -1;
  std::vector<int> weights;
  network::Graph graph;

  Chain() {
    readers::GraphBuilder builder(report);
    in = builder.input("in", {true, {1, 4, 5, 5}, {}});
    first = product(builder, "first", in, 0.3F);
    second = product(builder, "second", first, 0.7F);
    third = product(builder, "third", second, 0.11F);
    sum = builder.node({"Add", "sum", {second, third}});
    graph = *builder.finish();
    network::infer_shapes(graph, {}, "chain", diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
  int product(readers::GraphBuilder& builder, const std::string& name, int data, float step) {
    std::vector<float> values;
    for (int i = 0; i < 16; ++i) values.push_back(std::sin(step * static_cast<float>(i * i + 1)));
    weights.push_back(builder.floats(name + ".weights", {4, 4, 1, 1}, values));
    return builder.node({"Conv", name, {data, weights.back()}});
  }
  std::vector<FloatTensors> inputs() {
    std::vector<FloatTensors> made;
    for (const std::uint64_t seed : {1U, 2U}) made.push_back(*seeded_inputs(graph, seed, diagnostics));
    return made;
  }
  MixedWidths choose(double least_sqnr) {
    auto mixed = choose_widths(graph, inputs(), {16, 100, false}, {8, least_sqnr}, diagnostics);
    EXPECT_TRUE(mixed) << diagnostics.text();
    return mixed.value_or(MixedWidths{});
  }
  double sqnr(const NetworkFormats& formats) {
    const auto error = measure_error(graph, formats, inputs(), {}, diagnostics);
    return error ? error->tensors[static_cast<std::size_t>(sum)].sqnr() : 0;
  }
};

int narrow_units(const MixedWidths& mixed) {
  int count = 0;
  for (const WidthUnit& unit : mixed.units) count += unit.narrow ? 1 : 0;
  return count;
}

TEST(MixedWidths, UnitsAreWhatIsTiedAndTheWeightsBesideIt) {
  Chain net;
  const auto seen = observe(net.graph, net.inputs(), {}, net.diagnostics);
  ASSERT_TRUE(seen);
  std::vector<std::vector<int>> units;
  for (const WidthUnit& unit : width_units(net.graph, *seen, 8)) {
    units.push_back(unit.tensors);
    EXPECT_GT(unit.bits_saved, 0);
  }
  const auto sorted = [](std::vector<int> tensors) {
    std::sort(tensors.begin(), tensors.end());
    return tensors;
  };
  EXPECT_THAT(
      units, testing::UnorderedElementsAre(sorted({net.in, net.weights[0]}), sorted({net.first, net.weights[1]}),
                                           sorted({net.second, net.third, net.weights[2]}), std::vector<int>{net.sum}));
}

TEST(MixedWidths, NarrowsWhatTheBoundAllows) {
  Chain net;
  int before = 5;
  for (const double bound : {10.0, 34.0, 38.0, 44.0, 60.0}) {
    const MixedWidths mixed = net.choose(bound);
    ASSERT_TRUE(mixed.bound_met) << bound;
    EXPECT_GE(net.sqnr(mixed.formats), bound);
    EXPECT_LE(narrow_units(mixed), before) << bound;
    before = narrow_units(mixed);
    for (const WidthUnit& unit : mixed.units)
      for (const int tensor : unit.tensors) EXPECT_EQ(mixed.formats.of(tensor).bits, unit.narrow ? 8 : 16);
  }
  EXPECT_EQ(narrow_units(net.choose(10)), 4);
  EXPECT_EQ(narrow_units(net.choose(70)), 0);
}

TEST(MixedWidths, NothingIsNarrowWhereTheBoundIsOutOfReach) {
  Chain net;
  const MixedWidths mixed = net.choose(300);
  EXPECT_FALSE(mixed.bound_met);
  EXPECT_EQ(narrow_units(mixed), 0);
}

}  // namespace
}  // namespace convscope::quantization
