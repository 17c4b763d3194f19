#include "core/nmp/operators/movers.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/network/inference/dimensions.h"
#include "core/nmp/operators/pieces.h"
#include "core/nmp/operators/pools.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Layer;
using network::Node;
using Kind = OperatorUse::Kind;
using Numbers = std::vector<std::int64_t>;

// Elements: longer pieces are cut where that leaves equal ones; each of shorter ones would cost a command.
constexpr std::int64_t usual_piece = 2048, least_piece = 8;

const network::Constant* constant_of(const Graph& graph, int tensor) {
  return tensor < 0 ? nullptr : graph.tensors[static_cast<std::size_t>(tensor)].constant.get();
}

OperatorUse view(std::int64_t offset) {
  OperatorUse use{Kind::free, "the same values, where they are", {}, 0, 1, {}};
  use.offsets = {offset};
  return use;
}

/// Maps of rows and columns of one image; nothing of other tensors.
std::optional<network::Shape> maps_of(const Numbers& dimensions) {
  constexpr std::int64_t most = 1 << 20;
  if (dimensions.size() != 4 || dimensions[0] != 1) return std::nullopt;
  if (std::any_of(dimensions.begin(), dimensions.end(), [](std::int64_t d) { return d < 1 || d > most; }))
    return std::nullopt;
  return network::Shape{static_cast<int>(dimensions[1]),
                        {static_cast<int>(dimensions[2]), static_cast<int>(dimensions[3])}};
}

OperatorUse use_of_pieces(const Node& node, std::optional<Pieces> pieces) {
  if (!pieces) return unmapped("what it moves is not constant, or its shape not known");
  if (pieces->moves.size() == 1) return view(pieces->moves.front().from);
  if (pieces->length > 0) pieces = joined({*pieces}, usual_piece);
  if (!pieces || pieces->length == 0)
    return unmapped(
        fmt::format("it moves more than {} pieces: NMP has no instruction for {}", most_moves, node.operator_name));
  if (pieces->length < least_piece)
    return unmapped(fmt::format("it moves pieces of {}: NMP has no instruction for {}",
                                pieces->length == 1 ? "one element" : fmt::format("{} elements", pieces->length),
                                node.operator_name));
  std::string text = fmt::format("{} pieces of {} elements are copied", pieces->moves.size(), pieces->length);
  return pieces_moved(pieces->length, std::move(pieces->moves), std::move(text));
}

/// Rows and columns of some maps that follow one another, every `stride`-th.
std::optional<OperatorUse> crop(const Graph& graph, const Layer& layer, const Node& node, const BoxMove& box) {
  const auto in = maps_of(known_dimensions(graph, input_at(node, 0))), out = maps_of(box.dimensions);
  if (!in || !out) return std::nullopt;
  const std::int64_t row = in->size.width, map = row * in->size.height;
  const auto step = [&](std::size_t axis, std::int64_t dense) { return box.from_strides[axis] / dense; };
  const network::Size stride{static_cast<int>(step(2, row)), static_cast<int>(step(3, 1))};
  if (step(1, map) != 1 || stride.height < 1 || stride.width < 1) return std::nullopt;
  const std::int64_t first_map = box.from / map;
  const network::Size first{static_cast<int>(box.from % map / row), static_cast<int>(box.from % row)};
  OperatorUse use = cropped_or_padded(layer, {out->maps, in->size}, *out, {-first.height, -first.width}, stride);
  use.first_input = first_map * map;
  return use;
}

OperatorUse slice(const Graph& graph, const Layer& layer, const Node& node) {
  const auto box = box_of_slice(graph, node);
  const auto pieces = box ? pieces_of(*box) : std::nullopt;
  const bool is_view = pieces && pieces->moves.size() == 1;
  if (box && !is_view)
    if (auto use = crop(graph, layer, node, *box)) return *use;
  return use_of_pieces(node, pieces_of(graph, node));
}

