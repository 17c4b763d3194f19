// Equations as a graph and as lines.

#include "core/winograd/artifacts/transform_artifacts.h"

#include <gtest/gtest.h>

namespace convscope::winograd {
namespace {

class TransformArtifactsTest : public testing::Test {
 protected:
  TransformArtifactsTest()
      : transform_(make_transform(2, 3, usual_points(2, 3), diagnostics_).value()),
        forms_(share(transform_.g, Way::thesis, {}, diagnostics_).value()) {}

  Diagnostics diagnostics_;
  Transform transform_;
  SharedForms forms_;
};

TEST_F(TransformArtifactsTest, GraphHasWhatDependsOnWhat) {
  const artifact::TaskGraph graph = equation_graph(forms_, Operand::kernel, transform_.g);
  ASSERT_EQ(graph.operations.size(), 9U + forms_.definitions.size() + 16U);
  EXPECT_EQ(graph.operations[0].label, "g00");
  EXPECT_EQ(graph.operations.back().label, "u33 = g22");
  EXPECT_EQ(artifact::topological_order(graph).size(), graph.operations.size());
  std::size_t terms = 0;
  for (const auto* list : {&forms_.definitions, &forms_.outputs})
    for (const LinearForm& form : *list) terms += form.size();
  EXPECT_EQ(graph.dependences.size(), terms);
  for (const artifact::TaskDependence& dependence : graph.dependences) EXPECT_LT(dependence.from, dependence.to);
}

TEST_F(TransformArtifactsTest, ListingHasPointsMatrixAndEquations) {
  const artifact::Listing listing = equation_listing(transform_, forms_, Operand::kernel);
  ASSERT_EQ(listing.lines.size(), 4U + forms_.definitions.size() + 16U);
  EXPECT_EQ(listing.lines[1].encoding, "1");
  EXPECT_EQ(listing.lines[3].encoding, "infinity");
  EXPECT_EQ(listing.lines[2].fields[1].text, "-1/2");
  EXPECT_EQ(listing.lines.back().fields[0].text, "u33 = g22");
  const artifact::TaskGraph graph = equation_graph(forms_, Operand::kernel, transform_.g);
  EXPECT_EQ(listing.lines.back().fields[0].operation, graph.operations.back().key);
  for (const artifact::ListingLine& line : listing.lines) EXPECT_EQ(line.fields.size(), listing.columns.size());
}

}  // namespace
}  // namespace convscope::winograd
