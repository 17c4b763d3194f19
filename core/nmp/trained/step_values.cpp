#include "core/nmp/trained/step_values.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/reference/executor.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Node;

class StepReader {
 public:
  StepReader(const network::Network& network, const OperatorPlan& plan, const LinkedStep& step, const LayerWork& work)
      : graph_(*network.graph),
        use_(plan.uses[static_cast<std::size_t>(step.layer)]),
        step_(step),
        work_(work),
        index_(network.layers[static_cast<std::size_t>(step.layer)].node),
        node_(graph_.nodes[static_cast<std::size_t>(index_)]) {}

  /// Why not; empty if all is well.
  std::string read(StepValues& values) const {
    const Computation what = work_.computing.computation;
    if (work_.convolution.multiplies()) return read_parameters(values);
    if (work_.convolution.combines()) return read_operands(values);
    if (is_affine(what)) return read_linear(values);
    if (what != Computation::table) return {};
    const auto real = real_function(node_, work_.machine.element_bytes);
    if (!real) return "its function isn't known";
    values.function = real->value;
    return {};
  }

 private:
  /// What is behind Floor must leave whole numbers as they are.
  std::string read_floor(StepValues& values) const {
    for (const int folded : step_.folded) {
      const Node& node = graph_.nodes[static_cast<std::size_t>(folded)];
      const std::string& name = node.operator_name;
      if (name == "Max" || name == "Min" || (values.floors && name != "Relu" && name != "Clip" && name != "Floor"))
        return fmt::format("'{}' folded into it is no matter of weights and biases", node.name);
      values.floors |= name == "Floor";
    }
    return {};
  }

  std::string read_parameters(StepValues& values) const {
    if (std::string why = read_floor(values); !why.empty()) return why;
    const Convolution& c = work_.convolution;
    auto real = quantization::real_parameters(graph_, {index_, step_.folded},
                                              std::int64_t{c.units} * c.maps_per_unit * c.repeats,
                                              std::int64_t{c.channels} * c.taps());
    if (!real) return "the file has no weights for it";
    values.parameters = *std::move(real);
    constexpr double half = 0.5;  // results are rounded to the nearest
    for (double& bias : values.parameters.bias) bias -= values.floors ? half : 0;
    return {};
  }

  bool constant(int tensor) const {
    return tensor >= 0 && graph_.tensors[static_cast<std::size_t>(tensor)].constant != nullptr;
  }

  std::string read_operands(StepValues& values) const {
    const std::vector<int>& operands = use_.tensors.empty() ? node_.inputs : use_.tensors;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      values.constants.emplace_back();
      if (!constant(operands[i])) continue;
      auto found = reference::tensor_of(*graph_.tensors[static_cast<std::size_t>(operands[i])].constant);
      if (!found) return "the file has no values for its constant";
      values.constants.back() = {operands[i], std::move(found->values)};
    }
    return {};
  }

  std::string read_linear(StepValues& values) const {
    values.linear = linear_function(node_);
    if (values.linear) return {};
    const auto number = std::find_if(node_.inputs.begin(), node_.inputs.end(), [&](int t) { return constant(t); });
    if (number == node_.inputs.end()) return "it has no constant";
    const auto found = reference::tensor_of(*graph_.tensors[static_cast<std::size_t>(*number)].constant);
    if (!found || found->values.size() != 1) return "the file has no value for its constant";
    values.linear = linear_function(node_.operator_name, found->values.front(), number != node_.inputs.begin());
    return values.linear ? std::string() : "its function isn't known";
  }

  const Graph& graph_;
  const OperatorUse& use_;
  const LinkedStep& step_;
  const LayerWork& work_;
  const int index_;
  const Node& node_;
};

}  // namespace

double greatest_magnitude(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  return most;
}

std::optional<std::vector<StepValues>> values_of_steps(const network::Network& network, const OperatorPlan& plan,
                                                       const Dataflow& flow,
                                                       const std::vector<const SolvedLayer*>& solved,
                                                       Diagnostics& diagnostics) {
  std::vector<StepValues> values;
  for (const LinkedStep& step : flow.steps) {
    const LayerWork& work = solved[static_cast<std::size_t>(step.layer)]->work();
    std::string why = StepReader(network, plan, step, work).read(values.emplace_back());
    if (why.empty()) continue;
    diagnostics.error({network.source_file, 0, fmt::format("layer '{}'", work.name)}, std::move(why));
    return std::nullopt;
  }
  return values;
}

}  // namespace convscope::nmp
