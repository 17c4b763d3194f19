#pragma once
// The mill turn by turn: the wheel counts, and a line that says "grind" fills a sack.

#include <memory>
#include <string_view>

#include "core/target/trace.h"

namespace convscope::made::mill {

/// A cycle for each line of the program behind the first.
std::shared_ptr<const target::Trace> turn(std::string_view program);

}  // namespace convscope::made::mill
