#pragma once
// Values to a machine, back to values, and to a machine again.

#include <functional>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "core/arch/parameters.h"

namespace convscope::arch {

/// An allowed value somewhere in the range.
inline double random_value(const ParameterDescription& parameter, std::mt19937_64& random) {
  const double last =
      parameter.kind == ParameterKind::choice ? static_cast<double>(parameter.choices.size()) - 1 : parameter.maximum;
  return nearest_allowed(parameter, std::uniform_real_distribution(parameter.minimum, last)(random));
}

/// Each parameter at both limits and its default, the others at theirs; then all of them anywhere. `given` says whether
/// a parameter counts on a machine, and so comes back as it went in.
template <typename Machine>
void expect_round_trips(const std::shared_ptr<const MachineDescription>& description,
                        Machine (*from)(const ParameterValues&), ParameterValues (*back)(const Machine&),
                        const std::function<bool(const std::string&, const Machine&)>& given) {
  const auto expect = [&](const ParameterValues& values) {
    const Machine machine = from(values);
    const ParameterValues again = back(machine);
    EXPECT_EQ(from(again), machine);
    for (std::size_t i = 0; i < description->parameters.size(); ++i) {
      const ParameterDescription& parameter = description->parameters[i];
      if (given(parameter.name, machine))
        EXPECT_DOUBLE_EQ(again.at(i), values.at(i)) << parameter.name;
      else
        EXPECT_EQ(again.at(i), parameter.initial) << parameter.name;
    }
  };
  ParameterValues values(description);
  EXPECT_EQ(from(values), Machine{});
  for (std::size_t i = 0; i < description->parameters.size(); ++i) {
    const ParameterDescription& parameter = description->parameters[i];
    for (const double value : {parameter.minimum, parameter.maximum, parameter.initial}) {
      values.set_at(i, value);
      expect(values);
    }
  }
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    for (std::size_t i = 0; i < description->parameters.size(); ++i)
      values.set_at(i, random_value(description->parameters[i], random));
    expect(values);
  }
}

}  // namespace convscope::arch