// What is padded before and behind each dimension.
std::optional<Numbers> pads_of(const Graph& graph, const Node& node) {
  const char* const old = node.attributes.has("paddings") ? "paddings" : "pads";
  if (node.attributes.has(old)) return node.attributes.integers(old);
  const auto* constant = constant_of(graph, input_at(node, 1));
  return constant && input_at(node, 3) < 0 ? constant->integers() : std::nullopt;
}

bool pads_zeros(const Graph& graph, const Node& node) {
  if (node.attributes.text("mode", "constant") != "constant" || node.attributes.real("value", 0) != 0) return false;
  if (input_at(node, 2) < 0) return true;
  const auto* constant = constant_of(graph, input_at(node, 2));
  const auto value = constant ? constant->floats(1) : std::nullopt;
  return value && value->size() == 1 && value->front() == 0;
}

OperatorUse pad(const Graph& graph, const Layer& layer, const Node& node) {
  const auto in = maps_of(known_dimensions(graph, input_at(node, 0)));
  const auto out = maps_of(known_dimensions(graph, node.outputs.front()));
  const auto pads = pads_of(graph, node);
  if (!in || !out || !pads || pads->size() != 8) return unmapped("NMP pads maps, by constants");
  if (std::all_of(pads->begin(), pads->end(), [](std::int64_t p) { return p == 0; })) return view(0);
  if (!pads_zeros(graph, node)) return unmapped("NMP pads with zeros");
  const Numbers& p = *pads;
  const bool maps = p[1] != 0 || p[5] != 0, image = p[2] != 0 || p[3] != 0 || p[6] != 0 || p[7] != 0;
  if (maps && image) return unmapped("NMP pads maps or their rows and columns, not both at once");
  if (image) return cropped_or_padded(layer, *in, *out, {static_cast<int>(p[2]), static_cast<int>(p[3])}, {1, 1});
  // Maps are rows here, and their pixels columns.
  const auto as_rows = [](const network::Shape& s) {
    return network::Shape{1, {s.maps, s.size.height * s.size.width}};
  };
  return cropped_or_padded(layer, as_rows(*in), as_rows(*out), {static_cast<int>(p[1]), 0}, {1, 1});
}

/// Which input an output is made of, by ONNX's rules; -1 where it isn't the nearest of whole factors.
double source_of(const Node& node, std::int64_t output, std::int64_t in, std::int64_t factor) {
  const bool old = node.operator_name == "Upsample" || node.inputs.size() <= 2;
  const std::string how = node.attributes.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  const std::string rounding = node.attributes.text("nearest_mode", old ? "floor" : "round_prefer_floor");
  const auto o = static_cast<double>(output), f = static_cast<double>(factor);
  double x = (o + 0.5) / f - 0.5;  // the half-pixel modes are one where factors are whole
  if (how == "asymmetric") x = o / f;
  if (how == "align_corners") x = in > 1 ? o * static_cast<double>(in - 1) / static_cast<double>(in * factor - 1) : 0;
  if (how == "tf_crop_and_resize") return -1;
  if (rounding == "floor") x = std::floor(x);
  if (rounding == "ceil") x = std::ceil(x);
  if (rounding == "round_prefer_ceil") x = std::floor(x + 0.5);
  if (rounding == "round_prefer_floor") x = std::ceil(x - 0.5);
  return std::clamp(x, 0.0, static_cast<double>(in - 1));
}

bool is_nearest(const Node& node, std::int64_t in, std::int64_t factor) {
  for (std::int64_t output = 0; output < in * factor; ++output)
    if (source_of(node, output, in, factor) != static_cast<double>(output / factor)) return false;
  return true;
}

