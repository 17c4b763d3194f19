#include "core/network/inference/rules.h"

#include "core/network/inference/convolution.h"

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

Rule find_rule(const RuleTable& table, const Node& node) {
  if (!is_known_domain(node)) return nullptr;
  const auto found = table.find(node.operator_name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace convscope::network
