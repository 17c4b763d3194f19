#include "core/cpu/kernels/columns.h"
#include "core/cpu/kernels/kernels.h"
#include "core/cpu/tree/loops.h"

namespace convscope::cpu {
namespace {

/// A scaled vector takes the element as a scalar; so do those narrower than a broadcast.
bool scaled(const Site& site, const ColumnView& m) {
  return site.plan.operand == "scale" || m.lanes < site.plan.lanes();
}

NodePtr element(const Site& site, bool scalar) {
  return broadcast(scalar ? "s" : "a", vector_type(scalar ? 1 : site.plan.lanes()), image_access(site, 0, 0));
}

/// Figure 5-6: the output is loaded and stored for each vector.
Nodes update(const Site& site, const ColumnView& m) {
  const Type type = vector_type(m.lanes);
  return {load("k" + m.suffix, type, kernel_access(site, m.offset, 0)),
          load("o" + m.suffix, type, output_access(site, 0, m.offset)),
          fma("o" + m.suffix, "k" + m.suffix, scaled(site, m) ? "s" : "a"),
          store(output_access(site, 0, m.offset), "o" + m.suffix, false)};
}

/// Figure 5-7: one sum over what is inside.
Nodes sum(const Site& site, const ColumnView& m) {
  const Type type = vector_type(m.lanes);
  const std::string total = "sum" + m.suffix, k = "k" + m.suffix;
  const auto tap = [&](const Site& at) {
    return Nodes{element(at, scaled(site, m)), load(k, type, kernel_access(at, m.offset, 0)),
                 fma(total, k, scaled(site, m) ? "s" : "a")};
  };
  Nodes nodes{definition(total, type)};
  append(nodes, tap_loops(site, [&](const Site& at) { return channel_loop(at, 1, tap, tap); }));
  nodes.push_back(store(output_access(site, 0, m.offset), total, site.accumulate));
  return nodes;
}

/// A loop over the full vectors, then the tail's one by one.
Nodes kernel_loop(const Site& site, int unrolled, const std::function<Nodes(const ColumnView&)>& body) {
  const int lanes = site.plan.lanes();
  const std::int64_t kernels = inside_extent(site.plan, 'M'), full = kernels / lanes;
  const std::string name = inner_name(site.plan, 'M');
  Nodes nodes;
  if (full == 1) append(nodes, body({"", 0, lanes, lanes}));
  if (full > 1) nodes.push_back(loop(name, full, body({"", Affine::variable(name, lanes), lanes, lanes}), unrolled));
  if (kernels == full * lanes) return nodes;
  const TileRun tail = kernel_runs(site.plan).back();
  for (const Column& column : tail.columns)
    append(nodes,
           body({"_" + std::to_string(column.offset), full * lanes + column.offset, column.lanes, column.valid}));
  return nodes;
}

}  // namespace

Nodes parallel_kernels(const Site& site) {
  if (site.plan.kernel->loops != "M") return kernel_loop(site, 1, [&](const ColumnView& m) { return sum(site, m); });
  Nodes nodes;
  const int lanes = site.plan.lanes();
  const bool whole = site.plan.operand != "scale", tail = site.plan.kernels() % lanes != 0;
  if (whole && site.plan.kernels() >= lanes) nodes.push_back(element(site, false));
  if (!whole || tail) nodes.push_back(element(site, true));
  append(nodes, kernel_loop(site, site.plan.unroll, [&](const ColumnView& m) { return update(site, m); }));
  return nodes;
}

}  // namespace convscope::cpu
