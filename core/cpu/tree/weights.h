#pragma once
// How likely values of the decision tree are drawn: read from a file, resources/cpu/weights.json.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"

namespace convscope::cpu {

/// Factors by rule. What has none counts 1.
struct Weights {
  std::map<std::string, double, std::less<>> factors;  ///< "microkernel wmc_yxc": 4
  double of(std::string_view rule) const;
};

/// An object of numbers above 0 and up to 1000; unknown rules are refused.
std::optional<Weights> parse_weights(std::string_view json, const std::string& file, Diagnostics& diagnostics);
/// Those of the resources.
std::optional<Weights> standard_weights(Diagnostics& diagnostics);

}  // namespace convscope::cpu
