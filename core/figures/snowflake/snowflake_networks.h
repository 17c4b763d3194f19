#pragma once
// The networks of the Snowflake paper on its machine: what its figures start from.

#include <optional>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/compile/network_plan.h"

namespace convscope::figures {

/// File names of the samples of Table 2, in its order; AlexNetOWT, the first, is Table 1's too.
std::vector<std::string> snowflake_samples();

/// The preset that stands for the paper's board. Nothing, with diagnostics, if it is missing or refused.
std::optional<snowflake::Machine> snowflake_machine(const Environment& environment, Diagnostics& diagnostics);

/// The levels of the target that the figures show, in its order: "paper", and "best" where there is one.
std::vector<std::string> snowflake_levels(const Environment& environment);

/// A network as the compiler sees it: layer objects and regions, nothing decided.
struct SnowflakeNetwork {
  std::string name;
  std::shared_ptr<const snowflake::SnowflakePlan> plan;
};
std::optional<SnowflakeNetwork> snowflake_network(const std::string& file, const snowflake::Machine& machine,
                                                  const Environment& environment, Diagnostics& diagnostics);

/// A choice without alternatives.
snowflake::Choice only_choice(const snowflake::Mapping& mapping);

}  // namespace convscope::figures
