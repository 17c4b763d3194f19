#include "core/nmp/operators/pieces.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/network/inference/dimensions.h"
#include "core/network/inference/slicing.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Node;
using Numbers = std::vector<std::int64_t>;

const network::TensorShape* shape_of(const Graph& graph, int tensor) {
  return tensor < 0 ? nullptr : &graph.tensors[static_cast<std::size_t>(tensor)].shape;
}

/// An attribute, or a constant input.
std::optional<Numbers> numbers_of(const Graph& graph, const Node& node, const char* attribute, std::size_t input) {
  if (node.attributes.has(attribute)) return node.attributes.integers(attribute);
  const int tensor = input_at(node, input);
  if (tensor < 0) return Numbers{};
  const auto& constant = graph.tensors[static_cast<std::size_t>(tensor)].constant;
  return constant ? constant->integers() : std::nullopt;
}

Pieces too_many() {
  return {};
}

std::optional<Pieces> transposed(const Graph& graph, const Node& node) {
  const Numbers in = known_dimensions(graph, input_at(node, 0));
  Numbers order = node.attributes.integers("perm");
  if (order.empty())
    for (std::size_t i = in.size(); i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  Numbers sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (in.empty() || order.size() != in.size() || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return std::nullopt;
  const Numbers strides = dense_strides(in);
  BoxMove box;
  for (const std::int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(in.size())) return std::nullopt;
    box.dimensions.push_back(in[static_cast<std::size_t>(axis)]);
    box.from_strides.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  box.to_strides = dense_strides(box.dimensions);
  return pieces_of(box).value_or(too_many());
}

}  // namespace

std::optional<BoxMove> box_of_slice(const Graph& graph, const Node& node) {
  const Numbers in = known_dimensions(graph, input_at(node, 0));
  const auto starts = numbers_of(graph, node, "starts", 1), ends = numbers_of(graph, node, "ends", 2);
  auto axes = numbers_of(graph, node, "axes", 3);
  const auto steps = numbers_of(graph, node, "steps", 4);
  if (in.empty() || !starts || !ends || !axes || !steps || starts->size() != ends->size()) return std::nullopt;
  if (axes->empty()) {
    axes->resize(starts->size());
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (axes->size() != starts->size() || (!steps->empty() && steps->size() != starts->size())) return std::nullopt;
  BoxMove box{in, dense_strides(in), {}, 0, 0, 0};
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = network::normal_axis((*axes)[i], in.size());
    const std::int64_t step = steps->empty() ? 1 : (*steps)[i];
    if (!axis || step == 0) return std::nullopt;
    const network::SliceRange range = network::slice_range(in[*axis], (*starts)[i], (*ends)[i], step);
    box.dimensions[*axis] = range.count;
    box.from += range.start * box.from_strides[*axis];
    box.from_strides[*axis] *= range.step;
  }
  box.to_strides = dense_strides(box.dimensions);
  return box;
}

namespace {

std::optional<Pieces> sliced(const Graph& graph, const Node& node) {
  const auto box = box_of_slice(graph, node);
  if (!box) return std::nullopt;
  return pieces_of(*box).value_or(too_many());
}

std::optional<Pieces> gathered(const Graph& graph, const Node& node) {
  const Numbers in = known_dimensions(graph, input_at(node, 0));
  const int list = input_at(node, 1);
  const auto* list_shape = shape_of(graph, list);
  const auto& constant = list < 0 ? nullptr : graph.tensors[static_cast<std::size_t>(list)].constant;
  const auto axis = network::normal_axis(node.attributes.integer("axis", 0), in.size());
  const auto indices = constant ? constant->integers(most_moves) : std::nullopt;
  if (in.empty() || !list_shape || !axis || !indices) return std::nullopt;
  const Numbers strides = dense_strides(in);
  // What is taken lies where the index says: a box for each.
  std::vector<Pieces> parts;
  const auto count = static_cast<std::int64_t>(indices->size());
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t index = (*indices)[static_cast<std::size_t>(i)];
    index += index < 0 ? in[*axis] : 0;
    if (index < 0 || index >= in[*axis]) return std::nullopt;
    BoxMove box{in, strides, strides, index * strides[*axis], i * strides[*axis], 0};
    box.dimensions[*axis] = 1;
    for (std::size_t outer = 0; outer < *axis; ++outer) box.to_strides[outer] = strides[outer] / in[*axis] * count;
    auto part = pieces_of(box);
    if (!part) return too_many();
    parts.push_back(std::move(*part));
  }
  if (parts.size() == 1) return parts.front();
  return joined(parts, parts.empty() ? 0 : parts.front().length).value_or(too_many());
}

}  // namespace

