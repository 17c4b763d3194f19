#pragma once
// A TensorFlow GraphDef as it stands in its file (tensorflow/core/framework: graph.proto, node_def.proto,
// attr_value.proto, tensor.proto, tensor_shape.proto): names, layout and types unchanged.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/graph.h"
#include "core/readers/common/report.h"

namespace convscope::readers::graphdef {

using Integers = std::vector<std::int64_t>;

/// What a file may hold; beyond, it is refused. A field of a few bytes becomes a record of some hundred.
inline constexpr std::size_t node_cap = 200'000;
inline constexpr std::size_t record_cap = 2'000'000;            ///< inputs, attributes and entries of lists together
inline constexpr std::size_t value_cap = std::size_t{1} << 24;  ///< values that stand one by one, not as bytes
inline constexpr std::size_t largest_rank = 8;

/// TensorProto. Its values are `content`, or the list that fits the type, of which the last is repeated.
struct TensorProto {
  int data_type = 0;
  network::TensorShape shape{true, {}, {}};
  std::string_view content;
  std::shared_ptr<const void> owner;   ///< of `content`
  std::vector<double> reals;           ///< float_val, double_val
  std::vector<std::int64_t> integers;  ///< int_val, int64_val, uint32_val, uint64_val, bool_val; half_val's bits
};

/// AttrValue: the members that its kind has.
struct Attribute {
  enum class Kind { none, text, integer, real, boolean, type, shape, tensor, list, function };
  Kind kind = Kind::none;
  std::string text;          ///< also a function's name
  std::int64_t integer = 0;  ///< also a boolean, and a type's number
  double real = 0;
  network::TensorShape shape;
  std::shared_ptr<const TensorProto> tensor;
  std::vector<std::int64_t> integers;  ///< of lists
  std::vector<double> reals;
};

struct NodeDef {
  std::string name;
  std::string operator_name;
  std::vector<std::string> inputs;  ///< "name", "name:1", "^name"
  std::map<std::string, Attribute, std::less<>> attributes;
  int line = 0;

  const Attribute* find(std::string_view name, Attribute::Kind kind) const;
  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  double real(std::string_view name, double fallback) const;
  bool boolean(std::string_view name, bool fallback) const;
  std::string text(std::string_view name, const std::string& fallback) const;
  /// Of a list; empty if there is none.
  std::vector<std::int64_t> integers(std::string_view name) const;
  /// The number of a DataType; 0 if there is none.
  int type(std::string_view name) const;
};

struct GraphDef {
  std::vector<NodeDef> nodes;
  std::vector<std::string> functions;  ///< of the library
  std::int64_t producer = 0;           ///< version of what wrote it
};

/// Of a DataType's number (types.proto); other if we have no such type. References count as what they refer to.
network::ElementType element_type(int data_type);
/// "DT_FLOAT", or a number; 0 if it is neither.
int data_type_of(std::string_view name);

/// Says what is wrong with a shape: negative, or beyond what a tensor may hold.
void check_shape(const network::TensorShape& shape, int line, const std::string& element, Report& report);

}  // namespace convscope::readers::graphdef
