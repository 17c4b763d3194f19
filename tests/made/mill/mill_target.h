#pragma once
// A target that only tests know: figures with units of their own, a pass over the whole network, a linked program,
// simulation with an option of its own, a measurement, and a level that takes its time.

#include <chrono>
#include <memory>

#include "core/target/target.h"

namespace convscope::made {

/// Its id is "mill". Each layer of the fine level takes so long.
std::shared_ptr<const target::Target> make_mill(std::chrono::milliseconds fine_time = {});

}  // namespace convscope::made
