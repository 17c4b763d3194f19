#include "core/nmp/trained/network_numbers.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/nmp/trained/clamps.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using quantization::Format;

/// Words of a step, once all points stand.
class StepWriter {
 public:
  StepWriter(const network::Network& network, const LinkedStep& step, const LayerWork& work, const StepValues& values,
             const TensorFormats& formats, const std::vector<int>& constants, const std::optional<SumPoints>& sums)
      : graph_(*network.graph),
        node_(network.layers[static_cast<std::size_t>(step.layer)].node),
        step_(step),
        work_(work),
        values_(values),
        formats_(formats),
        fractions_(constants),
        sums_(sums) {}

  /// Why not; empty if all is well.
  std::string write(StepNumbers& numbers, std::vector<ConstantWords>& constants) const {
    set_clamp(numbers.format);
    if (work_.convolution.multiplies()) return write_sums(numbers);
    if (std::string why = write_constants(numbers, constants); !why.empty()) return why;
    if (is_product()) numbers.format.shift = format(step_.in).fraction + other_fraction() - format(step_.out).fraction;
    return write_function(numbers);
  }

 private:
  const Format& format(const StorageUse& use) const { return *formats_[static_cast<std::size_t>(use.tensor)]; }
  int bits() const { return 8 * work_.machine.element_bytes; }
  Computation computation() const { return work_.computing.computation; }
  bool is_product() const {
    return computation() == Computation::multiply || computation() == Computation::multiply_spread;
  }
  int other_fraction() const { return step_.other.tensor >= 0 ? format(step_.other).fraction : fractions_.front(); }

  void set_clamp(NumberFormat& numbers) const {
    const auto clamp = clamp_of(graph_, node_, step_.folded);
    if (!clamp) return;
    numbers.clamp_low = static_cast<int>(quantization::quantize(clamp->least, format(step_.out)));
    numbers.clamp_high = static_cast<int>(quantization::quantize(clamp->most, format(step_.out)));
  }

  std::string write_sums(StepNumbers& numbers) const {
    if (values_.floors && format(step_.out).fraction != 0)
      return "it rounds down to whole numbers, beyond those that its words hold";
    const int products = products_of(step_, values_, formats_);
    const Machine& machine = work_.machine;
    numbers.format.shift = products - format(step_.out).fraction;
    numbers.format.guard = sums_ ? guard_of(numbers.format.shift)
                                 : guard_bits(numbers.format.shift, machine.element_bytes, machine.partial_sum_bytes);
    if (step_.residual.tensor >= 0) numbers.format.residual_shift = products - format(step_.residual).fraction;
    numbers.weights = words_of(values_.parameters.weights, {bits(), products - format(step_.in).fraction});
    numbers.biases = words_of(values_.parameters.bias, {bias_bits, products});
    return {};
  }

  /// Other inputs may have larger sums than those seen.
  int guard_of(int shift) const {
    const int spare = work_.machine.partial_sum_bytes > work_.machine.element_bytes ? 1 : 0;
    return std::clamp(sums_->partial - spare - format(step_.out).fraction, 0, shift);
  }

  std::string write_constants(StepNumbers& numbers, std::vector<ConstantWords>& constants) const {
    if (computation() == Computation::slope_spread)
      if (std::string why = why_no_slopes(); !why.empty()) return why;
    for (std::size_t i = 0; i < values_.constants.size(); ++i) {
      const ConstantOperand& constant = values_.constants[i];
      constants.push_back({constant.tensor, fractions_[i], words_of(constant.values, {bits(), fractions_[i]})});
      if (i == 0)
        numbers.weights = constants.back().words;
      else
        numbers.more_weights.push_back(constants.back().words);
    }
    return {};
  }

  /// Slopes by map are elements that stand for numbers from -1 on to below 1.
  std::string why_no_slopes() const {
    if (bits() <= slope_bits)
      return fmt::format("its slopes have {} fraction bits, its elements {}", slope_bits, bits());
    if (step_.other.tensor >= 0)
      return format(step_.other).fraction == slope_bits ? "" : "its slopes are computed, and beyond those from -1 to 1";
    const double most = greatest_magnitude(values_.constants.front().values);
    return most > 1 ? fmt::format("it has a slope of {:g}, programs none beyond those from -1 to 1", most) : "";
  }

  std::string write_function(StepNumbers& numbers) const {
    const int in = format(step_.in).fraction, out = format(step_.out).fraction;
    if (is_affine(computation())) {
      const bool gates = computation() == Computation::gate;
      numbers.computing = affine(values_.linear->factor, values_.linear->constant, in, gates ? gate_bits : out);
      numbers.computing->computation = computation();
      numbers.format.shift = numbers.computing->shift;
      return numbers.computing->missing;
    }
    if (computation() == Computation::table) numbers.computing = tabulated(values_.function, {bits(), in, out});
    return {};
  }

  const Graph& graph_;
  const int node_;
  const LinkedStep& step_;
  const LayerWork& work_;
  const StepValues& values_;
  const TensorFormats& formats_;
  const std::vector<int>& fractions_;  // of constants
  const std::optional<SumPoints> sums_;
};

}  // namespace

std::vector<std::int32_t> words_of(const std::vector<double>& values, const quantization::Format& format) {
  std::vector<std::int32_t> words;
  words.reserve(values.size());
  for (const double value : values) words.push_back(static_cast<std::int32_t>(quantization::quantize(value, format)));
  return words;
}

std::optional<NetworkNumbers> choose_numbers(const network::Network& network, const Dataflow& flow,
                                             const std::vector<const SolvedLayer*>& solved,
                                             const std::vector<StepValues>& values, const Seen& seen,
                                             Diagnostics& diagnostics) {
  Points points = choose_points(network, flow, solved, values, seen);
  NetworkNumbers numbers;
  for (std::size_t i = 0; i < flow.steps.size(); ++i) {
    const LinkedStep& step = flow.steps[i];
    const LayerWork& work = solved[static_cast<std::size_t>(step.layer)]->work();
    const auto sums = i < seen.sums.size() ? seen.sums[i] : std::nullopt;
    const StepWriter writer(network, step, work, values[i], points.formats, points.constants[i], sums);
    std::string why = writer.write(numbers.steps.emplace_back(), numbers.constants.emplace_back());
    if (why.empty()) continue;
    diagnostics.error({network.source_file, 0, fmt::format("layer '{}'", work.name)}, std::move(why));
    return std::nullopt;
  }
  numbers.formats = std::move(points.formats);
  return numbers;
}

}  // namespace convscope::nmp
