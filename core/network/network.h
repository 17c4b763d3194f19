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

/// Sizes as they are where rows and columns don't tell them, the outermost dimension first: [depth, height, width].
struct Space {
  std::vector<int> in, out;  ///< of tensors with more than two dimensions of space, which `Shape` holds as rows of rows
  /// Of convolutions that no machine maps (over more dimensions, transposed, deformable), whose `kernel` is {0, 0}.
  std::vector<int> kernel, stride, dilation;
  std::vector<int> padding;  ///< all before, then all behind
  bool operator==(const Space&) const = default;
};

/// Work that no kernel over rows and columns tells: of convolutions over other space, products of computed tensors and
/// recurrent operators.
struct OtherWork {
  std::int64_t macs = 0;     ///< of one image; each tap of a transposed convolution's inputs counts, cropped or not
  std::int64_t weights = 0;  ///< constant or given as inputs, without biases
  bool known = true;         ///< false: the layer multiplies, but its sizes aren't known, so neither are its MACs
  bool operator==(const OtherWork&) const = default;
};

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
  Space space = {};
  OtherWork other = {};
  std::int64_t images = 1;  ///< how often it runs when the network runs once: the first dimension of what it computes

  /// Multiply-accumulates of one whole frame; biases not counted. 0 where they aren't known.
  std::int64_t macs() const;
  bool macs_known() const { return other.known; }
  /// Whether there are MACs, known or not.
  bool multiplies() const { return kernel.height > 0 || other.macs > 0 || !other.known; }
  /// Input maps of an output map, from the table or from `dense` and `groups`.
  std::vector<int> inputs_of(int map) const;
  /// Connections of the table: pairs of output and input map.
  std::int64_t connections() const;
  /// Coefficients: weights and one bias per output map; none without a kernel.
  std::int64_t coefficients() const;
  /// [maps, …, height, width] of what is read and computed.
  std::vector<int> in_dimensions() const;
  std::vector<int> out_dimensions() const;
  /// Why a layer that multiplies has no kernel over rows and columns; empty for all others.
  std::string why_no_kernel() const;
  bool operator==(const Layer&) const = default;
};

struct Network {
  std::string name;
  std::string source_file;  ///< as given by the user
  std::string format;       ///< id of the reader, e.g. "convnet_xml"
  std::vector<Layer> layers;
  std::shared_ptr<const Graph> graph;  ///< operators and tensors; null for ConvNet descriptors
  /// Of a file that quantizes by operators, those: `graph` and `layers` are of the real numbers that they stand for.
  std::shared_ptr<const Graph> quantized_graph = {};
  int batch = 1;  ///< images of the network's input at once; layers and `graph` are of one
  std::shared_ptr<const Graph> batch_graph = {};  ///< the same with the shapes of the whole batch; null if that is one

  std::int64_t macs() const;  ///< of one image, as far as they are known
  /// Layers that multiply and of which nobody knows how much.
  int unknown_layers() const;
  /// As the file states it; null if there are no operators.
  const Graph* stated_graph() const { return quantized_graph ? quantized_graph.get() : graph.get(); }
  /// With the shapes of the whole batch; null if there are no operators.
  const Graph* whole_graph() const { return batch_graph ? batch_graph.get() : graph.get(); }
  bool operator==(const Network&) const = default;
};

}  // namespace convscope::network
