#pragma once
// Names of megabytes, as hostile files have them: what of them is shown to people.

#include <cstddef>
#include <string>
#include <string_view>

namespace convscope {

inline constexpr std::size_t longest_shown_name = 300;  ///< bytes, in tables and headings

/// The text, or if it has more than `most` bytes its begin and its end, with an ellipsis between them; no character is
/// cut.
std::string shortened(std::string_view text, std::size_t most = longest_shown_name);

}  // namespace convscope
