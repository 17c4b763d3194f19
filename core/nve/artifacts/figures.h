#pragma once
// The figures of NVE's layers and networks, and of what its machines are made of besides the shared resources.

#include <vector>

#include "core/artifact/figure.h"

namespace convscope::nve {

const std::vector<artifact::FigureDescription>& figure_descriptions();

}  // namespace convscope::nve
