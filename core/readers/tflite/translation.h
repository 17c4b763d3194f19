#pragma once
// From TensorFlow Lite's operators and layout to ONNX's.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/readers/common/graph_builder.h"
#include "core/readers/common/maps.h"
#include "core/readers/tflite/model.h"

namespace convscope::readers::tflite {

using Integers = std::vector<std::int64_t>;

/// Orders of axes. Of four dimensions only: other tensors keep their layout.
inline const Integers maps_first{0, 3, 1, 2};  ///< from (batch, height, width, maps)
inline const Integers maps_last{0, 2, 3, 1};   ///< back

Integers permuted(const Integers& dimensions, const Integers& order);

/// The graph under construction and how its tensors relate to the model's.
class Translation {
 public:
  Translation(const Model& model, std::shared_ptr<const void> owner, Report& report);

  const ModelTensor& tensor(std::int64_t index) const { return model_.tensors[static_cast<std::size_t>(index)]; }
  std::size_t rank(std::int64_t index) const { return tensor(index).shape.size(); }
  bool is_constant(std::int64_t index) const { return !tensor(index).data.empty(); }

  /// The model's tensor in ONNX's layout, as an operand.
  int operand(std::int64_t index);
  /// The same with the values in the file's order, behind a Transpose where that makes a difference.
  int operand_in_file_order(std::int64_t index);
  /// An operand of an operator that broadcasts to `rank` dimensions.
  int broadcast_operand(std::int64_t index, std::size_t rank);
  /// A constant with axes in another order and then other dimensions; a computed tensor gets a Transpose instead.
  int reordered(std::int64_t index, const Integers& order, const Integers& dimensions);
  /// A computed tensor's own place, for the node that makes it.
  int result(std::int64_t index);

  /// Values of a constant of integers, at most `limit`; nothing if it is computed.
  std::optional<Integers> values(std::int64_t index, std::size_t limit = 64) const;

  GraphBuilder& graph() { return graph_; }
  Report& report() { return report_; }
  std::shared_ptr<const network::Graph> finish();

 private:
  int constant(std::int64_t index, const Integers& order, const Integers& dimensions);
  void fill(network::Constant& constant, const ModelTensor& source, const Integers& order);
  /// What the tensor's integers stand for, if the file says so; its axes are in another order than the file's.
  void give_scale(int place, const ModelTensor& source, const Integers& order);
  network::TensorShape declared(const ModelTensor& tensor) const;

  const Model& model_;
  std::shared_ptr<const void> owner_;
  Report& report_;
  GraphBuilder graph_;
  std::vector<int> places_;  ///< of computed tensors; -1 until used
  std::map<std::pair<std::int64_t, std::pair<Integers, Integers>>, int> constants_;
  std::map<std::int64_t, int> in_file_order_;
  std::size_t copied_ = 0;
  bool copies_left_out_ = false;
};

/// Makes the nodes of one operator.
void translate(const ModelOperator& source, Translation& translation);

}  // namespace convscope::readers::tflite
