#pragma once
// Snowflake's own figures (core/artifact/figure.h).

#include <vector>

#include "core/artifact/figure.h"

namespace convscope::snowflake {

const std::vector<artifact::FigureDescription>& figure_descriptions();

}  // namespace convscope::snowflake
