#include "core/network/inference/rules.h"

#include <fmt/format.h>

#include "core/network/inference/convolution.h"
#include "core/network/inference/dimensions.h"

namespace convscope::network {

RuleTable all_rules() {
  RuleTable table;
  for (const auto add : {add_convolution_rules, add_pooling_rules, add_product_rules, add_elementwise_rules,
                         add_arithmetic_rules, add_constant_rules, add_reshaping_rules, add_joining_rules,
                         add_indexing_rules, add_slicing_rules, add_reduction_rules, add_normalization_rules,
                         add_quantization_rules, add_resize_rules, add_detection_rules, add_recurrent_rules})
    add(table);
  return table;
}

std::int64_t dimension(const TensorShape& shape, std::size_t axis) {
  return axis < shape.dimensions.size() ? shape.dimensions[axis] : unknown_dimension;
}

std::optional<std::size_t> axis_of(NodeView& node, std::int64_t fallback, std::size_t rank) {
  const std::int64_t axis = node.attributes().integer("axis", fallback);
  const auto position = normal_axis(axis, rank);
  if (!position) node.contradiction(fmt::format("'axis' is {} for {} dimensions", axis, rank));
  return position;
}

Rule find_rule(const RuleTable& table, const Node& node) {
  if (!is_known_domain(node)) return nullptr;
  const auto found = table.find(node.operator_name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace convscope::network
