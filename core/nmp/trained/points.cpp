#include "core/nmp/trained/points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/nmp/trained/table_point.h"
#include "core/quantization/calibration.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Node;
using quantization::Format;

constexpr int most_shift = 27, most_residual_shift = 28;

class PointChooser {
 public:
  PointChooser(const network::Network& network, const Dataflow& flow, const std::vector<const SolvedLayer*>& solved,
               const std::vector<StepValues>& values, const Seen& seen)
      : network_(network), graph_(*network.graph), flow_(flow), solved_(solved), values_(values), seen_(seen) {}

  Points run() {
    give_formats();
    for (const StepValues& values : values_) {
      points_.constants.emplace_back();
      for (const ConstantOperand& each : values.constants)
        points_.constants.back().push_back(quantization::fraction_for(greatest_magnitude(each.values), bits()));
    }
    for (std::size_t i = 0; i < flow_.steps.size(); ++i) prepare(i);
    bool moved = true;
    while (moved) {  // each round lowers a point by one bit at least; none falls below the least of all
      quantization::agree(views_, points_.formats);
      moved = false;
      for (std::size_t i = 0; i < flow_.steps.size(); ++i) moved = settle_at(i) || moved;
    }
    return std::move(points_);
  }

 private:
  const LayerWork& work_of(const LinkedStep& step) const {
    return solved_[static_cast<std::size_t>(step.layer)]->work();
  }
  const Node& node(int index) const { return graph_.nodes[static_cast<std::size_t>(index)]; }
  const Node& node_of(const LinkedStep& step) const {
    return node(network_.layers[static_cast<std::size_t>(step.layer)].node);
  }
  int bits() const { return 8 * work_of(flow_.steps.front()).machine.element_bytes; }
  Format& format(const StorageUse& use) { return *points_.formats[static_cast<std::size_t>(use.tensor)]; }
  double most(const StorageUse& use) const { return seen_.most[static_cast<std::size_t>(use.tensor)]; }

  static std::vector<StorageUse> operands_of(const LinkedStep& step) {
    std::vector<StorageUse> operands{step.in, step.other};
    operands.insert(operands.end(), step.more.begin(), step.more.end());
    std::erase_if(operands, [](const StorageUse& use) { return use.tensor < 0; });
    return operands;
  }

  void give(int tensor) {
    const auto index = static_cast<std::size_t>(tensor);
    if (tensor >= 0 && !graph_.tensors[index].constant && !points_.formats[index])
      points_.formats[index] = Format{bits(), quantization::fraction_for(seen_.most[index], bits())};
  }

  void give_formats() {
    points_.formats.resize(graph_.tensors.size());
    views_.tensors = graph_.tensors;
    for (const LinkedStep& step : flow_.steps) {
      for (const StorageUse& use : operands_of(step)) give(use.tensor);
      give(step.residual.tensor);
      give(step.out.tensor);
      // Of a concatenation that copies, other parts are stored in their places by who computes them.
      if (work_of(step).convolution.scattered) share_point(node_of(step));
    }
    give_to_views();
  }

  /// What only says where such tensors lie. What lies between a layer and what is folded into it is nowhere.
  void give_to_views() {
    for (auto view = flow_.views.rbegin(); view != flow_.views.rend(); ++view)
      if (has_format(node(*view).outputs)) give(node(*view).inputs.front());
    for (const int view : flow_.views) {
      if (!has_format(node(view).inputs)) continue;
      for (const int output : node(view).outputs) give(output);
      share_point(node(view));
    }
  }

  /// Whichever operator it is: the words that it takes are those that it gives.
  void share_point(const Node& node) {
    views_.nodes.push_back(node);
    views_.nodes.back().operator_name = "Concat";
    views_.nodes.back().domain.clear();
  }

