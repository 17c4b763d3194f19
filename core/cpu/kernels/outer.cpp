// The outer product on x86: sum_j holds in lane l what kernel l ^ j gives at pixel l. Of a vector of kernels, the
// exclusive ors of lanes within 128 bit are cheap permutations; those of whole 128 bit are made first. At the end one
// round of blends for each bit of the lane's number gives rows along W.

#include <fmt/format.h>

#include "core/cpu/kernels/columns.h"
#include "core/cpu/kernels/kernels.h"

namespace convscope::cpu {
namespace {

using fmt::format;

constexpr int within = 4;  ///< lanes of 128 bit

std::vector<int> exclusive_or(int lanes, int by) {
  std::vector<int> order;
  for (int lane = 0; lane < lanes; ++lane) order.push_back(lane ^ by);
  return order;
}

/// Lane by lane from the first of two vectors, or from the second where the lane's number has the bit.
std::vector<int> blend(int lanes, int bit) {
  std::vector<int> order;
  for (int lane = 0; lane < lanes; ++lane) order.push_back((lane & bit) == 0 ? lane : lanes + lane);
  return order;
}

Nodes outer_channel(const Site& site) {
  const int lanes = site.plan.lanes();
  Nodes nodes{load("i", vector_type(lanes), image_access(site, 0, 0)),
              load("k_0", vector_type(lanes), kernel_access(site, 0, 0))};
  for (int j = 0; j < lanes; ++j) {
    const std::string k = format("k_{}", j), base = format("k_{}", j - j % within);
    if (j % within != 0) nodes.push_back(shuffle(k, base, base, exclusive_or(lanes, j % within)));
    if (j % within == 0 && j > 0) nodes.push_back(shuffle(k, "k_0", "k_0", exclusive_or(lanes, j)));
    nodes.push_back(fma(format("sum_{}", j), "i", k));
  }
  return nodes;
}

/// Whether a row of a round leads to one of the first kernels: later rounds change higher bits of its number only.
bool needed(int row, int bit, int kernels) {
  return row % (2 * bit) < kernels;
}

/// Rows along W of the first kernels, from sums; returns the stem of their names.
std::string put_in_order(int lanes, int kernels, Nodes& nodes) {
  std::string stem = "sum";
  for (int bit = 1; bit < lanes; bit *= 2) {
    const std::string next = format("row{}", bit);
    for (int j = 0; j < lanes; ++j) {
      if (!needed(j, bit, kernels)) continue;
      nodes.push_back(shuffle(format("{}_{}", next, j), format("{}_{}", stem, j), format("{}_{}", stem, j ^ bit),
                              blend(lanes, bit)));
    }
    stem = next;
  }
  return stem;
}

}  // namespace

Nodes outer_product(const Site& site) {
  const int lanes = site.plan.lanes(), kernels = site.columns.front().valid;
  Nodes nodes;
  for (int j = 0; j < lanes; ++j) nodes.push_back(definition(format("sum_{}", j), vector_type(lanes)));
  for (NodePtr& node :
       tap_loops(site, [&](const Site& at) { return channel_loop(at, 1, outer_channel, outer_channel); }))
    nodes.push_back(std::move(node));
  const std::string rows = put_in_order(lanes, kernels, nodes);
  for (int m = 0; m < kernels; ++m) {
    NodePtr row = store(output_access(site, 0, m), format("{}_{}", rows, m), site.accumulate);
    nodes.push_back(site.pixels == lanes ? row : masked(row, 0, site.pixels));
  }
  return nodes;
}

}  // namespace convscope::cpu
