#pragma once
// The rules of shape inference: one function per operator, in tables by family.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/network/inference/node_view.h"

namespace convscope::network {

/// Sets shapes and types of its node's outputs, as far as its inputs tell them. Rules trust nothing that is in a file.
using Rule = void (*)(NodeView&);
using RuleTable = std::map<std::string, Rule, std::less<>>;

void add_convolution_rules(RuleTable& table);
void add_pooling_rules(RuleTable& table);
void add_product_rules(RuleTable& table);
void add_elementwise_rules(RuleTable& table);
void add_arithmetic_rules(RuleTable& table);
void add_constant_rules(RuleTable& table);
void add_reshaping_rules(RuleTable& table);
void add_joining_rules(RuleTable& table);
void add_indexing_rules(RuleTable& table);
void add_slicing_rules(RuleTable& table);
void add_reduction_rules(RuleTable& table);
void add_normalization_rules(RuleTable& table);
void add_quantization_rules(RuleTable& table);
void add_resize_rules(RuleTable& table);
void add_detection_rules(RuleTable& table);
void add_recurrent_rules(RuleTable& table);

RuleTable all_rules();
/// Null for operators without a rule and for domains whose operators we don't know.
Rule find_rule(const RuleTable& table, const Node& node);

/// Unknown for an axis that isn't there.
std::int64_t dimension(const TensorShape& shape, std::size_t axis);
/// The attribute 'axis', counted from the front; says a contradiction if it isn't one of `rank`.
std::optional<std::size_t> axis_of(NodeView& node, std::int64_t fallback, std::size_t rank);

/// Shape of inputs broadcast against each other (ONNX, "multidirectional broadcasting"); unknown if one's rank is.
/// Says a contradiction if they don't fit.
TensorShape broadcast(NodeView& node, const TensorShape& a, const TensorShape& b);

}  // namespace convscope::network
