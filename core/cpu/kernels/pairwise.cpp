#include "core/cpu/kernels/kernels.h"

namespace convscope::cpu {
namespace {

Nodes dot(const Site& site, int lanes, const std::string& sum, const std::string& suffix) {
  return {load("i" + suffix, vector_type(lanes), image_access(site, 0, 0)),
          load("k" + suffix, vector_type(lanes), kernel_access(site, 0, 0)), fma(sum, "i" + suffix, "k" + suffix)};
}

}  // namespace

Nodes pairwise(const Site& site) {
  const int lanes = site.plan.lanes();
  const std::int64_t channels = inside_extent(site.plan, 'C');
  std::vector<std::string> sums;
  if (channels >= lanes) sums.push_back("sum");
  if (channels % lanes != 0) sums.push_back("rest");
  Nodes nodes;
  for (const std::string& sum : sums) nodes.push_back(definition(sum, vector_type(sum == "sum" ? lanes : 1)));
  for (NodePtr& node : tap_loops(site, [&](const Site& at) {
         return channel_loop(
             at, lanes, [&](const Site& c) { return dot(c, lanes, "sum", ""); },
             [&](const Site& c) { return dot(c, 1, "rest", "_rest"); });
       }))
    nodes.push_back(std::move(node));
  nodes.push_back(horizontal_add("result", sums));
  nodes.push_back(store(output_access(site, 0, 0), "result", site.accumulate));
  return nodes;
}

}  // namespace convscope::cpu
