#pragma once
// GraphDef in protobuf's text format (.pbtxt).

#include <optional>
#include <string_view>

#include "core/readers/graphdef/model.h"

namespace convscope::readers::graphdef {

inline constexpr std::size_t graph_text_cap = std::size_t{64} << 20;

/// True if a field `node {` stands at the top level.
bool looks_like_text(std::string_view bytes);

/// Errors, with nothing: malformed text or numbers, with their line; more than the caps of model.h.
std::optional<GraphDef> parse_text(std::string_view text, Report& report);

}  // namespace convscope::readers::graphdef
