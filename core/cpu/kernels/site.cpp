#include "core/cpu/kernels/site.h"

#include <algorithm>

#include "core/cpu/tree/image_buffer.h"
#include "core/cpu/tree/loops.h"

namespace convscope::cpu {
namespace {

Affine row(const Site& site) {
  const Problem& p = site.plan.problem;
  return site.index('H') * p.stride_height + site.index('Y') * p.dilation_height;
}

Affine column(const Site& site, const Affine& w) {
  const Problem& p = site.plan.problem;
  return (site.index('W') + w) * p.stride_width + site.index('X') * p.dilation_width;
}

/// Of a Winograd path's block of tiles.
Access at_position(const Site& site, const char* tensor, const Affine& tile, const Access::Index& last) {
  return {tensor, {{'Y', site.index('Q')}, {'X', site.index('P')}, {'T', tile}, last}, {}, {}};
}

}  // namespace

Affine Site::index(char dimension) const {
  const auto found = at.find(dimension);
  return found == at.end() ? Affine() : found->second;
}

Affine Site::held(char dimension) const {
  const auto found = buffered.find(dimension);
  return found == buffered.end() ? Affine() : found->second;
}

Site Site::inside(char dimension, const Affine& more) const {
  Site site = *this;
  site.at[dimension] = index(dimension) + more;
  return site;
}

Access image_access(const Site& site, const Affine& w, const Affine& c) {
  const Plan& plan = site.plan;
  const Problem& p = plan.problem;
  if (plan.winograd()) return at_position(site, "transformed", column(site, w), {'C', site.index('C') + c});
  const bool padded = is_buffer(plan.padding);
  const Affine channel = plan.kernel->strategy == Strategy::depthwise
                             ? site.index('M') + c
                             : site.index('G') * p.group_channels() + site.index('C') + c;
  return {padded ? "padded" : "image",
          {{'H', row(site) + (padded ? site.held('H') * -p.stride_height : Affine(-p.pad_top))},
           {'W', column(site, w) + (padded ? site.held('W') * -p.stride_width : Affine(-p.pad_left))},
           {'C', channel}},
          {},
          {}};
}

Access kernel_access(const Site& site, const Affine& m, const Affine& c) {
  if (site.plan.winograd()) {
    const bool rows = site.plan.kernel->method == Method::winograd_1d;
    return {"kernel",
            {{'M', site.index('M') + m},
             {'Y', site.index(rows ? 'X' : 'Q') + Affine(site.plan.part.y.position)},
             {'X', site.index('P') + Affine(site.plan.part.x.position)},
             {'C', site.index('C') + c}},
            {},
            {}};
  }
  return {"kernel",
          {{'M', site.index('G') * site.plan.kernels() + site.index('M') + m},
           {'Y', site.index('Y')},
           {'X', site.index('X')},
           {'C', site.index('C') + c}},
          {},
          {}};
}

Access output_access(const Site& site, const Affine& w, const Affine& m) {
  if (site.plan.winograd()) return at_position(site, "products", site.index('W') + w, {'M', site.index('M') + m});
  return {"output",
          {{'H', site.index('H')},
           {'W', site.index('W') + w},
           {'M', site.index('G') * site.plan.kernels() + site.index('M') + m}},
          {},
          {}};
}

std::int64_t inside_extent(const Plan& plan, char dimension) {
  const int block = plan.block(dimension);
  return block > 0 ? block : iterations(plan, dimension);
}

Nodes tap_loops(const Site& site, const std::function<Nodes(const Site&)>& body) {
  const auto around = [&](const Site& outer, char dimension, const std::function<Nodes(const Site&)>& inner) {
    const std::int64_t trips = inside_extent(site.plan, dimension);
    if (!site.plan.inside(dimension) || trips <= 1) return inner(outer);
    const std::string name = inner_name(site.plan, dimension);
    return Nodes{loop(name, trips, inner(outer.inside(dimension, Affine::variable(name))))};
  };
  return around(site, 'Y', [&](const Site& y) { return around(y, 'X', body); });
}

Nodes channel_loop(const Site& site, int step, const std::function<Nodes(const Site&)>& body,
                   const std::function<Nodes(const Site&)>& single) {
  const std::int64_t channels = inside_extent(site.plan, 'C'), trips = channels / step, done = trips * step;
  const std::string name = inner_name(site.plan, 'C');
  Nodes nodes;
  if (trips == 1) nodes = body(site);
  if (trips > 1)
    nodes.push_back(loop(name, trips, body(site.inside('C', Affine::variable(name, step))), site.plan.unroll));
  if (channels == done) return nodes;
  const std::string rest = name + "rest";
  nodes.push_back(loop(rest, channels - done, single(site.inside('C', Affine::variable(rest) + Affine(done)))));
  return nodes;
}

}  // namespace convscope::cpu