  bool has_format(const std::vector<int>& tensors) const {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](int tensor) { return tensor >= 0 && points_.formats[static_cast<std::size_t>(tensor)]; });
  }

  /// Nobody else reads it, and no view has its words.
  bool is_read_once(int tensor) const {
    std::ptrdiff_t readers = std::count(graph_.outputs.begin(), graph_.outputs.end(), tensor);
    for (const Node& each : graph_.nodes) readers += std::count(each.inputs.begin(), each.inputs.end(), tensor);
    return readers == 1;
  }

  /// Where a point begins that isn't by magnitude.
  void prepare(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const StepValues& values = values_[index];
    if (values.function && is_read_once(step.in.tensor))
      format(step.in).fraction = fraction_for_table(values.function, bits(), format(step.in).fraction, most(step.in));
    if (!step.more.empty()) lower(step.out, fraction_of_sums(index));
    if (index < seen_.sums.size() && seen_.sums[index] && !values.floors) lower(step.out, seen_.sums[index]->result);
  }

  /// Of several operands: what has been added up is stored after each of them, at the width of elements.
  int fraction_of_sums(std::size_t index) const {
    const LinkedStep& step = flow_.steps[index];
    if (work_of(step).computing.computation != Computation::add) return INT32_MAX;
    double sum = most(step.in), greatest = 0;
    for (std::size_t i = 0; i + 1 < values_[index].constants.size(); ++i) {  // the last sum is the result
      const StorageUse& use = i == 0 ? step.other : step.more[i - 1];
      sum += use.tensor >= 0 ? most(use) : greatest_magnitude(values_[index].constants[i].values);
      greatest = std::max(greatest, sum);
    }
    return quantization::fraction_for(greatest, bits());
  }

  bool settle_at(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const LayerWork& work = work_of(step);
    if (work.convolution.multiplies()) return settle_sums(index);
    switch (work.computing.computation) {
      case Computation::multiply:
      case Computation::multiply_spread:
        return settle_product(index);
      case Computation::affine:
        return lower(step.out, most_result(*values_[index].linear, format(step.in).fraction));
      case Computation::table:
        return false;  // its numbers have any points
      case Computation::slope_spread:
        return settle_slopes(index);
      default:
        return settle_equal(index);
    }
  }

  bool settle_sums(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const int products = products_of(step, values_[index], points_.formats);
    const bool moved = lower(step.out, values_[index].floors ? std::min(products, 0) : products);
    return (step.residual.tensor >= 0 && lower(step.residual, products)) || moved;
  }

  /// Results are shifted to the right alone, and not beyond what the shifter has; then the finer operand falls.
  bool settle_product(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    int& other = step.other.tensor >= 0 ? format(step.other).fraction : points_.constants[index].front();
    int& in = format(step.in).fraction;
    const bool moved = lower(step.out, in + other);
    const int excess = in + other - format(step.out).fraction - most_shift;
    if (excess <= 0) return moved;
    (in > other ? in : other) -= excess;
    return true;
  }

  bool settle_slopes(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const bool moved = settle_alike({step.in, step.out}, INT32_MAX);
    if (step.other.tensor >= 0) return lower(step.other, slope_bits) || moved;
    points_.constants[index].front() = slope_bits;
    return moved;
  }

  /// A factor and a constant of 16 bits.
  static int most_result(const LinearFunction& linear, int fraction_in) {
    int most = quantization::fraction_for(linear.constant, 16);
    if (linear.constant == 0) most = INT32_MAX;
    if (linear.factor == 0) return most;
    return std::min(most, fraction_in + static_cast<int>(std::floor(std::log2(INT16_MAX / std::fabs(linear.factor)))));
  }

  /// All operands, and constants that are added or subtracted. The greatest and the least take a constant that
  /// saturates for what it is: no number is beyond it.
  bool settle_equal(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    const Computation what = work_of(step).computing.computation;
    const bool compares = what == Computation::maximum || what == Computation::minimum ||
                          what == Computation::maximum_spread || what == Computation::minimum_spread;
    int least = INT32_MAX;
    for (std::size_t i = 0; i < values_[index].constants.size() && !compares; ++i)
      if (values_[index].constants[i].tensor >= 0)
        least =
            std::min(least, quantization::fraction_for(greatest_magnitude(values_[index].constants[i].values), bits()));
    std::vector<StorageUse> uses = operands_of(step);
    uses.push_back(step.out);
    const bool moved = settle_alike(uses, least);
    for (int& fraction : points_.constants[index]) fraction = format(step.out).fraction;
    return moved;
  }

  bool settle_alike(const std::vector<StorageUse>& uses, int least) {
    for (const StorageUse& use : uses) least = std::min(least, format(use).fraction);
    bool moved = false;
    for (const StorageUse& use : uses) moved = lower(use, least) || moved;
    return moved;
  }

  bool lower(const StorageUse& use, int fraction) {
    if (format(use).fraction <= fraction) return false;
    format(use).fraction = fraction;
    return true;
  }

  const network::Network& network_;
  const Graph& graph_;
  const Dataflow& flow_;
  const std::vector<const SolvedLayer*>& solved_;
  const std::vector<StepValues>& values_;
  const Seen& seen_;
  Points points_;
  Graph views_;  // of the nodes that move nothing
};

}  // namespace

Points choose_points(const network::Network& network, const Dataflow& flow,
                     const std::vector<const SolvedLayer*>& solved, const std::vector<StepValues>& values,
                     const Seen& seen) {
  return PointChooser(network, flow, solved, values, seen).run();
}

int products_of(const LinkedStep& step, const StepValues& values, const TensorFormats& formats) {
  const auto fraction = [&](const StorageUse& use) { return formats[static_cast<std::size_t>(use.tensor)]->fraction; };
  const int bits = formats[static_cast<std::size_t>(step.out.tensor)]->bits;
  int products = fraction(step.in) + quantization::fraction_for(greatest_magnitude(values.parameters.weights), bits);
  if (const double bias = greatest_magnitude(values.parameters.bias); bias > 0)
    products = std::min(products, quantization::fraction_for(bias, bias_bits));
  products = std::min(products, fraction(step.out) + most_shift);
  if (step.residual.tensor >= 0) products = std::min(products, fraction(step.residual) + most_residual_shift);
  return products;
}

}  // namespace convscope::nmp