std::vector<std::int64_t> known_dimensions(const Graph& graph, int tensor) {
  const auto* shape = shape_of(graph, tensor);
  return shape && shape->complete() ? shape->dimensions : Numbers{};
}

int input_at(const Node& node, std::size_t index) {
  return index < node.inputs.size() ? node.inputs[index] : -1;
}

std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& dimensions) {
  Numbers strides(dimensions.size());
  std::int64_t stride = 1;
  for (std::size_t i = dimensions.size(); i-- > 0; stride *= std::max<std::int64_t>(1, dimensions[i]))
    strides[i] = stride;
  return strides;
}

// The innermost dimensions along which neighbours lie side by side before and after are a piece.
std::optional<Pieces> pieces_of(const BoxMove& box) {
  Pieces pieces{1, {}};
  std::size_t outer = box.dimensions.size();
  while (outer > 0) {
    const std::size_t axis = outer - 1;
    const bool dense = box.from_strides[axis] == pieces.length && box.to_strides[axis] == pieces.length;
    if (!dense && box.dimensions[axis] != 1) break;
    pieces.length *= box.dimensions[axis];
    --outer;
  }
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < outer; ++axis) {
    count *= box.dimensions[axis];
    if (count > most_moves) return std::nullopt;
  }
  if (pieces.length == 0 || count == 0) return Pieces{0, {}};
  Numbers index(outer);
  for (std::int64_t i = 0; i < count; ++i) {
    Move move{box.operand, box.from, box.to};
    for (std::size_t axis = 0; axis < outer; ++axis) {
      move.from += index[axis] * box.from_strides[axis];
      move.to += index[axis] * box.to_strides[axis];
    }
    pieces.moves.push_back(move);
    for (std::size_t axis = outer; axis-- > 0 && ++index[axis] == box.dimensions[axis];) index[axis] = 0;
  }
  return pieces;
}

std::optional<Pieces> pieces_of(const Graph& graph, const Node& node) {
  if (node.operator_name == "Transpose") return transposed(graph, node);
  if (node.operator_name == "Slice") return sliced(graph, node);
  if (node.operator_name == "Gather") return gathered(graph, node);
  return std::nullopt;
}

std::optional<Pieces> joined(const std::vector<Pieces>& parts, std::int64_t longest) {
  Pieces all;
  for (const Pieces& part : parts) all.length = std::gcd(all.length, part.length);
  if (all.length == 0) return all;
  for (std::int64_t cuts = 2; cuts <= most_moves && all.length > longest; ++cuts)
    if (all.length % cuts == 0 && all.length / cuts <= longest) all.length /= cuts;
  for (const Pieces& part : parts)
    for (const Move& move : part.moves)
      for (std::int64_t at = 0; at < part.length; at += all.length) {
        if (static_cast<std::int64_t>(all.moves.size()) >= most_moves) return std::nullopt;
        all.moves.push_back({move.operand, move.from + at, move.to + at});
      }
  std::stable_sort(all.moves.begin(), all.moves.end(), [](const Move& a, const Move& b) {
    return std::pair(a.operand, a.from) < std::pair(b.operand, b.from);
  });
  return all;
}

}  // namespace convscope::nmp
