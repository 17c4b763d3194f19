#pragma once
// A network as a list of convolutions in words, one a line: "56x56x64 -> 64, 3x3". As a file, or as one argument.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/network.h"

namespace convscope::cpu {

/// True if the first line that is neither empty nor a comment (from '#' on) has sizes, an arrow and sizes.
bool is_problem_list(std::string_view content);

/// Each line a layer for itself, named as it is written; at most 1000. All mistakes are collected, with their line.
std::optional<network::Network> read_problem_list(const MappedFile& file, const std::string& path,
                                                  Diagnostics& diagnostics);
std::optional<network::Network> read_problem_list_text(std::string_view content, const std::string& path,
                                                       Diagnostics& diagnostics);

}  // namespace convscope::cpu
