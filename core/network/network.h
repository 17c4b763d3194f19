#pragma once
// Networks as every reader produces them and every target consumes them: layers with their tensors' shapes.

#include <cstdint>
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

/// A convolution layer with a connection table. Output map m is
///   activation(bias[m] + sum over i in inputs[m], y, x of weight[m][i][y][x] * in[i][oy * stride.h + y][ox * stride.w + x]).
/// Subsampling is folded into kernel and stride (thesis, section 2.1.2).
struct Layer {
  std::string name;                      ///< unique in its network: L1, L2, … for ConvNet descriptors
  std::string operator_name = "Conv";    ///< ONNX operator name, in every format
  Shape in;                              ///< as read by this layer: (out - 1) * stride + kernel pixels, at most
  Shape out;
  Size kernel;
  Size stride;
  int groups = 1;
  std::vector<std::vector<int>> inputs;  ///< connection table: for each output map its input maps, ascending order not required
  int source_line = 0;                   ///< 1-based line in the file it came from; 0 if unknown

  /// Multiply-accumulates of one whole frame; biases not counted.
  std::int64_t macs() const;
  /// Connections of the table = sum of inputs[m].size().
  std::int64_t connections() const;
  /// Coefficients (weights and one bias per output map).
  std::int64_t coefficients() const;
  bool operator==(const Layer&) const = default;
};

struct Network {
  std::string name;
  std::string source_file;  ///< as given by the user
  std::vector<Layer> layers;

  std::int64_t macs() const;
  bool operator==(const Network&) const = default;
};

}  // namespace convscope::network
