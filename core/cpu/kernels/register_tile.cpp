// R pixels x V vectors of sums in registers.
//
//        k_0  k_1      vectors along M of one tap and channel
//   a_0   s    s       s: sum_<pixel>_<vector>
//   a_1   s    s       a: one image element of a pixel
//
// Where a tail of at most half a vector is left, two pixels share one: the weights stand in both halves, the operand
// has one pixel's element in its lower half and the other's in its upper one.

#include <algorithm>

#include <fmt/format.h>

#include "core/cpu/kernels/columns.h"
#include "core/cpu/kernels/kernels.h"

namespace convscope::cpu {
namespace {

using fmt::format;

const Affine pixel = Affine::variable("r");

std::string sum(const std::string& r, const std::string& v) {
  return format("sum_{}_{}", r, v);
}

/// Variables are written out for each pixel where two of them share a vector, by an unroll node else.
Nodes each_pixel(const Site& site, const std::function<Nodes(const std::string&, const Affine&)>& make) {
  if (site.pixels == 1) return make("0", 0);
  return {unroll("r", site.pixels, make("$r", pixel))};
}

Nodes clear_sums(const Site& site) {
  Nodes nodes = each_pixel(site, [&](const std::string& r, const Affine&) {
    return each_column(site,
                       [&](const ColumnView& v) { return Nodes{definition(sum(r, v.suffix), vector_type(v.lanes))}; });
  });
  if (shared_column(site) != nullptr)
    for (int q = 0; q < (site.pixels + 1) / 2; ++q)
      nodes.push_back(definition(format("pair_{}", q), vector_type(site.plan.lanes())));
  return nodes;
}

Nodes store_sums(const Site& site) {
  Nodes nodes = each_pixel(site, [&](const std::string& r, const Affine& w) {
    return each_column(site, [&](const ColumnView& v) { return Nodes{store_column(site, v, w, sum(r, v.suffix))}; });
  });
  if (const Column* shared = shared_column(site))
    for (int r = 0; r < site.pixels; ++r)
      nodes.push_back(masked(store(output_access(site, r, shared->offset), format("pair_{}", r / 2), site.accumulate),
                             r % 2 * shared->lanes, shared->valid));
  return nodes;
}

/// Weights of channel `c` beyond the site's.
Nodes load_weights(const Site& site, const std::string& stem, const Affine& c) {
  Nodes nodes = each_column(site, [&](const ColumnView& v) {
    return Nodes{load(stem + v.suffix, vector_type(v.lanes), kernel_access(site, v.offset, c))};
  });
  if (const Column* shared = shared_column(site)) {
    Node twice = *load(stem + "pair", vector_type(site.plan.lanes()), kernel_access(site, shared->offset, c));
    twice.count = 2;
    nodes.push_back(make(std::move(twice)));
  }
  return nodes;
}

using Multiply = std::function<NodePtr(const std::string& sum, const ColumnView& column)>;

Nodes multiply(const Site& site, const std::string& r, const Multiply& how) {
  return each_column(site, [&](const ColumnView& v) { return Nodes{how(sum(r, v.suffix), v)}; });
}

bool has_columns(const Site& site, bool narrow) {
  return std::any_of(site.columns.begin(), site.columns.end(), [&](const Column& column) {
    return !column.shared && (column.lanes < site.plan.lanes()) == narrow;
  });
}

/// One pixel's element times all vectors of its own; narrower ones take it as a scalar.
Nodes broadcast_pixel(const Site& site, const std::string& r, const Affine& w) {
  const int lanes = site.plan.lanes();
  const Access element = image_access(site, w, 0);
  const bool shared = shared_column(site) != nullptr, embedded = site.plan.operand == "embedded" && !shared;
  Nodes nodes;
  if (shared || (!embedded && has_columns(site, false))) {
    Node a = *broadcast("a_" + r, vector_type(lanes), element);
    a.assigns = shared;
    nodes.push_back(make(std::move(a)));
  }
  if (has_columns(site, true)) nodes.push_back(broadcast("s_" + r, vector_type(1), element));
  append(nodes, multiply(site, r, [&](const std::string& s, const ColumnView& v) {
           if (v.lanes < lanes) return fma(s, "k_" + v.suffix, "s_" + r);
           return embedded ? fma_memory(s, "k_" + v.suffix, element) : fma(s, "k_" + v.suffix, "a_" + r);
         }));
  return nodes;
}

/// Of the pixels that share a vector, an element that lies on padding counts 0.
Nodes shared_pixels(const Site& site) {
  const int lanes = site.plan.lanes();
  std::vector<int> halves;
  halves.reserve(static_cast<std::size_t>(lanes));
  for (int lane = 0; lane < lanes; ++lane) halves.push_back(lane < lanes / 2 ? lane : lanes + lane);
  Nodes nodes;
  for (int r = 0; r < site.pixels; ++r) {
    const std::string name = format("{}", r);
    nodes.push_back(definition("a_" + name, vector_type(lanes)));
    nodes.push_back(block(broadcast_pixel(site, name, r)));
    if (r % 2 == 0 && r + 1 < site.pixels) continue;
    const std::string first = format("a_{}", r - r % 2), both = format("b_{}", r / 2);
    nodes.push_back(shuffle(both, first, "a_" + name, halves));
    nodes.push_back(fma(format("pair_{}", r / 2), "k_pair", both));
  }
  return nodes;
}

/// The elements of all pixels, then vector by vector its weights times each: more vectors than there are registers for.
/// An element that lies on padding counts 0.
Nodes held_pixels(const Site& site) {
  const int lanes = site.plan.lanes();
  Nodes nodes;
  const auto hold = [&](const std::string& name, int width, int r) {
    Node a = *broadcast(name, vector_type(width), image_access(site, r, 0));
    a.assigns = true;
    nodes.push_back(definition(name, vector_type(width)));
    nodes.push_back(block({make(std::move(a))}));
  };
  for (int r = 0; r < site.pixels; ++r) {
    if (has_columns(site, false)) hold(format("a_{}", r), lanes, r);
    if (has_columns(site, true)) hold(format("s_{}", r), 1, r);
  }
  append(nodes, each_column(site, [&](const ColumnView& v) {
           Nodes one{load("k_" + v.suffix, vector_type(v.lanes), kernel_access(site, v.offset, 0))};
           for (int r = 0; r < site.pixels; ++r)
             one.push_back(
                 fma(sum(format("{}", r), v.suffix), "k_" + v.suffix, format("{}_{}", v.lanes < lanes ? "s" : "a", r)));
           return one;
         }));
  return nodes;
}

Nodes one_channel(const Site& site) {
  if (site.plan.operand == "held") return held_pixels(site);
  Nodes nodes = load_weights(site, "k_", 0);
  if (shared_column(site) != nullptr)
    append(nodes, shared_pixels(site));
  else
    append(nodes, each_pixel(site, [&](const std::string& r, const Affine& w) { return broadcast_pixel(site, r, w); }));
  return nodes;
}

/// Two channels: each pixel's stand in the lanes of a vector of two.
Nodes channel_pair(const Site& site) {
  Nodes nodes = load_weights(site, "k_", 0);
  append(nodes, load_weights(site, "l_", 1));
  append(nodes, each_pixel(site, [&](const std::string& r, const Affine& w) {
           Nodes both{load("a_" + r, vector_type(2), image_access(site, w, 0))};
           for (const int lane : {0, 1})
             append(both, each_column(site, [&](const ColumnView& v) {
                      return Nodes{fma_lane(sum(r, v.suffix), (lane == 0 ? "k_" : "l_") + v.suffix, "a_" + r, lane)};
                    }));
           return both;
         }));
  return nodes;
}

/// Pixels in the lanes of vectors along W.
Nodes pixel_lanes(const Site& site) {
  constexpr int lanes = 4;
  Nodes nodes = load_weights(site, "k_", 0);
  for (int r = 0; r < site.pixels; ++r) {
    const std::string vector = format("a_{}", r / lanes);
    if (r % lanes == 0) nodes.push_back(load(vector, vector_type(lanes), image_access(site, r, 0)));
    append(nodes, multiply(site, format("{}", r), [&](const std::string& s, const ColumnView& v) {
             return fma_lane(s, "k_" + v.suffix, vector, r % lanes);
           }));
  }
  return nodes;
}

}  // namespace

Nodes register_tile(const Site& site) {
  const Strategy strategy = site.plan.kernel->strategy;
  Nodes nodes = clear_sums(site);
  append(nodes, tap_loops(site, [&](const Site& at) {
           if (strategy == Strategy::wmc_lanes) return channel_loop(at, 2, channel_pair, one_channel);
           return channel_loop(at, 1, strategy == Strategy::outer_lanes ? pixel_lanes : one_channel, one_channel);
         }));
  append(nodes, store_sums(site));
  return nodes;
}

}  // namespace convscope::cpu
