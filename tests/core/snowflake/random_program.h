#pragma once
// Programs that hold anything a file may hold, right or not.

#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake::test {

/// Random words, regions, layers, blocks and ranges within what files allow.
Program random_program(unsigned seed);

}  // namespace convscope::snowflake::test
