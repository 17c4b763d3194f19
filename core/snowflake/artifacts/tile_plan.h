#pragma once
// A layer's map tiles and kernel tiles as a tile plan: CUs are the groups, their vMACs the workers.

#include <memory>

#include "core/artifact/tile_plan.h"
#include "core/snowflake/architecture/program.h"
#include "core/snowflake/plan/mapping.h"

namespace convscope::snowflake {

/// Of a program of one layer.
std::shared_ptr<const artifact::TilePlan> make_tile_plan(const Program& program, const Mapping& mapping);

}  // namespace convscope::snowflake
