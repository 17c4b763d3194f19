#include "core/readers/tflite/translation.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace convscope::readers::tflite {
namespace {

constexpr std::size_t copy_cap = std::size_t{64} << 20;

Integers same_order(std::size_t rank) {
  Integers order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::int64_t>(i);
  return order;
}

/// Whether a change between the layouts moves any value: not with one map, nor with one pixel.
bool order_matters(const Integers& shape) {
  return shape[3] != 1 && !(shape[1] == 1 && shape[2] == 1);
}

/// Copies elements of `size` bytes so that axis i of the result is axis order[i] of the source.
std::vector<char> reorder(std::string_view source, const Integers& shape, const Integers& order, std::size_t size) {
  const std::size_t rank = shape.size();
  std::vector<std::size_t> strides(rank, size), position(rank, 0);
  for (std::size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * static_cast<std::size_t>(shape[i]);
  std::vector<char> result(source.size());
  std::size_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += size) {
    std::memcpy(result.data() + to, source.data() + from, size);
    for (std::size_t axis = rank; axis-- > 0;) {
      const auto source_axis = static_cast<std::size_t>(order[axis]);
      from += strides[source_axis];
      if (++position[axis] < static_cast<std::size_t>(shape[source_axis])) break;
      from -= strides[source_axis] * position[axis];
      position[axis] = 0;
    }
  }
  return result;
}

}  // namespace

Integers permuted(const Integers& dimensions, const Integers& order) {
  Integers result;
  for (const std::int64_t axis : order) result.push_back(dimensions[static_cast<std::size_t>(axis)]);
  return result;
}

Translation::Translation(const Model& model, std::shared_ptr<const void> owner, Report& report)
    : model_(model), owner_(std::move(owner)), report_(report), graph_(report), places_(model.tensors.size(), -1) {
  for (const std::int64_t index : model.inputs) {
    if (is_constant(index) || places_[static_cast<std::size_t>(index)] >= 0) continue;
    const ModelTensor& input = tensor(index);
    const int place = graph_.input(input.name, declared(input), input.type);
    places_[static_cast<std::size_t>(index)] = place;
    give_scale(place, input, input.shape.size() == 4 ? maps_first : same_order(input.shape.size()));
  }
}

network::TensorShape Translation::declared(const ModelTensor& tensor) const {
  if (!tensor.ranked) return {};
  return {true, tensor.shape.size() == 4 ? permuted(tensor.shape, maps_first) : tensor.shape, {}};
}

int Translation::result(std::int64_t index) {
  int& place = places_[static_cast<std::size_t>(index)];
  if (place >= 0) return place;
  place = graph_.tensor(tensor(index).name, declared(tensor(index)), tensor(index).type);
  give_scale(place, tensor(index),
             tensor(index).shape.size() == 4 ? maps_first : same_order(tensor(index).shape.size()));
  return place;
}

void Translation::give_scale(int place, const ModelTensor& source, const Integers& order) {
  if (!source.quantized()) return;
  auto scale =
      std::make_shared<network::IntegerScale>(network::IntegerScale{source.type, source.scale, source.zero_point, 0});
  scale->zero_points.resize(source.scale.size(), source.zero_point.size() == 1 ? source.zero_point.front() : 0);
  for (std::size_t axis = 0; axis < order.size(); ++axis)
    if (order[axis] == source.quantized_axis) scale->axis = axis;
  graph_.graph().tensors[static_cast<std::size_t>(place)].scale = std::move(scale);
}

int Translation::operand(std::int64_t index) {
  if (index < 0) return -1;
  if (!is_constant(index)) return result(index);
  const Integers& shape = tensor(index).shape;
  if (shape.size() != 4) return constant(index, same_order(shape.size()), shape);
  return constant(index, maps_first, permuted(shape, maps_first));
}

int Translation::operand_in_file_order(std::int64_t index) {
  if (index < 0) return -1;
  const Integers& shape = tensor(index).shape;
  if (is_constant(index)) return constant(index, same_order(shape.size()), shape);
  if (shape.size() != 4 || !order_matters(shape)) return result(index);
  const auto [entry, added] = in_file_order_.try_emplace(index, -1);
  if (added) {
    network::Attributes attributes;
    attributes.set("perm", maps_last);
    const int source = result(index);
    entry->second = graph_.node({"Transpose", tensor(index).name + "/maps last", {source}, std::move(attributes)},
                                {true, shape, {}});
  }
  return entry->second;
}

