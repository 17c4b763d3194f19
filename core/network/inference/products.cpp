// Matrix products: Gemm, MatMul and their quantized forms.

#include <algorithm>

#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

bool is_matrix(NodeView& node, const TensorShape& shape) {
  if (!shape.known || shape.dimensions.size() == 2) return true;
  node.contradiction(fmt::format("multiplies {}", shape_text(shape)), "matrices");
  return false;
}

void inner_must_agree(NodeView& node, std::int64_t a, std::int64_t b) {
  if (a >= 0 && b >= 0 && a != b) node.contradiction(fmt::format("multiplies rows of {} with columns of {}", a, b));
}

void infer_gemm_of(NodeView& node, std::size_t second, ElementType type) {
  TensorShape a = node.shape(0);
  const TensorShape b = node.shape(second);
  const bool transposed_a = node.attributes().integer("transA", 0) != 0;
  const bool transposed_b = node.attributes().integer("transB", 0) != 0;
  node.set(0, shape_of_rank(2), type);
  // Old exporters give Gemm what Flatten would make of the tensor.
  if (a.known && a.dimensions.size() > 2 && !transposed_a)
    a = shape_of({a.dimensions[0], product(a.dimensions, 1, a.dimensions.size())});
  if (!is_matrix(node, a) || !is_matrix(node, b)) return;
  inner_must_agree(node, dimension(a, transposed_a ? 0 : 1), dimension(b, transposed_b ? 1 : 0));
  node.set(0, Dimensions{dimension(a, transposed_a ? 1 : 0), dimension(b, transposed_b ? 0 : 1)}, type);
}

void infer_gemm(NodeView& node) {
  infer_gemm_of(node, 1, node.type(0));
}

void infer_qgemm(NodeView& node) {
  infer_gemm_of(node, 3, node.has_input(8) ? node.type(0) : ElementType::float32);
}

/// Dimensions before the matrix, without the last two.
TensorShape stack_of(const TensorShape& shape) {
  const std::size_t rank = shape.dimensions.size();
  if (rank <= 2) return shape_of({});
  return shape_of({shape.dimensions.begin(), shape.dimensions.end() - 2});
}

/// numpy.matmul: vectors become matrices and lose the added dimension again; stacks are broadcast.
void infer_matmul_of(NodeView& node, std::size_t second, ElementType type) {
  TensorShape a = node.shape(0), b = node.shape(second);
  node.set(0, TensorShape{}, type);
  if (!a.known || !b.known) return;
  if (a.dimensions.empty() || b.dimensions.empty()) return node.contradiction("multiplies a scalar", "matrices");
  const bool fused = node.operator_name() == "FusedMatMul";
  if (fused && node.attributes().integer("transA", 0) != 0 && a.dimensions.size() > 1)
    std::iter_swap(a.dimensions.end() - 1, a.dimensions.end() - 2);
  if (fused && node.attributes().integer("transB", 0) != 0 && b.dimensions.size() > 1)
    std::iter_swap(b.dimensions.end() - 1, b.dimensions.end() - 2);
  const bool vector_a = a.dimensions.size() == 1, vector_b = b.dimensions.size() == 1;
  inner_must_agree(node, a.dimensions.back(), b.dimensions[vector_b ? 0 : b.dimensions.size() - 2]);
  TensorShape out = broadcast(node, stack_of(a), stack_of(b));
  if (!out.known) return;
  if (!vector_a) out.dimensions.push_back(a.dimensions[a.dimensions.size() - 2]);
  if (!vector_b) out.dimensions.push_back(b.dimensions.back());
  node.set(0, std::move(out), type);
}

void infer_matmul(NodeView& node) {
  infer_matmul_of(node, 1, node.type(0));
}

void infer_matmul_integer(NodeView& node) {
  infer_matmul_of(node, 1, ElementType::int32);
}

void infer_qlinear_matmul(NodeView& node) {
  infer_matmul_of(node, 3, node.type(7) == ElementType::unknown ? node.type(0) : node.type(7));
}

void infer_dynamic_quantize_matmul(NodeView& node) {
  infer_matmul_of(node, 1, ElementType::float32);
}

}  // namespace

void add_product_rules(RuleTable& table) {
  table["Gemm"] = table["FusedGemm"] = infer_gemm;
  table["QGemm"] = infer_qgemm;
  table["MatMul"] = table["FusedMatMul"] = infer_matmul;
  table["MatMulInteger"] = infer_matmul_integer;
  table["QLinearMatMul"] = infer_qlinear_matmul;
  table["DynamicQuantizeMatMul"] = infer_dynamic_quantize_matmul;
}

}  // namespace convscope::network
