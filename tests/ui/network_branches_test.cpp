// Branches between a fork and its join: found, nested, folded into one box without losing a layer.

#include <algorithm>

#include <gtest/gtest.h>

#include "netview_networks.h"
#include "ui/views/network/network_graph/branches.h"
#include "ui/views/network/network_graph/network_drawing.h"

namespace convscope::ui {
namespace {

/// Boxes of a layer each.
NetworkBoxes boxes_of(int count, std::vector<std::pair<int, int>> flows) {
  NetworkBoxes boxes;
  for (int i = 0; i < count; ++i) {
    boxes.boxes.push_back({NetworkBox::Role::layers, {i}, {}, i, -1, -1, 0});
    boxes.box_of_layer.push_back(i);
  }
  for (const auto& flow : flows) boxes.flows.push_back({flow.first, flow.second, -1});
  return boxes;
}

std::vector<std::pair<int, int>> flows_of(const NetworkBoxes& boxes) {
  std::vector<std::pair<int, int>> flows;
  for (const NetworkFlow& flow : boxes.flows) flows.emplace_back(flow.from, flow.to);
  return flows;
}

TEST(NetworkBranches, AResidualBlockIsABranchThatEndsAtItsSum) {
  const auto branches = find_branches(boxes_of(5, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}}));
  ASSERT_EQ(branches.size(), 1U);
  EXPECT_EQ(branches[0].fork, 0);
  EXPECT_EQ(branches[0].members, (std::vector<int>{1, 2, 3}));
}

TEST(NetworkBranches, OuterBranchesComeBeforeInnerOnes) {
  // 0 forks to 1 and 4; 1 forks to 2 and 3, which join in 5; 4 and 5 join in 6.
  const auto branches = find_branches(boxes_of(7, {{0, 1}, {0, 4}, {1, 2}, {1, 3}, {2, 5}, {3, 5}, {4, 6}, {5, 6}}));
  ASSERT_EQ(branches.size(), 2U);
  EXPECT_EQ(branches[0].members, (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(branches[1].members, (std::vector<int>{2, 3, 5}));
}

TEST(NetworkBranches, WhatSomebodyElseFeedsOrReadsIsNoBranch) {
  EXPECT_TRUE(find_branches(boxes_of(5, {{0, 2}, {0, 3}, {1, 2}, {2, 4}, {3, 4}})).empty());  // 1 feeds 2
  EXPECT_TRUE(find_branches(boxes_of(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {1, 4}})).empty());  // 1 is read by 4
  EXPECT_TRUE(find_branches(boxes_of(3, {{0, 1}, {0, 2}})).empty());                          // two ends
  EXPECT_TRUE(find_branches(boxes_of(3, {{0, 1}, {1, 2}})).empty());
  EXPECT_TRUE(find_branches({}).empty());
}

TEST(NetworkBranches, FoldingKeepsEveryLayerAndTheFlowsAround) {
  const NetworkBoxes boxes = boxes_of(5, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}});
  const auto branches = find_branches(boxes);
  const NetworkBoxes folded = fold_branches(boxes, branches, {0});
  ASSERT_EQ(folded.boxes.size(), 3U);
  EXPECT_EQ(folded.boxes[1].layers, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(folded.boxes[1].folded, 3);
  EXPECT_EQ(folded.boxes[1].branch, 0);
  EXPECT_EQ(flows_of(folded), (std::vector<std::pair<int, int>>{{0, 1}, {1, 2}}));
  EXPECT_EQ(folded.box_of_layer, (std::vector<int>{0, 1, 1, 1, 2}));
}

TEST(NetworkBranches, AnUnfoldedJoinTellsItsBranch) {
  const NetworkBoxes boxes = boxes_of(5, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}});
  const NetworkBoxes same = fold_branches(boxes, find_branches(boxes), {});
  EXPECT_EQ(same.boxes.size(), 5U);
  EXPECT_EQ(same.boxes[3].branch, 0);
  EXPECT_EQ(same.boxes[3].folded, 0);
  EXPECT_EQ(same.boxes[2].branch, -1);
}

TEST(NetworkBranches, TheOuterOneOfTwoFoldedBranchesIsShown) {
  const NetworkBoxes boxes = boxes_of(7, {{0, 1}, {0, 4}, {1, 2}, {1, 3}, {2, 5}, {3, 5}, {4, 6}, {5, 6}});
  const auto branches = find_branches(boxes);
  const NetworkBoxes both = fold_branches(boxes, branches, {0, 1});
  EXPECT_EQ(both.boxes.size(), 2U);
  EXPECT_EQ(both.boxes[1].branch, 0);
  const NetworkBoxes inner = fold_branches(boxes, branches, {1});
  EXPECT_EQ(inner.boxes.size(), 5U);
  EXPECT_EQ(fold_branches(boxes, branches, {17, -3}).boxes.size(), 7U);  // of another network
}

TEST(NetworkBranches, ManyNestedForksStayAffordable) {
  std::vector<std::pair<int, int>> flows;
  constexpr int count = 6000;
  for (int i = 0; i + 1 < count; ++i) {
    flows.emplace_back(i, i + 1);
    if (i + 2 < count) flows.emplace_back(i, count - 1);
  }
  for (const Branch& branch : find_branches(boxes_of(count, flows))) EXPECT_LE(branch.members.size(), 2001U);
}

TEST(NetworkBranches, AFoldedNetworkIsDrawnWithEveryLayerFound) {
  const auto network = test::residual_network();
  const NetworkDrawing open(network, NetworkDetail::blocks);
  ASSERT_EQ(open.branches().size(), 1U);
  const NetworkDrawing folded(network, NetworkDetail::blocks, {0});
  EXPECT_LT(folded.content().boxes.size(), open.content().boxes.size());
  for (int layer = 0; layer < 7; ++layer) EXPECT_GE(folded.box_of(layer), 0) << layer;
  EXPECT_TRUE(open.branch_holds(0, 3));
  EXPECT_FALSE(open.branch_holds(0, 0));
  // The box stands for its convolution, not for the sum at its end.
  EXPECT_EQ(folded.content().boxes[static_cast<std::size_t>(folded.box_of(5))].main, 3);
}

}  // namespace
}  // namespace convscope::ui
