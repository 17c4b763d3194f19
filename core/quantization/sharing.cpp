#include "core/quantization/sharing.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace convscope::quantization {
namespace {

using network::Node;

template <std::size_t count>
bool is_one_of(const Node& node, const std::array<std::string_view, count>& names) {
  return node.domain.empty() && std::find(names.begin(), names.end(), node.operator_name) != names.end();
}

}  // namespace

bool keeps_point(const Node& node) {
  constexpr std::array<std::string_view, 17> names{
      "MaxPool",   "AveragePool",  "GlobalAveragePool", "GlobalMaxPool", "Reshape", "Flatten", "Squeeze",
      "Unsqueeze", "Transpose",    "Identity",          "Dropout",       "Pad",     "Slice",   "Split",
      "Concat",    "DepthToSpace", "SpaceToDepth"};
  return is_one_of(node, names);
}

bool wants_one_point(const Node& node) {
  return is_one_of(node, std::array<std::string_view, 4>{"Add", "Sum", "Sub", "Concat"});
}

bool is_clamp(const Node& node) {
  return is_one_of(node, std::array<std::string_view, 2>{"Relu", "Clip"});
}

bool is_product(const Node& node) {
  return is_one_of(node, std::array<std::string_view, 3>{"Conv", "Gemm", "MatMul"});
}

}  // namespace convscope::quantization
