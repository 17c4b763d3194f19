#pragma once
// Counts as people read them.

#include <cstdint>
#include <string>

namespace convscope {

/// "12,345,678": grouped by thousands, whatever the locale.
std::string grouped(std::int64_t value);

}  // namespace convscope
