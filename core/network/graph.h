#pragma once
// Networks as graphs of operators with named tensors: the one form into which every reader brings its format.
// Operators carry ONNX's names, attributes and layout (N, C, then space), whatever the format: a TFLite reader
// transposes, a Caffe reader renames. Unknown operators stay what they are; shapes that can't be inferred stay unknown.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/network/attributes.h"
#include "core/network/element_type.h"

namespace convscope::network {

inline constexpr std::int64_t unknown_dimension = -1;
/// Tensors with more elements than this are refused by readers: nothing that real networks hold.
inline constexpr std::int64_t element_cap = std::int64_t{1} << 34;

struct TensorShape {
  bool known = false;                    ///< false: not even the rank is known
  std::vector<std::int64_t> dimensions;  ///< unknown_dimension where unknown
  std::vector<std::string> symbols;      ///< names of dimensions ("batch"), "" where unnamed; may be shorter
  bool complete() const;                 ///< rank and all dimensions known
  /// Number of elements; nothing if incomplete, negative or beyond element_cap.
  std::optional<std::int64_t> elements() const;
  bool operator==(const TensorShape&) const = default;
};

/// Values of a constant tensor, in row-major order and the machine's byte order. `owner` keeps what `bytes` points
/// into (a mapped or read file), so that a large file is not copied. Empty bytes: the values are absent (external data
/// that isn't there); the shape stands.
struct Constant {
  ElementType type = ElementType::unknown;
  std::vector<std::int64_t> dimensions;
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
  std::optional<double> fill;  ///< every element has this value (ConstantOfShape); then `bytes` is empty

  bool present() const { return !bytes.empty() || fill.has_value(); }
  /// Up to `limit` values converted; nothing if absent, of a type without numbers, or more than `limit`.
  std::optional<std::vector<std::int64_t>> integers(std::size_t limit = 1 << 20) const;
  std::optional<std::vector<float>> floats(std::size_t limit = std::size_t{1} << 32) const;
};

/// Integer q stands for (q - zero point) * scale: one scale for all, or one for each index along `axis`; as many zero
/// points.
struct IntegerScale {
  ElementType type = ElementType::int8;  ///< as in the file; inference tells the tensor's from those before it
  std::vector<double> scales;
  std::vector<std::int64_t> zero_points;
  std::size_t axis = 0;
  bool operator==(const IntegerScale&) const = default;
};

struct Tensor {
  std::string name;
  ElementType type = ElementType::unknown;
  TensorShape shape;
  std::shared_ptr<const Constant> constant = {};  ///< null if computed or an input
  /// Where the format says of the tensor itself what its integers stand for (TensorFlow Lite); null elsewhere.
  std::shared_ptr<const IntegerScale> scale = {};
};

struct Node {
  std::string name;           ///< unique; given by rule where the file has none or repeats one
  std::string operator_name;  ///< ONNX's, or the format's own where ONNX has none
  std::string domain;         ///< "" for ONNX's own operators
  std::vector<int> inputs;    ///< indices into Graph::tensors; -1 for an absent optional input
  std::vector<int> outputs;
  Attributes attributes;
  int source_line = 0;  ///< in text formats; 0 if unknown
};

struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Node> nodes;  ///< in topological order after sort_topologically
  std::vector<int> inputs, outputs;
  int opset = 0;  ///< version of ONNX's own operators; 0: the newest meaning (Softmax's axis changed with 13)

  /// Index of the node that produces each tensor; -1 for inputs and constants.
  std::vector<int> producers() const;
};

/// Orders the nodes so that each comes after the producers of its inputs; stable. False if they form a circle:
/// then `circle` names its nodes and the order is unchanged.
bool sort_topologically(Graph& graph, std::vector<std::string>* circle = nullptr);

}  // namespace convscope::network
