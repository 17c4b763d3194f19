#pragma once
// The NMP with the TSO search as a target.

#include <memory>

#include "core/target/target.h"

namespace convscope::nmp {

std::shared_ptr<const target::Target> make_nmp_target();

}  // namespace convscope::nmp
