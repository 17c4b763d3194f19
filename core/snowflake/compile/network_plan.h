#pragma once
// What is decided about a whole network before its layers are compiled: layer objects, fixed-point positions.

#include <memory>

#include "core/snowflake/architecture/machine.h"
#include "core/snowflake/parse/parse.h"
#include "core/target/compiled.h"

namespace convscope::snowflake {

struct SnowflakePlan : target::NetworkPlan {
  ParsedNetwork parsed;
};

/// Positions of weights, inputs and outputs of every layer. Source: "Compiling Deep Learning Models …", section 5.3
/// (Q8.8 and Q5.11). Average pools keep their input's position; their weights, all below one, take 15 bits of fraction.
void set_fixed_point(ParsedNetwork& parsed, FixedPoint choice);

std::shared_ptr<const SnowflakePlan> make_plan(const network::Network& network, const Machine& machine);

}  // namespace convscope::snowflake
