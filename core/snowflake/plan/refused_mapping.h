#pragma once
// Which mappings a layer can have.

#include <string>

#include "core/snowflake/plan/layer_shape.h"

namespace convscope::snowflake {

/// Why a mapping can't be, but for its code: what, limit, what to do; empty if it can.
std::string refused_mapping(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

}  // namespace convscope::snowflake
