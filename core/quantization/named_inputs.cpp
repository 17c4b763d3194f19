#include "core/quantization/named_inputs.h"

#include <string_view>
#include <utility>

#include "core/base/numbers.h"
#include "core/quantization/network_formats.h"

namespace convscope::quantization {
namespace {

using network::Graph;
using reference::FloatTensors;

constexpr std::uint64_t other_seed = 0x9e3779b9;

std::optional<std::uint64_t> seed_of(std::string_view image) {
  constexpr std::string_view prefix = "seed:";
  if (image.substr(0, prefix.size()) != prefix) return std::nullopt;
  return parse_integer<std::uint64_t>(image.substr(prefix.size()));
}

}  // namespace

std::optional<std::vector<FloatTensors>> made_up_inputs(const Graph& graph, std::uint64_t seed,
                                                        Diagnostics& diagnostics) {
  std::vector<FloatTensors> made;
  for (const std::uint64_t each : {seed, seed + other_seed}) {
    auto inputs = seeded_inputs(graph, each, diagnostics);
    if (!inputs) return std::nullopt;
    made.push_back(*std::move(inputs));
  }
  return made;
}

std::optional<std::vector<FloatTensors>> named_inputs(const Graph& graph, const std::string& image,
                                                      const reference::PixelScale& pixels, Diagnostics& diagnostics) {
  if (const auto seed = seed_of(image)) return made_up_inputs(graph, *seed, diagnostics);
  auto inputs = reference::image_inputs(graph, image, pixels, diagnostics);
  if (!inputs) return std::nullopt;
  return std::vector<FloatTensors>{*std::move(inputs)};
}

}  // namespace convscope::quantization
