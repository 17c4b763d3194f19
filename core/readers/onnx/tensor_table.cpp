#include "core/readers/onnx/tensor_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "core/base/text.h"
#include "core/readers/onnx/element.h"

namespace convscope::readers::onnx_format {
namespace {

std::int64_t dimension_of(const onnx::TensorShapeProto::Dimension& dimension) {
  return dimension.has_dim_value() ? dimension.dim_value() : network::unknown_dimension;
}

network::TensorShape shape_of(const onnx::TensorShapeProto& shape) {
  network::TensorShape result;
  result.known = true;
  for (const auto& dimension : shape.dim()) {
    result.dimensions.push_back(dimension_of(dimension));
    result.symbols.push_back(clean(dimension.dim_param()));
  }
  const auto named = [](const std::string& symbol) { return !symbol.empty(); };
  if (std::none_of(result.symbols.begin(), result.symbols.end(), named)) result.symbols.clear();
  return result;
}

// Dimensions that are unknown count as one.
bool is_possible(const network::TensorShape& shape, const std::string& element, Report& report) {
  std::vector<std::int64_t> known = shape.dimensions;
  std::replace(known.begin(), known.end(), network::unknown_dimension, std::int64_t{1});
  return checked_elements(known, element, report).has_value();
}

}  // namespace

std::optional<int> TensorTable::define(std::string_view name, std::string definition, int line) {
  const auto [entry, added] = by_name_.try_emplace(std::string(name), static_cast<int>(tensors_.size()));
  if (!added) {
    const std::string& other = definitions_[static_cast<std::size_t>(entry->second)];
    report_.error(line, "tensor " + in_quotes(name), "it is both " + other + " and " + definition,
                  "one definition per name");
    return std::nullopt;
  }
  tensors_.push_back({names_.take(clean(name)), network::ElementType::unknown, {}, nullptr});
  definitions_.push_back(std::move(definition));
  return entry->second;
}

std::optional<int> TensorTable::find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

int TensorTable::unnamed(const std::string& name) {
  tensors_.push_back({names_.take(name), network::ElementType::unknown, {}, nullptr});
  definitions_.emplace_back();
  return static_cast<int>(tensors_.size()) - 1;
}

void TensorTable::set_constant(int tensor, network::Constant constant) {
  network::Tensor& target = (*this)[tensor];
  target.type = constant.type;
  target.shape = {true, constant.dimensions, {}};
  target.constant = std::make_shared<const network::Constant>(std::move(constant));
}

void TensorTable::declare(int tensor, const onnx::ValueInfoProto& info) {
  network::Tensor& target = (*this)[tensor];
  if (target.constant || !info.has_type()) return;
  if (!info.type().has_tensor_type()) {
    target.type = network::ElementType::other;
    return;
  }
  const auto& type = info.type().tensor_type();
  target.type = data_type(type.elem_type()).type;
  if (!type.has_shape()) return;
  network::TensorShape shape = shape_of(type.shape());
  if (is_possible(shape, "tensor " + in_quotes(info.name()), report_)) target.shape = std::move(shape);
}

}  // namespace convscope::readers::onnx_format
