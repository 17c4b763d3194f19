#include "core/nmp/trained/network_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/nmp/trained/clamps.h"
#include "core/quantization/calibration.h"
#include "core/quantization/real_parameters.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Node;
using quantization::RealParameters;

constexpr int most_shift = 27, most_residual_shift = 28, bias_bits = 32;

double greatest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  return most;
}

class Chooser {
 public:
  Chooser(const network::Network& network, const Dataflow& flow, const std::vector<const SolvedLayer*>& solved,
          Diagnostics& diagnostics)
      : network_(network), graph_(*network.graph), flow_(flow), solved_(solved), diagnostics_(diagnostics) {}

  std::optional<NetworkNumbers> run(const std::vector<double>& most) {
    for (const LinkedStep& step : flow_.steps)
      if (!read_parameters(step)) return std::nullopt;
    give_formats(most);
    settle();
    NetworkNumbers numbers;
    for (std::size_t i = 0; i < flow_.steps.size(); ++i) numbers.steps.push_back(numbers_of(i));
    numbers.formats = std::move(formats_);
    return numbers;
  }

 private:
  const LayerWork& work_of(const LinkedStep& step) const {
    return solved_[static_cast<std::size_t>(step.layer)]->work();
  }
  const Node& node(int index) const { return graph_.nodes[static_cast<std::size_t>(index)]; }
  int bits() const { return 8 * work_of(flow_.steps.front()).machine.element_bytes; }
  quantization::Format& format(const StorageUse& use) { return *formats_[static_cast<std::size_t>(use.tensor)]; }

  bool read_parameters(const LinkedStep& step) {
    parameters_.emplace_back();
    const LayerWork& work = work_of(step);
    if (!work.convolution.multiplies()) return true;
    for (const int folded : step.folded)
      if (node(folded).operator_name == "Max" || node(folded).operator_name == "Min")
        return fail(work, fmt::format("'{}' folded into it is no matter of weights and biases", node(folded).name));
    const Convolution& c = work.convolution;
    const int layer_node = network_.layers[static_cast<std::size_t>(step.layer)].node;
    auto real = quantization::real_parameters(graph_, {layer_node, step.folded},
                                              std::int64_t{c.units} * c.maps_per_unit * c.repeats,
                                              std::int64_t{c.channels} * c.taps());
    if (!real) return fail(work, "the file has no weights for it");
    parameters_.back() = *std::move(real);
    return true;
  }

  bool fail(const LayerWork& work, std::string what) {
    diagnostics_.error({network_.source_file, 0, fmt::format("layer '{}'", work.name)}, std::move(what));
    return false;
  }

  void give_formats(const std::vector<double>& most) {
    formats_.resize(graph_.tensors.size());
    const auto give = [&](int tensor) {
      const auto index = static_cast<std::size_t>(tensor);
      if (tensor >= 0 && !graph_.tensors[index].constant && !formats_[index])
        formats_[index] = quantization::Format{bits(), quantization::fraction_for(most[index], bits())};
    };
    for (const LinkedStep& step : flow_.steps)
      for (const StorageUse& use : {step.in, step.other, step.residual, step.out}) give(use.tensor);
    // Behind them, what only says where they lie. What lies between a layer and what is folded into it is nowhere.
    views_.tensors = graph_.tensors;
    for (const int view : flow_.views) {
      const bool of_stored = std::any_of(node(view).inputs.begin(), node(view).inputs.end(), [&](int tensor) {
        return tensor >= 0 && formats_[static_cast<std::size_t>(tensor)];
      });
      if (!of_stored) continue;
      for (const int output : node(view).outputs) give(output);
      views_.nodes.push_back(node(view));
    }
  }

  void settle() {
    bool moved = true;
    while (moved) {  // each round lowers a point by one bit at least; none falls below the least of all
      quantization::agree(views_, formats_);
      moved = false;
      for (std::size_t i = 0; i < flow_.steps.size(); ++i) moved = settle_at(i) || moved;
    }
  }

