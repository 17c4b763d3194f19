#pragma once
// The Snowflake coprocessor as a target.

#include <memory>

#include "core/target/target.h"

namespace convscope::snowflake {

std::shared_ptr<const target::Target> make_snowflake_target();

}  // namespace convscope::snowflake