OperatorUse resize(const Graph& graph, const Layer& layer, const Node& node) {
  const auto in = maps_of(known_dimensions(graph, input_at(node, 0)));
  const auto out = maps_of(known_dimensions(graph, node.outputs.front()));
  if (!in || !out) return unmapped(unknown_shape);
  if (node.attributes.text("mode", "nearest") != "nearest" || node.attributes.integer("antialias", 0) != 0)
    return unmapped("NMP resizes to the nearest input alone");
  const network::Size factor{out->size.height / in->size.height, out->size.width / in->size.width};
  const bool whole = factor.height >= 1 && factor.width >= 1 && in->size.height * factor.height == out->size.height &&
                     in->size.width * factor.width == out->size.width && in->maps == out->maps;
  if (!whole) return unmapped("NMP resizes by whole factors, along rows and columns");
  if (!is_nearest(node, in->size.height, factor.height) || !is_nearest(node, in->size.width, factor.width))
    return unmapped(
        "it doesn't take the nearest input in the way that NMP does: the one at the output's place over the factor");
  if (factor == network::Size{1, 1}) return view(0);
  return repeated(layer, *in, factor);
}

/// Dimensions before the axis of a concatenation, and the axis; nothing if there is none.
std::optional<std::size_t> axis_of(const Graph& graph, const Node& node) {
  return network::normal_axis(node.attributes.integer("axis", 1), known_dimensions(graph, node.outputs.front()).size());
}

}  // namespace

std::optional<OperatorUse> use_of_mover(const Graph& graph, const Layer& layer, const Node& node) {
  const std::string_view name = node.operator_name;
  if (name == "Slice") return slice(graph, layer, node);
  if (name == "Transpose" || name == "Gather") return use_of_pieces(node, pieces_of(graph, node));
  if (name == "Resize" || name == "Upsample") return resize(graph, layer, node);
  if (name == "Pad") return pad(graph, layer, node);
  return std::nullopt;
}

bool joins_runs(const Graph& graph, const Node& node) {
  const Numbers out = known_dimensions(graph, node.outputs.front());
  const auto axis = axis_of(graph, node);
  return axis && std::all_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(*axis),
                             [](std::int64_t d) { return d == 1; });
}

OperatorUse use_of_concatenation(const Graph& graph, const Node& node, std::vector<bool> placed) {
  const Numbers out = known_dimensions(graph, node.outputs.front());
  const auto axis = axis_of(graph, node);
  if (out.empty()) return unmapped(unknown_shape);
  if (!axis) return unmapped("it joins what has no such axis");
  const Numbers to = dense_strides(out);
  std::vector<Pieces> parts;
  std::vector<int> tensors;
  std::int64_t before = 0;
  bool constants = false;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Numbers part = known_dimensions(graph, node.inputs[i]);
    if (part.size() != out.size()) return unmapped(unknown_shape);
    if (!placed[i]) {
      constants |= constant_of(graph, node.inputs[i]) != nullptr;
      const auto pieces =
          pieces_of({part, dense_strides(part), to, 0, before * to[*axis], static_cast<int>(tensors.size())});
      if (!pieces)
        return unmapped(fmt::format(
            "NMP joins whole maps: along another axis the parts would lie in more than {} pieces", most_moves));
      if (pieces->length > 0) parts.push_back(*pieces);
      tensors.push_back(node.inputs[i]);
    }
    before += part[*axis];
  }
  if (parts.empty()) {
    OperatorUse use{Kind::free, "its parts are stored in their places", {}, 0, 1, {}};
    use.placed = std::move(placed);
    return use;
  }
  auto pieces = joined(parts, usual_piece);
  if (!pieces) return unmapped(fmt::format("its parts would be copied in more than {} pieces", most_moves));
  if (pieces->length < least_piece)
    return unmapped(fmt::format("NMP joins whole maps: along another axis the parts would lie in pieces of {} elements",
                                pieces->length));
  OperatorUse use = pieces_moved(pieces->length, std::move(pieces->moves), "parts that lie elsewhere are copied");
  if (constants) use.computing.missing = "programs don't copy constants";
  use.tensors = std::move(tensors);
  use.placed = std::move(placed);
  return use;
}

}  // namespace convscope::nmp
