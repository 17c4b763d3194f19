#pragma once
// A graph of real numbers while it is made out of a quantized one (core/quantization/unquantizing.h): its tensors, and
// the scales that nodes state for them.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/quantization/compared_executions.h"
#include "core/quantization/own_scales.h"

namespace convscope::quantization {

/// Where the inputs of a quantized operator are: values, then their scale and zero point.
struct Operand {
  std::size_t at;
  std::size_t scale() const { return at + 1; }
  std::size_t zero() const { return at + 2; }
};

/// The first thing that can't be expressed leaves a reason, and what failed returns false, nothing or -1.
class RealGraph {
 public:
  const std::string& reason() const { return reason_; }  ///< empty: done
  ScaledGraph result() && { return std::move(result_); }

 protected:
  explicit RealGraph(const network::Graph& graph);

  network::Tensor& tensor(int index) { return result_.graph.tensors[index_of(index)]; }
  std::optional<OwnScale>& scale(int index) { return result_.scales[index_of(index)]; }
  void add_node(network::Node node) { result_.graph.nodes.push_back(std::move(node)); }

  bool fail(const network::Node& node, const std::string& why);
  int add_tensor(const std::string& name, network::TensorShape shape);
  /// What a scale is put on is held nevertheless, if something else reads it.
  void hold_what_others_read();
  /// The scale that a node states at these inputs; nothing, with a reason, if it can't be used.
  std::optional<OwnScale> stated(const network::Node& node, Operand operand, network::ElementType type,
                                 std::size_t axis);
  /// Scales above 0, of integers of 4 to 32 bits.
  bool usable(const network::Node& node, const OwnScale& own);
  /// Along this axis, if there are several scales; checks that they are as many as the tensor has indices there.
  bool fits(const network::Node& node, const OwnScale& own, int index);
  /// Gives a tensor its scale, or compares with the one that it has.
  bool give(const network::Node& node, int index, const OwnScale& own);
  /// A node that clips `from` to what the scale holds, into `to`.
  void add_clip(const network::Node& by, int from, int to, const OwnScale& own);
  /// What a reader put before an operator's activation has no scale: it is what the integers' sums stand for.
  void make_sums_real(const network::Node& node);
  /// Makes `to` the real numbers that the integers of a constant stand for.
  bool give_constant(const network::Node& node, int to, int from, const OwnScale& own);

  ScaledGraph result_;
  std::string reason_;
};

}  // namespace convscope::quantization
