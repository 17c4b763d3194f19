#pragma once
// Completion for shells: commands, options, and the values of options that have a list of them; files otherwise.

#include <string>

#include "app/manual/program.h"

namespace convscope::manual {

std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);
std::string fish_completion(const Program& program);

}  // namespace convscope::manual
