#include "core/cpu/kernels/columns.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::cpu {
namespace {

bool full(const Site& site, const Column& column) {
  return !column.shared && column.lanes == site.plan.lanes() && column.valid == column.lanes;
}

}  // namespace

Nodes each_column(const Site& site, const std::function<Nodes(const ColumnView&)>& make) {
  const int lanes = site.plan.lanes();
  const auto count =
      std::count_if(site.columns.begin(), site.columns.end(), [&](const Column& column) { return full(site, column); });
  Nodes nodes;
  if (count > 1)
    nodes.push_back(unroll("v", count, make({"$v", Affine::variable("v", lanes), lanes, lanes})));
  else if (count == 1)
    nodes = make({"0", 0, lanes, lanes});
  for (std::size_t i = static_cast<std::size_t>(count); i < site.columns.size(); ++i) {
    const Column& column = site.columns[i];
    if (column.shared) continue;
    for (NodePtr& node : make({fmt::format("{}", i), column.offset, column.lanes, column.valid}))
      nodes.push_back(std::move(node));
  }
  return nodes;
}

const Column* shared_column(const Site& site) {
  return !site.columns.empty() && site.columns.back().shared ? &site.columns.back() : nullptr;
}

NodePtr store_column(const Site& site, const ColumnView& column, const Affine& w, const std::string& name) {
  NodePtr whole = store(output_access(site, w, column.offset), name, site.accumulate);
  return column.valid == column.lanes ? whole : masked(std::move(whole), 0, column.valid);
}

}  // namespace convscope::cpu
