#pragma once
// Networks as every reader produces them and every target consumes them: layers with their tensors' shapes.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace convscope::network {

/// Height and width, in pixels; rows before columns everywhere in the project.
struct Size {
  int height = 0;
  int width = 0;
  bool operator==(const Size&) const = default;
};

/// A stack of feature maps: `maps` planes of `size` pixels.
struct Shape {
  int maps = 0;
  Size size;
  bool operator==(const Shape&) const = default;
};

/// Pixels of zeros around an input.
struct Padding {
  int top = 0, left = 0, bottom = 0, right = 0;
  bool operator==(const Padding&) const = default;
};

struct Graph;

/// A layer of a network: one row of every table. Convolutions have geometry and a connection table; other operators
/// have kernel {0, 0}, no connections and no MACs. Output map m is
///   activation(bias[m] + sum over i in inputs_of(m), y, x of
///     weight[m][i][y][x] * in[i][oy * stride.h + y * dilation.h - padding.top][ox * stride.w + x * dilation.w -
///     padding.left])
/// where pixels outside the input are zero.
/// Subsampling is folded into kernel and stride (thesis, section 2.1.2).
struct Layer {
  std::string name;                    ///< unique in its network: L1, L2, … for ConvNet descriptors
  std::string operator_name = "Conv";  ///< ONNX operator name, in every format
  Shape in;                            ///< as read by this layer: (out - 1) * stride + kernel pixels, at most
  Shape out;
  Size kernel;
  Size stride{1, 1};
  Size dilation{1, 1};
  Padding padding;
  int groups = 1;
  bool dense = false;  ///< every output map of a group takes all inputs of its group; `inputs` is empty
  std::vector<std::vector<int>>
      inputs;           ///< connection table: for each output map its input maps, ascending order not required
  int node = -1;        ///< index in Network::graph's nodes; -1 if there is no graph
  int source_line = 0;  ///< 1-based line in the file it came from; 0 if unknown

  /// Multiply-accumulates of one whole frame; biases not counted.
  std::int64_t macs() const;
  /// Input maps of an output map, from the table or from `dense` and `groups`.
  std::vector<int> inputs_of(int map) const;
  /// Connections of the table: pairs of output and input map.
  std::int64_t connections() const;
  /// Coefficients: weights and one bias per output map; none without a kernel.
  std::int64_t coefficients() const;
  bool operator==(const Layer&) const = default;
};

struct Network {
  std::string name;
  std::string source_file;  ///< as given by the user
  std::string format;       ///< id of the reader, e.g. "convnet_xml"
  std::vector<Layer> layers;
  std::shared_ptr<const Graph> graph;  ///< operators and tensors; null for ConvNet descriptors

  std::int64_t macs() const;
  bool operator==(const Network&) const = default;
};

}  // namespace convscope::network