  bool settle_at(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const LayerWork& work = work_of(step);
    if (work.convolution.multiplies()) {
      const int products = products_of(index);
      const bool moved = lower(step.out, products);
      return (step.residual.tensor >= 0 && lower(step.residual, products)) || moved;
    }
    if (work.computing.computation == Computation::multiply) {
      const bool moved = lower(step.out, format(step.in).fraction + format(step.other).fraction);
      const StorageUse& finer = format(step.in).fraction > format(step.other).fraction ? step.in : step.other;
      const int excess =
          format(step.in).fraction + format(step.other).fraction - format(step.out).fraction - most_shift;
      return (excess > 0 && lower(finer, format(finer).fraction - excess)) || moved;
    }
    int least = std::min(format(step.in).fraction, format(step.out).fraction);
    if (step.other.tensor >= 0) least = std::min(least, format(step.other).fraction);
    bool moved = false;
    for (const StorageUse& use : {step.in, step.other, step.out})
      if (use.tensor >= 0) moved = lower(use, least) || moved;
    return moved;
  }

  bool lower(const StorageUse& use, int fraction) {
    if (format(use).fraction <= fraction) return false;
    format(use).fraction = fraction;
    return true;
  }

  /// Fraction bits of a layer's products. Those of inputs, results and residuals only fall, and so do these.
  int products_of(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const RealParameters& real = parameters_[index];
    int products = format(step.in).fraction + quantization::fraction_for(greatest(real.weights), bits());
    if (const double bias = greatest(real.bias); bias > 0)
      products = std::min(products, quantization::fraction_for(bias, bias_bits));
    products = std::min(products, format(step.out).fraction + most_shift);
    if (step.residual.tensor >= 0) products = std::min(products, format(step.residual).fraction + most_residual_shift);
    return products;
  }

  StepNumbers numbers_of(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const LayerWork& work = work_of(step);
    const quantization::Format out = format(step.out);
    StepNumbers numbers;
    if (const auto clamp = clamp_of(graph_, network_.layers[static_cast<std::size_t>(step.layer)].node, step.folded)) {
      numbers.format.clamp_low = static_cast<int>(quantization::quantize(clamp->least, out));
      numbers.format.clamp_high = static_cast<int>(quantization::quantize(clamp->most, out));
    }
    if (work.computing.computation == Computation::multiply)
      numbers.format.shift = format(step.in).fraction + format(step.other).fraction - out.fraction;
    if (!work.convolution.multiplies()) return numbers;
    const int products = products_of(index);
    numbers.format.shift = products - out.fraction;
    numbers.format.guard = guard_bits(numbers.format.shift, work.machine.element_bytes, work.machine.partial_sum_bytes);
    if (step.residual.tensor >= 0) numbers.format.residual_shift = products - format(step.residual).fraction;
    const RealParameters& real = parameters_[index];
    const quantization::Format weights{bits(), products - format(step.in).fraction}, biases{bias_bits, products};
    for (const double weight : real.weights)
      numbers.weights.push_back(static_cast<std::int32_t>(quantization::quantize(weight, weights)));
    for (const double bias : real.bias)
      numbers.biases.push_back(static_cast<std::int32_t>(quantization::quantize(bias, biases)));
    return numbers;
  }

  const network::Network& network_;
  const Graph& graph_;
  const Dataflow& flow_;
  const std::vector<const SolvedLayer*>& solved_;
  Diagnostics& diagnostics_;
  std::vector<RealParameters> parameters_;  // by step; empty where there are none
  std::vector<std::optional<quantization::Format>> formats_;
  Graph views_;  // of the nodes that move nothing
};

}  // namespace

std::optional<NetworkNumbers> choose_numbers(const network::Network& network, const Dataflow& flow,
                                             const std::vector<const SolvedLayer*>& solved,
                                             const std::vector<double>& most, Diagnostics& diagnostics) {
  return Chooser(network, flow, solved, diagnostics).run(most);
}

}  // namespace convscope::nmp
