#pragma once
// Why a layer, as tiled, has no program.

#include <string>

#include "core/nmp/generate/computing.h"
#include "core/nmp/generate/tables.h"

namespace convscope::nmp {

/// What of the machine no program knows; empty if there is a program for it.
std::string why_no_program(const Machine& machine);
/// The same of an operator with its strategy, and of a strategy.
std::string why_no_program(const Convolution& convolution, const Computing& computing, const Tiling& tiling);
std::string why_no_program(const Tiling& tiling);

/// What of the layer doesn't fit instructions, data RAM or sums; empty if all does.
std::string why_no_program(const LayerPlan& plan, const LayerLayout& layout, const TablePlaces& places);

}  // namespace convscope::nmp
