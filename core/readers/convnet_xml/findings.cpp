#include "core/readers/convnet_xml/findings.h"

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

}  // namespace convscope::readers
