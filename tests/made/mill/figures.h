#pragma once
// The mill's own figures, described once.

#include <string>
#include <vector>

#include "core/artifact/metrics.h"

namespace convscope::made::mill {

const std::vector<artifact::FigureDescription>& figures();

/// A value in the unit that its description states.
artifact::NamedQuantity number(const char* key, double value, Origin origin = Origin::derived);
artifact::NamedQuantity word(const char* key, const std::string& text);

}  // namespace convscope::made::mill
