// Single passes: packing, fusion, circular allocation.

#include <climits>

#include <gtest/gtest.h>

#include "core/nve/passes/bind_program.h"
#include "core/nve/passes/coefficient_packing.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

// Figs 20-22: b w0 w1 | w2 w3 w4 | w5 w6 w7 w8.
TEST(CoefficientPacking, ShortensWordsBeforeNewColumns) {
  EXPECT_EQ(pack_coefficients({3, 3, 1, 1}, 1, Machine{}, true), (std::vector<int>{3, 3, 4}));
  EXPECT_EQ(pack_coefficients({3, 3, 1, 1}, 1, Machine{}, false), (std::vector<int>{4, 4, 2}));
}

TEST(CoefficientPacking, FillsWordsWhereEveryPlaceConflicts) {
  EXPECT_EQ(pack_coefficients({1, 1, 1, 1}, 14, Machine{}, true), (std::vector<int>{4, 4, 4, 3}));
}

TEST(CoefficientPacking, NeverStartsAWordWithAColumn) {
  for (int kernel = 2; kernel <= 8; ++kernel)
    for (int connections : {1, 3, 8}) {
      int start = 0;
      for (int size : pack_coefficients({kernel, 5, 1, 1}, connections, Machine{}, true)) {
        EXPECT_TRUE(start == 0 || (start - 1) % kernel != 0) << kernel << " at " << start;
        EXPECT_LE(size, 4);
        start += size;
      }
      EXPECT_EQ(start, 1 + 5 * kernel * connections);
    }
}

TEST(Fusion, SmallestDifferenceThenLargestIntersection) {
  // The example of section 5.3: I1 and I2 go together, I3 is the larger program that starts.
  const std::vector<std::vector<int>> inputs{{0, 1, 2, 3}, {1, 2, 3, 4}, {0, 2, 3, 4, 5}};
  const auto fits_two = [](const MapGroup& group) {
    return group.maps.size() > 2 ? INT_MAX : static_cast<int>(group.inputs.size());
  };
  const auto groups = fuse_maps(inputs, fits_two);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].maps, (std::vector<int>{2, 0}));
  EXPECT_EQ(groups[1].maps, (std::vector<int>{1}));
}

TEST(Fusion, KeepsMapsWithoutSharedInputsApart) {
  const auto groups = fuse_maps({{0}, {1}, {0}}, [](const MapGroup&) { return 1; });
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].maps, (std::vector<int>{0, 2}));
}

TEST(Fusion, MapsThatDoNotFitStayAlone) {
  const auto groups = fuse_maps({{0}, {0}}, [](const MapGroup&) { return INT_MAX; });
  EXPECT_EQ(groups.size(), 2U);
}

TEST(Groups, NumberInputsByFirstUse) {
  const MapGroup group = make_group({{4, 2}, {2, 7}}, {0, 1});
  EXPECT_EQ(group.inputs, (std::vector<int>{4, 2, 7}));
  EXPECT_EQ(group.structure.maps, (std::vector<std::vector<int>>{{0, 1}, {1, 2}}));
}

std::shared_ptr<const StructureProgram> scheduled(const network::Layer& layer, const Switches& switches) {
  target::NoCache cache;
  return schedule_structure({cache, {}}, make_group(layer.inputs, {0}).structure, window_of(layer), switches, {})
      .pointer();
}

// Section 4.4, Figs 18 and 19: three coefficient words at 0-2; columns in a ring behind them. A column takes three
// words here (the example's takes one).
TEST(Allocation, RingFollowsCoefficients) {
  const BufferLayout layout = scheduled(sample("filter_3x3").layers.front(), none)->layout;
  EXPECT_EQ(layout.coefficient_address(0, 2), 2);
  EXPECT_EQ(layout.offset(0, 0, 0), 3);
  EXPECT_EQ(layout.pitch, 3);
  EXPECT_EQ(layout.toggle() % layout.increment(), 0);
  EXPECT_EQ(layout.update(0, 0), 0);
  EXPECT_EQ(layout.update(layout.columns, 0), 0);
}

TEST(Allocation, CapacityIsAMultipleOfTheSubsampling) {
  for (const char* network : {"face_detection", "speed_sign"})
    for (const network::Layer& layer : sample(network).layers)
      for (const Switches& switches : {none, modulo}) {
        const auto program = scheduled(layer, switches);
        EXPECT_EQ(program->layout.columns % layer.stride.width, 0);
        EXPECT_LE(program->layout.used_words(), 288);
      }
}

TEST(Identity, OperationsKeepTheirKeysAcrossLevels) {
  const network::Layer layer = sample("face_detection").layers[1];
  const auto single = compile(layer, modulo), fused = compile(layer, fusion);
  const auto graph = single->task_graph(5);
  int found = 0;
  for (const artifact::TaskOperation& operation : graph->operations) found += fused->program_of(operation.key) >= 0;
  EXPECT_EQ(found, static_cast<int>(graph->operations.size()));
}

TEST(Artifacts, AgreeWithEachOther) {
  const auto compiled = compile(sample("face_detection").layers[1], fusion);
  for (int p = 0; p < compiled->program_count(); ++p) {
    const auto timeline = compiled->timeline(p);
    const auto listing = compiled->listing(p);
    const auto links = compiled->links(p);
    std::int64_t stored = 0;
    for (const artifact::TimelineSection& section : timeline->sections()) stored += section.length;
    EXPECT_EQ(stored, static_cast<std::int64_t>(listing->lines.size()));
    const auto graph = compiled->task_graph(p);
    for (const artifact::TaskOperation& operation : graph->operations) {
      const artifact::OperationPlace* place = links->find(operation.key);
      ASSERT_NE(place, nullptr) << operation.label;
      EXPECT_GE(place->steady_cycle, 0) << operation.label;
    }
    for (const artifact::ListingLine& line : listing->lines)
      for (const artifact::ListingField& field : line.fields)
        EXPECT_EQ(field.text.empty(), field.operation == 0) << field.text;
  }
}

}  // namespace
}  // namespace convscope::nve::test
