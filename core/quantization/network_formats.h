#pragma once
// Formats of all tensors of a network: one for all, or each by the range that its values have over calibration inputs,
// as the reference executes the network; and the error that the formats make.
//
// A tensor gets a format if it holds real numbers and a machine would hold it: inputs, what operators compute, and the
// constants that Conv, ConvTranspose, Gemm, MatMul, Add, Sum, Sub, Mul, PRelu and Concat take. Others (Resize's scales,
// Clip's limits, what BatchNormalization is made of, which machines fold into weights) stay what they are.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"
#include "core/quantization/compared_executions.h"
#include "core/quantization/format.h"
#include "core/reference/executor.h"

namespace convscope::quantization {

struct FormatOptions {
  int bits = 16;
  std::optional<int> fraction;  ///< of every tensor; nothing: chosen by range
  FractionLimits limits;        ///< of chosen ones
  /// Tensors that must have the same point, such as both operands of an addition without a shifter: pairs of indices in
  /// the graph. Chosen ones get the format of their common range.
  std::vector<std::pair<int, int>> tied;
  std::uint64_t seed = 1;  ///< of inputs where none are given
  int seeded_inputs = 1;   ///< how many then
};

/// A weight tensor's filters, counted along a dimension, each with a point of its own.
struct FilterPoints {
  std::size_t axis = 0;
  std::vector<int> fractions;  ///< empty: all filters have the tensor's

  /// The filter of an element of a tensor with these dimensions, in row-major order.
  std::size_t filter_of(std::size_t element, const std::vector<std::int64_t>& dimensions) const;
};

/// By tensor of the graph; nothing for tensors without a format.
struct NetworkFormats {
  std::vector<std::optional<Format>> formats;
  std::vector<Range> ranges;            ///< of the values seen; {0, 0} where nothing was executed
  std::vector<FilterPoints> filters{};  ///< empty, or one for each tensor

  /// Of a tensor that has one.
  const Format& of(int tensor) const { return *formats[static_cast<std::size_t>(tensor)]; }
};

/// Tensors that get a format, by the rule above.
std::vector<bool> tensors_with_format(const network::Graph& graph);

/// Rounds a tensor's real numbers to its format, of filters with points of their own each to its own.
void round_tensor(const NetworkFormats& formats, int tensor, reference::FloatTensor& value);

/// Values for all inputs of the graph that aren't constants, uniform in [-1, 1) in steps of 2^-16, the same for the
/// same seed on every machine. The shapes must be complete; an error names the input where they aren't.
std::optional<reference::FloatTensors> seeded_inputs(const network::Graph& graph, std::uint64_t seed,
                                                     Diagnostics& diagnostics);

/// Formats for a topologically sorted graph with inferred shapes. A fixed fraction needs neither values nor inputs.
/// Chosen ones need both: `inputs` are executed one after the other, seeded ones if there are none; nothing, with the
/// executor's errors, if that fails, for example because the file has no weights. Throws Cancelled.
std::optional<NetworkFormats> choose_formats(const network::Graph& graph,
                                             const std::vector<reference::FloatTensors>& inputs,
                                             const FormatOptions& options, Diagnostics& diagnostics,
                                             const std::stop_token& stop = {});

/// Executes the network in floating point and again with every tensor rounded to its format as soon as it is there:
/// products and sums stay exact in between, as in an accumulator wide enough. Inputs as for choose_formats.
std::optional<NetworkError> measure_error(const network::Graph& graph, const NetworkFormats& formats,
                                          const std::vector<reference::FloatTensors>& inputs,
                                          const FormatOptions& options, Diagnostics& diagnostics,
                                          const std::stop_token& stop = {});

}  // namespace convscope::quantization
