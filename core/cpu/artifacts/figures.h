#pragma once
// The CPU target's own figures (core/artifact/figure.h).

#include <vector>

#include "core/artifact/figure.h"

namespace convscope::cpu {

const std::vector<artifact::FigureDescription>& figure_descriptions();

}  // namespace convscope::cpu
