#pragma once
// One <machines> element of a space.

#include "core/explore/space/space_reader.h"
#include "core/explore/space/xml_tools.h"

namespace convscope::explore {

/// Nothing, with diagnostics, if there was an error.
std::optional<Family> read_family(pugi::xml_node node, const XmlElements& elements, const SpaceSources& sources);

}  // namespace convscope::explore
