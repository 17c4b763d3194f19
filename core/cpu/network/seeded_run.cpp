#include "core/cpu/network/seeded_run.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "core/base/cancellation.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t most_values = std::size_t{1} << 28;

/// splitmix64 (Steele, Lea, Flood 2014), uniform in [-1, 1).
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31)) >> 40) * 0x1p-23 - 1;
  }

 private:
  std::uint64_t state_;
};

bool lacks_values(const network::Constant& constant) {
  if (constant.type != network::ElementType::float32 && constant.type != network::ElementType::float16) return false;
  return !constant.present() || (constant.fill && constant.dimensions.size() >= 2);
}

std::shared_ptr<const network::Constant> seeded(const network::Constant& like, std::uint64_t seed) {
  const auto all = network::TensorShape{true, like.dimensions, {}}.elements();
  if (!all || *all < 1 || static_cast<std::size_t>(*all) > most_values) return nullptr;
  Uniform next(seed);
  const bool list = like.dimensions.size() < 2;
  const double sum = static_cast<double>(*all) / static_cast<double>(like.dimensions.empty() ? 1 : like.dimensions[0]);
  const double factor = list ? 0.5 : std::sqrt(6 / std::max(1.0, sum));
  auto values = std::make_shared<std::vector<float>>();
  for (std::int64_t i = 0; i < *all; ++i) values->push_back(static_cast<float>((list ? 1 : 0) + factor * next()));
  auto constant = std::make_shared<network::Constant>();
  constant->type = network::ElementType::float32;
  constant->dimensions = like.dimensions;
  constant->bytes = std::as_bytes(std::span<const float>(*values));
  constant->owner = std::move(values);
  return constant;
}

std::optional<reference::FloatTensors> inputs_of(const network::Graph& graph, std::uint64_t seed,
                                                 Diagnostics& diagnostics) {
  reference::FloatTensors inputs;
  for (const int index : graph.inputs) {
    const network::Tensor& tensor = graph.tensors[static_cast<std::size_t>(index)];
    if (tensor.constant) continue;
    const auto all = tensor.shape.elements();
    if (!all || static_cast<std::size_t>(*all) > most_values) {
      diagnostics.error({{}, 0, fmt::format("input '{}'", tensor.name)}, "its size isn't known, or beyond the limits");
      return std::nullopt;
    }
    Uniform next(seed + static_cast<std::uint64_t>(index));
    reference::FloatTensor value{network::ElementType::float32, tensor.shape.dimensions, {}};
    for (std::int64_t i = 0; i < *all; ++i) value.values.push_back(next());
    inputs[tensor.name] = std::move(value);
  }
  return inputs;
}

}  // namespace

network::Graph with_coefficients(const network::Graph& graph, std::uint64_t seed) {
  network::Graph filled = graph;
  for (std::size_t i = 0; i < filled.tensors.size(); ++i) {
    auto& constant = filled.tensors[i].constant;
    if (!constant || !lacks_values(*constant)) continue;
    if (auto values = seeded(*constant, seed + i)) {
      constant = std::move(values);
      filled.tensors[i].type = network::ElementType::float32;
    }
  }
  return filled;
}

std::optional<TensorValues> seeded_run(const network::Graph& graph, std::uint64_t seed, const std::stop_token& stop,
                                       Diagnostics& diagnostics, const reference::ValueHook& change) {
  const auto inputs = inputs_of(graph, seed, diagnostics);
  if (!inputs) return std::nullopt;
  TensorValues values;
  std::size_t all = 0;
  const auto keep = [&](int tensor, reference::FloatTensor& value) {
    throw_if_stopped(stop);
    if (change) change(tensor, value);
    if (values.contains(tensor)) return;
    all += value.values.size();
    if (all > most_values) return;
    TensorValue& kept = values[tensor];
    kept.dimensions = value.dimensions;
    kept.values.assign(value.values.begin(), value.values.end());
  };
  if (!reference::execute(graph, *inputs, diagnostics, {}, keep)) return std::nullopt;
  if (all <= most_values) return values;
  diagnostics.error({}, "the network isn't measured as a whole: its tensors have more than 2^28 elements together");
  return std::nullopt;
}

}  // namespace convscope::cpu