int Translation::broadcast_operand(std::int64_t index, std::size_t rank) {
  if (index < 0 || rank != 4 || this->rank(index) >= 4) return operand(index);
  // (maps) becomes (1, 1, 1, maps) and then (1, maps, 1, 1); with fewer than two such axes values stay in order.
  Integers expanded(4 - this->rank(index), 1);
  expanded.insert(expanded.end(), tensor(index).shape.begin(), tensor(index).shape.end());
  const Integers dimensions = permuted(expanded, maps_first);
  if (this->rank(index) == 0) return operand(index);
  if (is_constant(index)) {
    const bool moves = std::count(expanded.begin(), expanded.end(), 1) < 3;
    if (!moves) return constant(index, same_order(this->rank(index)), dimensions);
  }
  const std::string name = tensor(index).name;
  const int shape = graph_.integers(name + "/four dimensions", expanded);
  const int source = is_constant(index) ? operand(index) : result(index);
  const int reshaped = graph_.node({"Reshape", name + "/expanded", {source, shape}}, {true, expanded, {}});
  network::Attributes attributes;
  attributes.set("perm", maps_first);
  return graph_.node({"Transpose", name + "/maps first", {reshaped}, std::move(attributes)}, {true, dimensions, {}});
}

int Translation::reordered(std::int64_t index, const Integers& order, const Integers& dimensions) {
  if (is_constant(index)) return constant(index, order, dimensions);
  // Computed in ONNX's layout; `order` starts from the file's.
  const int source = operand_in_file_order(index);
  network::Attributes attributes;
  attributes.set("perm", order);
  const std::string name = tensor(index).name;
  const int turned = graph_.node({"Transpose", name + "/weights", {source}, std::move(attributes)});
  const int shape = graph_.integers(name + "/weights shape", dimensions);
  return graph_.node({"Reshape", name + "/as weights", {turned, shape}}, {true, dimensions, {}});
}

int Translation::constant(std::int64_t index, const Integers& order, const Integers& dimensions) {
  const auto [entry, added] = constants_.try_emplace({index, {order, dimensions}}, -1);
  if (!added) return entry->second;
  const ModelTensor& source = tensor(index);
  entry->second = graph_.constant(source.name, dimensions, 0, source.type);
  give_scale(entry->second, source, order);
  if (network::Constant* made = graph_.constant_of(entry->second)) fill(*made, source, order);
  return entry->second;
}

void Translation::fill(network::Constant& constant, const ModelTensor& source, const Integers& order) {
  std::size_t axes = 0;  // with more than one element, in an order that differs
  Integers kept;
  for (const std::int64_t axis : order)
    if (source.shape[static_cast<std::size_t>(axis)] != 1) kept.push_back(axis);
  axes = std::is_sorted(kept.begin(), kept.end()) ? 0 : kept.size();
  if (axes == 0) {
    constant.bytes = std::as_bytes(std::span(source.data));
    constant.owner = owner_;
    return;
  }
  const auto bits = static_cast<std::size_t>(network::element_bits(source.type));
  if (bits % 8 != 0 || copied_ + source.data.size() > copy_cap) {
    if (!copies_left_out_)
      report_.note(0, fmt::format("tensor '{}'", source.name),
                   "its values, and perhaps others', are in another order than needed and too many to copy: left out");
    copies_left_out_ = true;
    return;
  }
  copied_ += source.data.size();
  give_values(constant, reorder(source.data, source.shape, order, bits / 8));
}

std::optional<Integers> Translation::values(std::int64_t index, std::size_t limit) const {
  if (index < 0 || !is_constant(index)) return std::nullopt;
  const ModelTensor& source = tensor(index);
  const network::Constant constant{source.type, source.shape, nullptr, std::as_bytes(std::span(source.data)), {}};
  return constant.integers(limit);
}

std::shared_ptr<const network::Graph> Translation::finish() {
  const std::vector<int> producers = graph_.graph().producers();
  for (const std::int64_t index : model_.outputs) {
    const int place = places_[static_cast<std::size_t>(index)];
    if (place >= 0) graph_.graph().outputs.push_back(place);
  }
  // What nothing makes and nobody feeds is fed, as in models of single operators.
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const int place = places_[i];
    if (place < 0 || producers[static_cast<std::size_t>(place)] >= 0) continue;
    auto& inputs = graph_.graph().inputs;
    if (std::find(inputs.begin(), inputs.end(), place) == inputs.end()) inputs.push_back(place);
  }
  std::vector<std::string> circle;
  if (!network::sort_topologically(graph_.graph(), &circle)) {
    report_.error(0, circle.empty() ? std::string() : fmt::format("node '{}'", circle.front()),
                  fmt::format("{} nodes depend on each other in a circle", circle.size()));
    return nullptr;
  }
  return graph_.finish();
}

}  // namespace convscope::readers::tflite
