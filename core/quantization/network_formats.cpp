#include "core/quantization/network_formats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "core/base/cancellation.h"

namespace convscope::quantization {
namespace {

using network::ElementType;
using network::Graph;
using reference::FloatTensor;
using reference::FloatTensors;

/// Whether a machine holds the constants that the operator takes as it holds data.
bool takes_data(std::string_view operator_name) {
  constexpr std::array<std::string_view, 10> names{"Conv", "ConvTranspose", "Gemm", "MatMul", "Add",
                                                   "Sum",  "Sub",           "Mul",  "PRelu",  "Concat"};
  return std::find(names.begin(), names.end(), operator_name) != names.end();
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

 private:
  std::uint64_t state_;
};

/// The given inputs, or seeded ones.
std::optional<std::vector<FloatTensors>> inputs_or_seeded(const Graph& graph, const std::vector<FloatTensors>& inputs,
                                                          const FormatOptions& options, Diagnostics& diagnostics) {
  if (!inputs.empty()) return inputs;
  std::vector<FloatTensors> made;
  for (int i = 0; i < std::max(1, options.seeded_inputs); ++i) {
    auto seeded = seeded_inputs(graph, options.seed + static_cast<std::uint64_t>(i), diagnostics);
    if (!seeded) return std::nullopt;
    made.push_back(*std::move(seeded));
  }
  return made;
}

/// Gives tied tensors their common range.
void join_ranges(std::vector<Range>& ranges, const std::vector<std::pair<int, int>>& tied) {
  std::vector<std::size_t> leader(ranges.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t tensor) {
    while (leader[tensor] != tensor) tensor = leader[tensor] = leader[leader[tensor]];
    return tensor;
  };
  for (const auto& [one, other] : tied) leader[find(index_of(one))] = find(index_of(other));
  for (std::size_t i = 0; i < ranges.size(); ++i) ranges[find(i)].add(ranges[i]);
  for (std::size_t i = 0; i < ranges.size(); ++i) ranges[i] = ranges[find(i)];
}

}  // namespace

std::size_t FilterPoints::filter_of(std::size_t element, const std::vector<std::int64_t>& dimensions) const {
  for (std::size_t after = dimensions.size(); after-- > axis + 1;)
    element /= static_cast<std::size_t>(dimensions[after]);
  return element % static_cast<std::size_t>(dimensions[axis]);
}

std::vector<bool> tensors_with_format(const Graph& graph) {
  std::vector<bool> held(graph.tensors.size(), false);
  const auto mark = [&](int tensor) {
    if (tensor >= 0 &&
        (is_real(graph.tensors[index_of(tensor)].type) || graph.tensors[index_of(tensor)].type == ElementType::unknown))
      held[index_of(tensor)] = true;
  };
  for (const int input : graph.inputs)
    if (!graph.tensors[index_of(input)].constant) mark(input);
  for (const network::Node& node : graph.nodes) {
    for (const int output : node.outputs) mark(output);
    if (!node.domain.empty() || !takes_data(node.operator_name)) continue;
    for (const int input : node.inputs)
      if (input >= 0 && graph.tensors[index_of(input)].constant) mark(input);
  }
  return held;
}

void round_tensor(const NetworkFormats& formats, int tensor, FloatTensor& value) {
  const auto& format = formats.formats[index_of(tensor)];
  if (!format || !is_real(value.type)) return;
  const FilterPoints* filters = formats.filters.empty() ? nullptr : &formats.filters[index_of(tensor)];
  if (filters == nullptr || filters->fractions.empty()) return round_all(value.values, *format);
  for (std::size_t i = 0; i < value.values.size(); ++i)
    value.values[i] =
        rounded(value.values[i], {format->bits, filters->fractions[filters->filter_of(i, value.dimensions)]});
}

std::optional<FloatTensors> seeded_inputs(const Graph& graph, std::uint64_t seed, Diagnostics& diagnostics) {
  FloatTensors inputs;
  Random seeds(seed);
  for (const int input : graph.inputs) {
    const network::Tensor& tensor = graph.tensors[index_of(input)];
    Random random(seeds.next());
    if (tensor.constant) continue;
    const auto count = tensor.shape.elements();
    if (!count) {
      diagnostics.error({{}, 0, fmt::format("input '{}'", tensor.name)}, "its size isn't known",
                        "a complete shape to make values for");
      return std::nullopt;
    }
    FloatTensor value{tensor.type == ElementType::unknown ? ElementType::float32 : tensor.type, tensor.shape.dimensions,
                      std::vector<double>(static_cast<std::size_t>(*count))};
    for (double& each : value.values) each = std::ldexp(static_cast<double>(random.next() >> 47), -16) - 1;  // 17 bits
    reference::round_to_type(value);
    inputs[tensor.name] = std::move(value);
  }
  return inputs;
}

std::optional<NetworkFormats> choose_formats(const Graph& graph, const std::vector<FloatTensors>& inputs,
                                             const FormatOptions& options, Diagnostics& diagnostics,
                                             const std::stop_token& stop) {
  const std::vector<bool> held = tensors_with_format(graph);
  NetworkFormats result{std::vector<std::optional<Format>>(held.size()), std::vector<Range>(held.size())};
  if (!options.fraction) {
    const auto given = inputs_or_seeded(graph, inputs, options, diagnostics);
    if (!given) return std::nullopt;
    const auto look = [&](int tensor, const FloatTensor& value) {
      throw_if_stopped(stop);
      if (held[index_of(tensor)] && is_real(value.type)) result.ranges[index_of(tensor)].add(range_of(value.values));
    };
    for (const FloatTensors& input : *given)
      if (!reference::execute(graph, input, diagnostics, {}, look)) return std::nullopt;
    join_ranges(result.ranges, options.tied);
  }
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!held[i]) continue;
    result.formats[i] = options.fraction ? Format{options.bits, *options.fraction}
                                         : format_for(result.ranges[i], options.bits, options.limits);
  }
  return result;
}

std::optional<NetworkError> measure_error(const Graph& graph, const NetworkFormats& formats,
                                          const std::vector<FloatTensors>& inputs, const FormatOptions& options,
                                          Diagnostics& diagnostics, const std::stop_token& stop) {
  const auto given = inputs_or_seeded(graph, inputs, options, diagnostics);
  if (!given) return std::nullopt;
  std::vector<bool> compared(graph.tensors.size());
  for (std::size_t i = 0; i < compared.size(); ++i) compared[i] = formats.formats[i] && !graph.tensors[i].constant;
  const auto change = [&](int tensor, FloatTensor& value) { round_tensor(formats, tensor, value); };
  return compare_executions(graph, compared, change, *given, diagnostics, stop);
}

}  // namespace convscope::quantization
