#include <algorithm>
#include <cmath>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

FloatTensor transposed(const FloatTensor& matrix) {
  const std::int64_t rows = matrix.dimensions[0], columns = matrix.dimensions[1];
  FloatTensor result{matrix.type, {columns, rows}, std::vector<double>(matrix.values.size())};
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t x = 0; x < columns; ++x)
      result.values[as_size(x * rows + y)] = matrix.values[as_size(y * columns + x)];
  }
  return result;
}

/// out[rows][columns] += a[rows][depth] * b[depth][columns]
void multiply(const double* a, const double* b, std::int64_t rows, std::int64_t depth, std::int64_t columns,
              double* out) {
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t k = 0; k < depth; ++k) {
      const double factor = a[y * depth + k];
      for (std::int64_t x = 0; x < columns; ++x) out[y * columns + x] += factor * b[k * columns + x];
    }
  }
}

bool run_gemm(Call& call) {
  FloatTensor a = call.in(0), b = call.in(1);
  if (a.dimensions.size() > 2) a.dimensions = {a.dimensions[0], network::product(a.dimensions, 1, a.dimensions.size())};
  if (a.dimensions.size() != 2 || b.dimensions.size() != 2) return call.fail("multiplies what are no matrices");
  if (call.attributes().integer("transA", 0) != 0) a = transposed(a);
  if (call.attributes().integer("transB", 0) != 0) b = transposed(b);
  if (a.dimensions[1] != b.dimensions[0]) return call.fail("its matrices don't fit");
  FloatTensor& out = call.out();
  multiply(a.values.data(), b.values.data(), a.dimensions[0], a.dimensions[1], b.dimensions[1], out.values.data());
  const double alpha = call.attributes().real("alpha", 1), beta = call.attributes().real("beta", 1);
  for (double& value : out.values) value *= alpha;
  const FloatTensor* c = call.input(2);
  if (!c) return true;
  if (c->dimensions.size() > 2) return call.fail("adds more than a matrix");
  for (std::size_t i = 1; i <= c->dimensions.size(); ++i) {
    const std::int64_t own = c->dimensions[c->dimensions.size() - i];
    if (own != 1 && own != out.dimensions[2 - i]) return call.fail("what it adds doesn't fit");
  }
  walk<2>(out.dimensions, {strides_of(out.dimensions), stretched_strides(c->dimensions, out.dimensions)},
          [&](const auto& at) { out.values[as_size(at[0])] += beta * c->values[as_size(at[1])]; });
  return true;
}

/// numpy.matmul of stacks of matrices.
bool multiply_stacks(Call& call, const FloatTensor& a, const FloatTensor& b) {
  Dimensions left = a.dimensions, right = b.dimensions;
  if (left.empty() || right.empty()) return call.fail("multiplies a scalar");
  if (left.size() == 1) left.insert(left.begin(), 1);
  if (right.size() == 1) right.push_back(1);
  const std::int64_t rows = left[left.size() - 2], depth = left.back(), columns = right.back();
  if (right[right.size() - 2] != depth) return call.fail("its matrices don't fit");
  left.resize(left.size() - 2);
  right.resize(right.size() - 2);
  Dimensions stack(std::max(left.size(), right.size()), 1);
  for (std::size_t i = 1; i <= stack.size(); ++i) {
    const std::int64_t l = i <= left.size() ? left[left.size() - i] : 1;
    const std::int64_t r = i <= right.size() ? right[right.size() - i] : 1;
    stack[stack.size() - i] = l == 1 ? r : l;
  }
  FloatTensor& out = call.out();
  walk<3>(stack, {strides_of(stack), stretched_strides(left, stack), stretched_strides(right, stack)},
          [&](const auto& at) {
            multiply(a.values.data() + at[1] * rows * depth, b.values.data() + at[2] * depth * columns, rows, depth,
                     columns, out.values.data() + at[0] * rows * columns);
          });
  return true;
}

bool run_matmul(Call& call) {
  return multiply_stacks(call, call.in(0), call.in(1));
}

/// Zero points are one value, or one for each row of A or column of B.
bool subtract(Call& call, FloatTensor& tensor, const FloatTensor* zero_point, bool by_column) {
  if (!zero_point || zero_point->values.empty()) return true;
  const std::size_t size = zero_point->values.size(), rank = tensor.dimensions.size();
  const AxisView view = along(tensor.dimensions, by_column || rank < 2 ? rank - 1 : rank - 2);
  if (size != 1 && size != as_size(view.size))
    return call.fail("the reference knows zero points per row and column only");
  for (std::size_t i = 0; i < tensor.values.size(); ++i)
    tensor.values[i] -= zero_point->values[size == 1 ? 0 : i / as_size(view.inner) % size];
  return true;
}

bool run_matmul_integer(Call& call) {
  FloatTensor a = call.in(0), b = call.in(1);
  if (a.dimensions.empty() || b.dimensions.empty()) return call.fail("multiplies a scalar");
  return subtract(call, a, call.input(2), false) && subtract(call, b, call.input(3), true) &&
         multiply_stacks(call, a, b);
}

/// Inputs: a, its scale and zero point, b, its scale and zero point, y's scale and zero point.
bool run_qlinear_matmul(Call& call) {
  FloatTensor a = call.in(0), b = call.in(3);
  for (const std::size_t scale : {1, 4, 6}) {
    if (call.in(scale).values.size() != 1) return call.fail("the reference knows one scale per tensor only");
  }
  if (a.dimensions.empty() || b.dimensions.empty()) return call.fail("multiplies a scalar");
  if (!subtract(call, a, call.input(2), false) || !subtract(call, b, call.input(5), true)) return false;
  if (!multiply_stacks(call, a, b)) return false;
  const double scale = call.scalar(1, 1) * call.scalar(4, 1) / call.scalar(6, 1);
  for (double& value : call.out().values)
    value = saturate(std::nearbyint(value * scale) + call.scalar(7, 0), call.out().type);
  return true;
}

}  // namespace

void add_products(OperatorTable& table) {
  table["Gemm"] = {run_gemm, 2};
  table["MatMul"] = {run_matmul, 2};
  table["MatMulInteger"] = {run_matmul_integer, 2};
  table["QLinearMatMul"] = {run_qlinear_matmul, 8};
}

}  // namespace convscope::reference
