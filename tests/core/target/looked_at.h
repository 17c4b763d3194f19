#pragma once
// Which parameters of a target's machine stand in the keys of its passes.

#include <map>
#include <set>
#include <string>

#include "core/target/target.h"
#include "tests/core/target/counting_cache.h"

namespace convscope::target {

/// Another allowed value near the present one.
inline double changed_value(const arch::ParameterDescription& parameter, double value) {
  if (parameter.kind == arch::ParameterKind::choice)
    return value + 1 < static_cast<double>(parameter.choices.size()) ? value + 1 : value - 1;
  if (parameter.powers_of_two) return value < parameter.maximum ? 2 * value : value / 2;
  if (parameter.step == 0) return value > 0 ? 1.01 * value : 1;
  return value + parameter.step <= parameter.maximum ? value + parameter.step : value - parameter.step;
}

/// By pass, the parameters of which another value near the default gives other keys; a pass that then isn't asked for
/// doesn't count.
inline std::map<std::string, std::set<std::string>> looked_at(const Target& target, const network::Network& network,
                                                              int layer, const std::string& level) {
  const auto keys = [&](const arch::ParameterValues& machine) {
    CountingCache cache;
    target.compile({&network, layer, &machine, level}, cache, {});
    return cache.take_keys();
  };
  const arch::ParameterValues values(target.machine());
  const auto before = keys(values);
  std::map<std::string, std::set<std::string>> result;
  for (std::size_t i = 0; i < values.description().parameters.size(); ++i) {
    const arch::ParameterDescription& parameter = values.description().parameters[i];
    arch::ParameterValues changed = values;
    changed.set_at(i, changed_value(parameter, values.at(i)));
    for (const auto& [pass, found] : keys(changed))
      if (before.count(pass) != 0 && before.at(pass) != found) result[pass].insert(parameter.name);
  }
  return result;
}

}  // namespace convscope::target
