#pragma once
// The figures of NMP's layers and networks.

#include <vector>

#include "core/artifact/figure.h"

namespace convscope::nmp {

const std::vector<artifact::FigureDescription>& figure_descriptions();

}  // namespace convscope::nmp
