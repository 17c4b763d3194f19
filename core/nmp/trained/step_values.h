#pragma once
// The real numbers that steps compute with beside their maps, from the network's file.

#include <functional>
#include <optional>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nmp/link/dataflow.h"
#include "core/nmp/operators/functions.h"
#include "core/quantization/real_parameters.h"

namespace convscope::nmp {

/// An operand that is a constant.
struct ConstantOperand {
  int tensor = -1;             ///< of the graph; -1: the operand is computed
  std::vector<double> values;  ///< in the order of its elements
};

struct StepValues {
  bool floors = false;  ///< what multiplies rounds down to whole numbers: half of one is taken from its biases
  quantization::RealParameters parameters;  ///< of what multiplies; everything folded in
  std::vector<ConstantOperand> constants;   ///< by operand behind the first
  std::optional<LinearFunction> linear;     ///< of `affine` and `gate`
  std::function<double(double)> function;   ///< of `table`
};

/// Of all steps. Nothing, with an error that names the layer, where the file has no values for it, or folds something
/// into it that weights and biases can't take up.
std::optional<std::vector<StepValues>> values_of_steps(const network::Network& network, const OperatorPlan& plan,
                                                       const Dataflow& flow,
                                                       const std::vector<const SolvedLayer*>& solved,
                                                       Diagnostics& diagnostics);

double greatest_magnitude(const std::vector<double>& values);

}  // namespace convscope::nmp
