#pragma once
// The computer that the program runs on, or one that its parameters describe, as a target.

#include <memory>
#include <string>

#include "core/target/target.h"

namespace convscope::cpu {

/// `store`: the file of level `stored`; empty: the user's.
std::shared_ptr<const target::Target> make_cpu_target(const std::string& store = {});

}  // namespace convscope::cpu
