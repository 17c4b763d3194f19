#include <fmt/format.h>

#include "core/cpu/kernels/columns.h"
#include "core/cpu/kernels/kernels.h"

namespace convscope::cpu {
namespace {

const Affine tile_pixel = Affine::variable("r");

std::string sum(const ColumnView& v) {
  return "sum_$r_" + v.suffix;
}

Nodes one_tap(const Site& site) {
  Nodes nodes = each_column(site, [&](const ColumnView& v) {
    return Nodes{load("k_" + v.suffix, vector_type(v.lanes), kernel_access(site, v.offset, 0))};
  });
  nodes.push_back(unroll("r", site.pixels, each_column(site, [&](const ColumnView& v) {
                           const std::string element = "i_$r_" + v.suffix;
                           return Nodes{load(element, vector_type(v.lanes), image_access(site, tile_pixel, v.offset)),
                                        fma(sum(v), element, "k_" + v.suffix)};
                         })));
  return nodes;
}

}  // namespace

Nodes depthwise(const Site& site) {
  Nodes nodes{unroll("r", site.pixels, each_column(site, [](const ColumnView& v) {
                       return Nodes{definition(sum(v), vector_type(v.lanes))};
                     }))};
  for (NodePtr& node : tap_loops(site, one_tap)) nodes.push_back(std::move(node));
  nodes.push_back(unroll("r", site.pixels, each_column(site, [&](const ColumnView& v) {
                           return Nodes{store_column(site, v, tile_pixel, sum(v))};
                         })));
  return nodes;
}

}  // namespace convscope::cpu
