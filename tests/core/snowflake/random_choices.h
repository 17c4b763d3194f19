// Networks in words with random mappings, and whether their programs are right: for tests of whole programs.
#pragma once

#include <string>
#include <vector>

#include "core/snowflake/compile/compiler.h"
#include "random_layers.h"

namespace convscope::snowflake {

/// " name='value'"
std::string attribute(const std::string& name, int value);

/// Any mapping that fits, of each layer; nothing if a layer has none.
std::vector<Choice> random_choices(Random& random, const ParsedNetwork& parsed, const Machine& machine);

/// "equal", or else what the verifier refuses or how outputs differ from the reference's.
std::string verify_and_run(const Program& program, std::uint64_t seed);

}  // namespace convscope::snowflake
