#include "core/cpu/generate/image_copy.h"
#include "core/cpu/generate/stages.h"
#include "core/cpu/kernels/kernels.h"
#include "core/cpu/tree/image_buffer.h"
#include "core/cpu/tree/loops.h"

namespace convscope::cpu {
namespace {

NodePtr wrapper(Kind kind, std::string name, Nodes children) {
  Node node;
  node.kind = kind;
  node.name = std::move(name);
  node.children = std::move(children);
  return make(std::move(node));
}

class NestBuilder {
 public:
  explicit NestBuilder(const Plan& plan) : plan_(plan), loops_(loop_list(plan)) {}

  Nodes build(Site site) {
    if (plan_.groups() == 1) return level(0, site);
    site.at['G'] = Affine::variable("g");
    return {loop("g", plan_.groups(), level(0, site))};
  }

 private:
  Nodes level(std::size_t depth, const Site& site) {
    if (depth == plan_.order.size()) return {microkernel(microkernel_body(site))};
    const LoopSpec* found = find_loop(loops_, plan_.order[depth]);
    if (found == nullptr) return level(depth + 1, site);  // one iteration in a smaller block of tiles
    const LoopSpec& spec = *found;
    if (spec.dimension == 'W') return runs(spec, depth, site, pixel_runs(plan_));
    if (spec.dimension == 'M' && !plan_.inside('M')) return runs(spec, depth, site, kernel_runs(plan_));
    const std::int64_t step = spec.part == LoopSpec::Part::outer ? plan_.block(spec.dimension) : 1;
    const Site inside = site.inside(spec.dimension, Affine::variable(spec.name, step));
    return {loop(spec.name, spec.trips, block_of_rows(spec.dimension, depth, inside, static_cast<int>(step)))};
  }

  /// What stands inside the loop at a depth, of so many outputs along its dimension. In the outermost one the buffer is
  /// filled before, if it holds a block of rows.
  Nodes block_of_rows(char dimension, std::size_t depth, Site inside, int outputs) {
    if (depth > 0 || plan_.padding != Padding::rows) return level(depth + 1, inside);
    const Problem& p = plan_.problem;
    const Affine first = inside.index(dimension);
    inside.buffered[dimension] = first;
    const int stride = dimension == 'H' ? p.stride_height : p.stride_width;
    Nodes nodes{copy_image(plan_, {dimension, first * stride, pixels_of(p, dimension, outputs)})};
    append(nodes, level(depth + 1, inside));
    return nodes;
  }

  /// One loop for each run of equal tiles. A blocked dimension has one run, and its outer loop goes on by a block.
  Nodes runs(const LoopSpec& spec, std::size_t depth, const Site& site, const std::vector<TileRun>& list) {
    Nodes nodes;
    for (const TileRun& run : list) {
      const std::int64_t block = spec.part == LoopSpec::Part::outer ? plan_.block(spec.dimension) : 1;
      const std::int64_t trips = spec.part == LoopSpec::Part::whole ? run.count : spec.trips;
      Affine more = Affine::variable(spec.name, run.extent * block);
      if (spec.part != LoopSpec::Part::inner) more += Affine(run.begin);
      Site inside = site.inside(spec.dimension, trips == 1 ? Affine(run.begin) : more);
      if (spec.dimension == 'W') inside.pixels = run.extent;
      if (spec.dimension == 'M') inside.columns = run.columns;
      Nodes body = spec.dimension == 'W' ? block_of_rows('W', depth, inside, static_cast<int>(run.extent * block))
                                         : level(depth + 1, inside);
      if (trips > 1) body = {loop(spec.name, trips, std::move(body))};
      nodes.insert(nodes.end(), body.begin(), body.end());
    }
    return nodes;
  }

  const Plan& plan_;
  std::vector<LoopSpec> loops_;
};

/// The outermost loops are divided over threads. Where a run of one tile has none, another stands there: over taps or
/// channels its iterations add to the same sums, and behind a block of rows all read the copy of the thread that filled
/// it.
void divide(Nodes& nodes, const Plan& plan) {
  if (plan.threads < 2) return;
  for (NodePtr& node : nodes) {
    const bool rows = plan.padding == Padding::rows && node->name != plan.order.front();
    if (node->kind != Kind::loop || !independent(node->name) || rows) continue;
    Node divided = *node;
    divided.threads = plan.threads;
    node = make(std::move(divided));
  }
}

}  // namespace

NodePtr clear_tensor(const std::string& name, std::int64_t elements) {
  Access element{name, {}, {}, Affine::variable("element")};
  return wrapper(
      Kind::clear, name,
      {loop("element", elements, {definition("zero", vector_type(1)), store(std::move(element), "zero", false)})});
}

Site first_site(const Plan& plan) {
  Site site{plan, {}, pixel_runs(plan).front().extent, {}, plan.accumulates()};
  if (!plan.inside('M')) site.columns = kernel_runs(plan).front().columns;
  return site;
}

Nodes build_loops(const Plan& plan, const Site& site) {
  return NestBuilder(plan).build(site);
}

SyntaxTree build_nest(const Plan& plan) {
  SyntaxTree tree;
  const Problem& p = plan.problem;
  tree.tensors = {{"image", plan.image, p.image(), false},
                  {"kernel", plan.weights, p.kernel(), false},
                  {"output", plan.output, p.output(), false}};
  Nodes nodes;
  if (plan.accumulates() || plan.kernel->loops == "M")
    nodes.push_back(clear_tensor("output", elements(plan.output, p.output())));
  if (is_buffer(plan.padding))
    tree.tensors.push_back({"padded", in_floats(plan.image), padded_extents(plan), true, buffer_threads(plan)});
  if (plan.padding == Padding::buffer) nodes.push_back(copy_image(plan, {}));
  Nodes loops = build_loops(plan, first_site(plan));
  divide(loops, plan);
  nodes.insert(nodes.end(), loops.begin(), loops.end());
  tree.root = block(std::move(nodes));
  return tree;
}

}  // namespace convscope::cpu
