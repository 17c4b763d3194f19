#pragma once
// A program as JSON. Private to core/nmp/architecture.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/diagnostic.h"
#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

inline constexpr int program_depth = 6;  ///< of nested objects and arrays

/// All members but the code: names and JSON, each on a line of its own if `lines` is false.
std::vector<std::pair<std::string, std::string>> program_members(const Program& program, bool lines);
/// Hexadecimal digits, eight for each word.
std::string hexadecimal(const std::vector<std::uint32_t>& words);
std::optional<Program> program_from(const nlohmann::json& json, const std::string& file, Diagnostics& diagnostics);

}  // namespace convscope::nmp
