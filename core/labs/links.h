#pragma once
// Links in a lab's text that act: `[show the schedule](action:view?id=schedule)`.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/labs/open_lab.h"

namespace convscope::labs {

struct Link {
  enum class Kind {
    view,   ///< shows a view: `action:view?id=ID`
    layer,  ///< selects a layer: `action:layer?name=L2`
    level,  ///< compiles at a level: `action:level?name=modulo`
    set     ///< sets a parameter: `action:set?lanes=32`
  } kind = Kind::view;
  std::string name;   ///< view, layer, level or parameter
  std::string value;  ///< of the parameter
  bool operator==(const Link&) const = default;
};

/// What a link's target means in a lab; "%20" stands for a blank, as in every link. Nothing, with a diagnostic, if it
/// is no such link, or asks for a layer, level or parameter that the lab doesn't have or doesn't allow. Which views
/// there are is known to the window alone.
std::optional<Link> read_link(const OpenLab& lab, std::string_view target, const Location& where,
                              Diagnostics& diagnostics);

/// An error, with its line in `file`, for each link of the lab's text that can't act.
void check_links(const OpenLab& lab, const std::string& file, Diagnostics& diagnostics);

}  // namespace convscope::labs
