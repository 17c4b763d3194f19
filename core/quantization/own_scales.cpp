#include "core/quantization/own_scales.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/quantization/unquantizing.h"

namespace convscope::quantization {
namespace {

using network::ElementType;
using network::Graph;

bool is_signed(ElementType type) {
  return type == ElementType::int4 || type == ElementType::int8 || type == ElementType::int16 ||
         type == ElementType::int32;
}

double least_integer(ElementType type) {
  return is_signed(type) ? -std::ldexp(1, network::element_bits(type) - 1) : 0;
}

double most_integer(ElementType type) {
  return least_integer(type) + std::ldexp(1, network::element_bits(type)) - 1;
}

template <typename Rewriting>
std::optional<ScaledGraph> rewritten(Rewriting rewriting, const std::string& file, Diagnostics& diagnostics) {
  if (rewriting.reason().empty()) return std::move(rewriting).result();
  diagnostics.warning({file, 0, {}}, rewriting.reason() + ": the file's own scales aren't used", {},
                      "its integers are executed as they are");
  return std::nullopt;
}

}  // namespace

OwnScale own_scale(const network::IntegerScale& stated) {
  return {stated.type,
          stated.scales,
          {stated.zero_points.begin(), stated.zero_points.end()},
          stated.scales.size() == 1 ? 0 : stated.axis};
}

bool holds_quantized(ElementType type) {
  return is_signed(type) || type == ElementType::uint4 || type == ElementType::uint8 || type == ElementType::uint16;
}

Range OwnScale::range(std::size_t index) const {
  return {(least_integer(type) - zero_points[index]) * scales[index],
          (most_integer(type) - zero_points[index]) * scales[index]};
}

double OwnScale::rounded(double value, std::size_t index) const {
  if (std::isnan(value)) return 0;
  const double integer = std::nearbyint(value / scales[index]) + zero_points[index];
  return (std::clamp(integer, least_integer(type), most_integer(type)) - zero_points[index]) * scales[index];
}

bool OwnScale::is_point() const {
  int exponent = 0;
  const auto power = [&](double each) { return std::frexp(each, &exponent) == 0.5; };
  const auto zero = [](double each) { return each == 0; };
  return is_signed(type) && std::all_of(scales.begin(), scales.end(), power) &&
         std::all_of(zero_points.begin(), zero_points.end(), zero);
}

std::optional<ScaledGraph> with_own_scales(const Graph& graph, const std::string& file, Diagnostics& diagnostics) {
  return is_quantized(graph) ? rewritten(Unquantizing(graph), file, diagnostics) : std::nullopt;
}

std::optional<Graph> in_real_numbers(const Graph& graph, const std::string& file, Diagnostics& diagnostics) {
  if (std::none_of(graph.tensors.begin(), graph.tensors.end(), [](const auto& tensor) { return tensor.scale; }))
    return std::nullopt;
  auto real = rewritten(RealTensors(graph), file, diagnostics);
  return real ? std::optional(std::move(real->graph)) : std::nullopt;
}

network::Network in_real_numbers(const network::Network& network, Diagnostics& diagnostics) {
  network::Network result = network;
  auto real = network.graph ? in_real_numbers(*network.graph, network.source_file, diagnostics) : std::nullopt;
  if (real) result.graph = std::make_shared<const Graph>(*std::move(real));
  return result;
}

}  // namespace convscope::quantization
