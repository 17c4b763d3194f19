#include "core/network/inference/node_view.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::network {
namespace {

constexpr std::size_t rank_cap = 64;     // no format has more; a hostile file could let ranks grow from node to node
constexpr std::size_t fold_cap = 64;     // shapes are that short: larger tensors are data
constexpr std::size_t read_cap = 4096;   // of constants that are read but not kept
constexpr int contradictions_cap = 200;  // further ones tell nothing new

bool is_integer(ElementType type) {
  return type >= ElementType::int4 && type <= ElementType::boolean;
}

Values values_of(const Constant& constant) {
  Values values;
  if (is_integer(constant.type)) {
    if (const auto integers = constant.integers(read_cap)) values.assign(integers->begin(), integers->end());
  } else if (const auto floats = constant.floats(read_cap)) {
    values.assign(floats->begin(), floats->end());
  }
  return values;
}

}  // namespace

TensorShape NodeView::shape(std::size_t input) const {
  const int index = tensor_of(node_.inputs, input);
  return index < 0 ? TensorShape{} : tensor(index).shape;
}

ElementType NodeView::type(std::size_t input) const {
  const int index = tensor_of(node_.inputs, input);
  return index < 0 ? ElementType::unknown : tensor(index).type;
}

TensorShape NodeView::output_shape(std::size_t output) const {
  const int index = tensor_of(node_.outputs, output);
  return index < 0 ? TensorShape{} : tensor(index).shape;
}

ElementType NodeView::output_type(std::size_t output) const {
  const int index = tensor_of(node_.outputs, output);
  return index < 0 ? ElementType::unknown : tensor(index).type;
}

std::optional<Values> NodeView::values(std::size_t input) const {
  const int index = tensor_of(node_.inputs, input);
  if (index < 0) return std::nullopt;
  if (const auto found = state_.folded.find(index); found != state_.folded.end()) return found->second;
  const auto& constant = tensor(index).constant;
  if (!constant) return std::nullopt;
  Values values = values_of(*constant);
  if (values.empty() && shape(input).elements() != 0) return std::nullopt;
  return values;
}

std::optional<std::vector<double>> NodeView::reals(std::size_t input) const {
  const auto known = values(input);
  if (!known || std::any_of(known->begin(), known->end(), [](const auto& v) { return !v; })) return std::nullopt;
  std::vector<double> result;
  for (const auto& value : *known) result.push_back(*value);
  return result;
}

std::optional<std::vector<std::int64_t>> NodeView::integers(std::size_t input) const {
  const auto known = reals(input);
  if (!known) return std::nullopt;
  std::vector<std::int64_t> result;
  for (const double value : *known) result.push_back(saturating_integer(value));
  return result;
}

std::optional<std::vector<std::int64_t>> NodeView::integers(const char* attribute, std::size_t input) const {
  return attributes().has(attribute) ? attributes().integers(attribute) : integers(input);
}

void NodeView::set(std::size_t output, TensorShape shape, ElementType type) {
  const int index = tensor_of(node_.outputs, output);
  if (index < 0) return;
  if (type != ElementType::unknown) tensor(index).type = type;
  if (shape.dimensions.size() > rank_cap) shape = {};
  const bool out_of_range = std::any_of(shape.dimensions.begin(), shape.dimensions.end(),
                                        [](std::int64_t d) { return d < unknown_dimension || d > element_cap; });
  if (out_of_range || (shape.complete() && !shape.elements())) {
    contradiction(fmt::format("its output '{}' would have dimensions {}", tensor(index).name, shape_text(shape)),
                  fmt::format("no negative ones, and at most {} elements", element_cap));
    shape = shape_of_rank(shape.dimensions.size());
  }
  tensor(index).shape = std::move(shape);
}

void NodeView::fold(std::size_t output, Values values) {
  const int index = tensor_of(node_.outputs, output);
  if (index >= 0 && values.size() <= fold_cap) state_.folded[index] = std::move(values);
}

void NodeView::fill(std::size_t output, double value) {
  const int index = tensor_of(node_.outputs, output);
  if (index < 0 || !tensor(index).shape.complete() || tensor(index).constant) return;
  auto constant = std::make_shared<Constant>();
  constant->type = tensor(index).type;
  constant->dimensions = tensor(index).shape.dimensions;
  constant->fill = value;
  tensor(index).constant = std::move(constant);
}

Location NodeView::where() const {
  return {state_.file, node_.source_line, fmt::format("node '{}' ({})", node_.name, node_.operator_name)};
}

void NodeView::contradiction(const std::string& what, const std::string& expected) {
  if (++state_.contradictions <= contradictions_cap) state_.diagnostics.warning(where(), what, expected);
}

void NodeView::note(const std::string& what) {
  state_.diagnostics.note(where(), what);
}

}  // namespace convscope::network
