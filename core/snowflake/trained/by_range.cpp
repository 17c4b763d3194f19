#include "core/snowflake/trained/by_range.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace convscope::snowflake {
namespace {

using quantization::Range;

constexpr int value_bits = 8 * word_bytes, most_fraction = 15;
constexpr double largest_word = 32767, words = 32768;
/// Other inputs than those that were looked at make larger values: a bit is left for what layers compute.
constexpr double headroom = 2;

bool is_pool(const ProgramLayer& layer) {
  return layer.kind == LayerKind::max_pool || layer.kind == LayerKind::average_pool;
}

int fraction_for(const Range& range) {
  return quantization::format_for(range, value_bits, {0, most_fraction}).fraction;
}

/// Regions whose maps must have the same format.
struct Group {
  Range range;
  std::optional<double> limit;
  bool limited = true;  ///< as long as all that is written into it has the same limit
  MapsFormat format;
};

class ByRange {
 public:
  ByRange(ParsedNetwork& parsed, const network::Graph& graph, const std::vector<LayerNodes>& nodes,
          const std::vector<Range>& ranges)
      : parsed_(parsed), ranges_(ranges), groups_(parsed.regions.size()), leader_(parsed.regions.size()) {
    std::iota(leader_.begin(), leader_.end(), 0);
    for (std::size_t i = 0; i < parsed.layers.size(); ++i) {
      weights_.emplace_back();
      biases_.emplace_back();
      if (const auto real = real_parameters(graph, nodes[i], parsed.layers[i].layer)) {
        weights_.back() = quantization::range_of(real->weights);
        biases_.back() = quantization::range_of(real->bias);
      }
    }
  }

  std::vector<MapsFormat> run() {
    tie();
    for (std::size_t i = 0; i < parsed_.layers.size(); ++i) look(i);
    for (std::size_t i = 0; i < groups_.size(); ++i) choose(groups_[i]);
    while (lower()) {
    }
    std::vector<MapsFormat> formats;
    for (std::size_t region = 0; region < groups_.size(); ++region)
      formats.push_back(group(static_cast<int>(region)).format);
    for (std::size_t i = 0; i < parsed_.layers.size(); ++i) set(i);
    return formats;
  }

 private:
  int find(int region) {
    while (leader_[static_cast<std::size_t>(region)] != region) region = leader_[static_cast<std::size_t>(region)];
    return region;
  }
  Group& group(int region) { return groups_[static_cast<std::size_t>(find(region))]; }

  void tie() {
    for (const ParsedLayer& each : parsed_.layers) {
      const ProgramLayer& layer = each.layer;
      if (is_pool(layer)) leader_[static_cast<std::size_t>(find(layer.in.region))] = find(layer.out.region);
      if (layer.bypass.region >= 0)
        leader_[static_cast<std::size_t>(find(layer.bypass.region))] = find(layer.out.region);
    }
  }

  /// What a layer writes, and what it reads of inputs of the program.
  void look(std::size_t index) {
    const ParsedLayer& layer = parsed_.layers[index];
    Group& out = group(layer.layer.out.region);
    add(out, layer.tensors.out, headroom);
    if (!is_pool(layer.layer)) {
      // A bias stands in a word of the output's format, even if sums leave less.
      out.range.add(biases_[index]);
      if (!layer.limit || out.limit.value_or(*layer.limit) != *layer.limit) out.limited = false;
      if (layer.limit) out.limit = layer.limit;
      if (layer.limit && (biases_[index].most > *layer.limit || biases_[index].least < -*layer.limit))
        out.limited = false;
    }
    look_input(layer.layer.in, layer.tensors.in);
    if (layer.layer.bypass.region >= 0) look_input(layer.layer.bypass, layer.tensors.bypass);
  }

  void look_input(const MapsPlace& maps, int tensor) {
    if (parsed_.regions[static_cast<std::size_t>(maps.region)].kind != RegionKind::input) return;
    add(group(maps.region), tensor, 1);
    group(maps.region).limited = false;
  }

  void add(Group& group, int tensor, double factor) {
    if (tensor < 0) return;
    const Range& range = ranges_[static_cast<std::size_t>(tensor)];
    group.range.add({range.least * factor, range.most * factor});
  }

  static void choose(Group& group) {
    const bool limited = group.limited && group.limit;
    group.format = limited ? MapsFormat{most_fraction, *group.limit * words / largest_word}
                           : MapsFormat{fraction_for(group.range), 1};
  }

  int weights_fraction(std::size_t index) {
    const ProgramLayer& layer = parsed_.layers[index].layer;
    const MapsFormat &in = group(layer.in.region).format, &out = group(layer.out.region).format;
    const double scale = in.unit / out.unit;
    const int by_weights = fraction_for({weights_[index].least * scale, weights_[index].most * scale});
    return std::min(by_weights, most_fraction + out.fraction - in.fraction);
  }

  /// Shifts go to the right: takes bits from outputs that have more than products. False if there was none. A limited
  /// group becomes one without a limit first. Ends: fractions only shrink.
  bool lower() {
    bool changed = false;
    for (std::size_t i = 0; i < parsed_.layers.size(); ++i) {
      const ProgramLayer& layer = parsed_.layers[i].layer;
      if (is_pool(layer)) continue;
      Group& out = group(layer.out.region);
      const int products = group(layer.in.region).format.fraction + weights_fraction(i);
      if (products >= out.format.fraction) continue;
      changed = true;
      if (out.format.unit != 1) {
        out.limited = false;
        choose(out);
      } else {
        out.format.fraction = products;
      }
    }
    return changed;
  }

  void set(std::size_t index) {
    ParsedLayer& parsed = parsed_.layers[index];
    ProgramLayer& layer = parsed.layer;
    const MapsFormat &in = group(layer.in.region).format, &out = group(layer.out.region).format;
    layer.in_fraction = in.fraction;
    layer.out_fraction = out.fraction;
    layer.weights_fraction = is_pool(layer) ? most_fraction : weights_fraction(index);
    layer.fraction = layer.kind == LayerKind::max_pool ? 0 : in.fraction + layer.weights_fraction - out.fraction;
    if (!parsed.limit) return;
    parsed.remarks.push_back(
        out.unit != 1
            ? fmt::format("words saturate at the upper limit of Clip: the largest stands for {:g}", *parsed.limit)
            : fmt::format("the upper limit of Clip, {:g}, is not applied", *parsed.limit));
  }

  ParsedNetwork& parsed_;
  const std::vector<Range>& ranges_;
  std::vector<Group> groups_;  ///< by region; of those that are tied the leader's counts
  std::vector<int> leader_;
  std::vector<Range> weights_, biases_;  ///< by layer
};

}  // namespace

std::vector<MapsFormat> set_fractions_by_range(ParsedNetwork& parsed, const network::Graph& graph,
                                               const std::vector<LayerNodes>& nodes, const std::vector<Range>& ranges) {
  return ByRange(parsed, graph, nodes, ranges).run();
}

}  // namespace convscope::snowflake
