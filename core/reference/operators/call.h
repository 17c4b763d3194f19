#pragma once
// One execution of an operator: what it gets and what it fills.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/graph.h"
#include "core/network/inference/dimensions.h"
#include "core/reference/executor.h"

namespace convscope::reference {

using network::Dimensions;

struct Call {
  const network::Node& node;
  int opset = 0;                           ///< 0: the newest
  std::vector<const FloatTensor*> inputs;  ///< null where absent
  std::vector<FloatTensor> outputs;        ///< shaped and typed; all values are 0 at first
  std::string problem{};

  const network::Attributes& attributes() const { return node.attributes; }
  const FloatTensor* input(std::size_t index) const { return index < inputs.size() ? inputs[index] : nullptr; }
  const FloatTensor& in(std::size_t index = 0) const { return *inputs[index]; }  ///< for inputs known to be there
  FloatTensor& out(std::size_t index = 0) { return outputs[index]; }
  bool before(int version) const { return opset != 0 && opset < version; }
  /// Value of a scalar input; the fallback if it is absent or empty.
  double scalar(std::size_t index, double fallback) const {
    const FloatTensor* tensor = input(index);
    return tensor && !tensor->values.empty() ? tensor->values.front() : fallback;
  }
  bool fail(std::string what) {
    problem = std::move(what);
    return false;
  }
};

/// Fills the outputs; false with `problem` if it can't.
using Function = bool (*)(Call&);

struct Operator {
  Function function = nullptr;
  std::size_t required = 1;  ///< inputs that must be there
};
using OperatorTable = std::map<std::string, Operator, std::less<>>;

void add_convolutions(OperatorTable& table);
void add_deformed_convolution(OperatorTable& table);
void add_pools(OperatorTable& table);
void add_products(OperatorTable& table);
void add_unary(OperatorTable& table);
void add_binary(OperatorTable& table);
void add_normalizations(OperatorTable& table);
void add_movements(OperatorTable& table);
void add_joins(OperatorTable& table);
void add_indexing(OperatorTable& table);
void add_reductions(OperatorTable& table);
void add_quantizations(OperatorTable& table);
void add_resizes(OperatorTable& table);

OperatorTable all_operators();

inline std::size_t as_size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

inline std::int64_t count_of(const Dimensions& dimensions) {
  return network::product(dimensions);
}

/// Distance between neighbours along each dimension, in row-major order.
Dimensions strides_of(const Dimensions& dimensions);
/// The same for a tensor stretched to `out`: 0 along dimensions that repeat. Its dimensions must fit.
Dimensions stretched_strides(const Dimensions& dimensions, const Dimensions& out);

/// Calls f(offsets) for each index of `dimensions` in row-major order: offsets[k] is the index's dot product with
/// strides[k].
template <std::size_t count, typename F>
void walk(const Dimensions& dimensions, const std::array<Dimensions, count>& strides, F f) {
  if (count_of(dimensions) == 0) return;
  std::array<std::int64_t, count> offsets{};
  Dimensions index(dimensions.size(), 0);
  while (true) {
    f(offsets);
    std::size_t axis = dimensions.size();
    while (axis > 0) {
      --axis;
      for (std::size_t k = 0; k < count; ++k) offsets[k] += strides[k][axis];
      if (++index[axis] < dimensions[axis]) break;
      for (std::size_t k = 0; k < count; ++k) offsets[k] -= strides[k][axis] * dimensions[axis];
      index[axis] = 0;
      if (axis == 0) return;
    }
    if (dimensions.empty()) return;
  }
}

/// A tensor seen along one axis: element (o, i, n) is values[(o * size + i) * inner + n].
struct AxisView {
  std::int64_t outer = 1, size = 1, inner = 1;
};
AxisView along(const Dimensions& dimensions, std::size_t axis);

/// Least and largest value of an integer type; infinities for others.
struct Range {
  double least, largest;
};
Range range_of(network::ElementType type);
double saturate(double value, network::ElementType type);
bool is_real(network::ElementType type);

}  // namespace convscope::reference
