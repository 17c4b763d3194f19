#pragma once
// From TensorFlow's operators and layouts to ONNX's.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/readers/common/graph_builder.h"
#include "core/readers/common/maps.h"
#include "core/readers/graphdef/model.h"
#include "core/readers/graphdef/tensor_values.h"

namespace convscope::readers::graphdef {

/// Orders of the axes of maps.
inline const Integers maps_first{0, 3, 1, 2};  ///< from (batch, height, width, maps)
inline const Integers maps_last{0, 2, 3, 1};   ///< back

/// Of a shape in this reader: the first dimension of an input, which the file leaves open. Two such dimensions are
/// equal, which two unknown ones needn't be.
inline constexpr std::int64_t open_batch = -2;

/// One number of those that shapes are computed from.
struct ShapeNumber {
  enum class Kind { known, batch, unknown };
  Kind kind = Kind::unknown;
  std::int64_t value = 0;

  static ShapeNumber of(std::int64_t dimension);  ///< a dimension of a shape
  std::int64_t dimension() const;
};

using ShapeNumbers = std::vector<ShapeNumber>;

/// What an operator of the file gives. It stands in our graph in the file's order of axes, with maps before pixels, or
/// in both ways; a constant and what shapes are computed from only once somebody takes it.
struct Value {
  std::string name;
  int node = -1;               ///< of the file
  network::TensorShape shape;  ///< in the file's order
  network::ElementType type = network::ElementType::unknown;
  int in_file_order = -1;  ///< tensor of the graph
  int with_maps_first = -1;
  std::shared_ptr<const network::Constant> constant;
  std::optional<ShapeNumbers> numbers;  ///< in row-major order, of values that are known in part
  int number_depth = 0;                 ///< how many nodes not known in full lie behind `numbers`
  int linear_node = -1;                 ///< node of the graph that made it and that has room for a bias

  bool has_rank(std::size_t rank) const { return shape.known && shape.dimensions.size() == rank; }
  bool is_maps() const { return with_maps_first >= 0 && has_rank(4); }
};

/// An input of a node: which output of which node.
struct Source {
  int node = -1;
  int output = 0;
  bool operator<(const Source& other) const { return node != other.node ? node < other.node : output < other.output; }
};

/// The graph under construction and how its tensors relate to the file's.
class Translation {
 public:
  Translation(const GraphDef& file, Report& report);

  const GraphDef& file() const { return file_; }
  const NodeDef& node(int index) const { return file_.nodes[static_cast<std::size_t>(index)]; }
  std::string element(int node) const;

  /// Inputs of each node but those that are control alone. False, with errors, if names are missing or taken twice.
  bool connect();
  const std::vector<Source>& sources(int node) const { return sources_[static_cast<std::size_t>(node)]; }
  /// Nodes so that each comes after those it takes from. False, with an error that names some, if there is a circle.
  bool order(std::vector<int>& result);
  /// How often an output is taken, and how many of a node's outputs are.
  int uses(const Source& source) const;
  int outputs_used(int node) const { return outputs_used_[static_cast<std::size_t>(node)]; }

  Value& value(const Source& source) { return values_[source]; }
  /// False where a node gave no value: it was refused, which is said.
  bool has_value(const Source& source) const { return values_.count(source) > 0; }
  Value& make(int node, int output = 0);

  /// The value as an operand, in the file's order of axes.
  int in_file_order(Value& value);
  /// The same where only the order of values counts, not their dimensions.
  int in_any_shape(Value& value);
  /// With maps before pixels. Of four dimensions, or of an unknown number, which then are four.
  int with_maps_first(Value& value);
  /// An operand that is broadcast to maps of four dimensions, of which the last ones are its own.
  int broadcast_to_maps(Value& value);
  /// Axes in another order and then other dimensions.
  int reordered(Value& value, const Integers& order, const Integers& dimensions);

  /// A node that isn't translated: of domain "tensorflow", with the file's name and order of axes.
  void keep_foreign(int node);
  /// Whether maps that a node gives are in TensorFlow's own order: so unless the first operator behind it that says
  /// something about it wants the other one. Known once `order` has run.
  bool reads_maps_last(int node) const { return layouts_[static_cast<std::size_t>(node)].value_or(true); }

  GraphBuilder& graph() { return graph_; }
  Report& report() { return report_; }
  CopyBudget& budget() { return budget_; }
  std::shared_ptr<const network::Graph> finish();

 private:
  int constant_tensor(Value& value, const Integers& order, const Integers& dimensions);
  int add(const std::string& operator_name, const std::string& name, std::vector<int> operands,
          network::Attributes attributes, network::ElementType type);
  void find_layouts(const std::vector<int>& order);
  std::optional<Source> source_of(const std::string& input, int node);

  const GraphDef& file_;
  Report& report_;
  GraphBuilder graph_;
  CopyBudget budget_;
  bool copies_left_out_ = false;
  std::map<std::string, int, std::less<>> nodes_by_name_;
  std::vector<std::vector<Source>> sources_;
  std::vector<std::vector<int>> consumers_;  ///< nodes, by node
  std::vector<int> outputs_used_;
  std::vector<std::optional<bool>> layouts_;  ///< by node: whether what takes its maps wants them last
  std::map<Source, int> uses_;
  std::map<Source, Value> values_;
};

/// Whether a change between the layouts moves any value of a shape: not with one map, nor with one pixel.
bool order_matters(const network::TensorShape& shape);

/// A shape as the graph states it, where open_batch is unknown.
network::TensorShape stated(const network::TensorShape& shape, bool maps_come_first);

}  // namespace convscope::readers::graphdef
