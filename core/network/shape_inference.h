#pragma once
// Shapes of all tensors of a graph, from its inputs and constants. Our own: no format's checker is trusted.

#include <map>
#include <optional>
#include <string>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"
#include "core/network/network.h"

namespace convscope::network {

/// For `set_shapes`: the batch that the file states, and 1 where it leaves that open.
inline constexpr int stated_batch = -1;

/// What a user says about dimensions that the file leaves open.
struct InputSizes {
  int batch = 1;                                ///< images at a time, or stated_batch
  std::optional<Size> image;                    ///< height and width of image inputs
  std::map<std::string, std::int64_t> symbols;  ///< by symbolic name
  bool operator==(const InputSizes&) const = default;
};

/// Fills shapes and element types in topological order, and folds what shapes are computed from (Shape, Gather,
/// Concat, arithmetic on small integer tensors …). Never fails: what can't be inferred stays unknown, with a note for
/// each operator that is not known; contradictions (a declared shape against the inferred one, inputs that don't fit)
/// are diagnostics that name node and shapes. Batch dimensions (the first of a 4-D or 5-D input, named or unnamed, or
/// fixed) become sizes.batch.
void infer_shapes(Graph& graph, const InputSizes& sizes, const std::string& file, Diagnostics& diagnostics);

/// One layer per node that computes something, in order; constants and pure bookkeeping (Identity, Dropout …) too, as
/// what they are, so that tables show the whole network. Convolutions (Conv, ConvInteger, QLinearConv, …) and fully
/// connected operators (Gemm, MatMul with a constant; kernel 1x1) get geometry and MACs.
/// Other operators that multiply (transposed, deformable and deeper convolutions, products of computed tensors,
/// recurrent ones, Einsum) have their MACs, and no kernel; where sizes are missing, their MACs aren't known.
std::vector<Layer> layers_of(const Graph& graph);

/// The first dimension of the first input that holds images or volumes, or, if there is none, rows of features; 0 if
/// it is open, or there is no such input.
int batch_of(const Graph& graph);

/// Shapes, layers and batch of a network whose graph is as its file has it. Layers, and `graph`, become those of one
/// image; `batch_graph` has the shapes of all of them, where they are several.
void set_shapes(Network& network, const InputSizes& sizes, Diagnostics& diagnostics);

}  // namespace convscope::network
