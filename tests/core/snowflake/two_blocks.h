#pragma once
// A program by hand for tests of what is refused: 16 channels to 16 of two pixels on one CU with one vMAC, then the
// maximum of both, in two blocks (tests/fuzz/corpus/snowflake_program/two_blocks.txt).

#include <string>

#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake::test {

const std::string& two_blocks();
Program parsed(const std::string& assembly);
/// With the first `from` replaced; there must be one.
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace convscope::snowflake::test
