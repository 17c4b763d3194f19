#include "core/readers/convnet_xml/findings.h"

#include <algorithm>
#include <utility>

namespace convscope::readers {

void Findings::error(const Location& where, std::string what, std::string expected, std::string hint) {
  ++errors_;
  if (errors_ < cap) {
    diagnostics_.error(where, std::move(what), std::move(expected), std::move(hint));
  } else if (errors_ == cap) {
    diagnostics_.error(where, "too many mistakes: those from here on are not listed", {}, "correct the first ones");
  }
}

void Findings::note(const Location& where, std::string what) {
  if (++notes_ < cap) diagnostics_.note(where, std::move(what));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t length_cap = 40;
  std::string result(text.substr(0, length_cap));
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return "'" + result + (text.size() > length_cap ? "…'" : "'");
}

}  // namespace convscope::readers
