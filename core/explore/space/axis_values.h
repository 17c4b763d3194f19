#pragma once
// Values of one <parameter> of a space: a list, or a range.

#include "core/arch/parameters.h"
#include "core/explore/space/xml_tools.h"

namespace convscope::explore {

/// Most values of one axis.
inline constexpr std::size_t longest_axis = 100'000;

/// Values that the description allows, each once, in the order given. Empty, with diagnostics, if there was an error.
std::vector<double> read_axis_values(pugi::xml_node node, const arch::ParameterValues& defaults, std::size_t parameter,
                                     const XmlElements& elements);

}  // namespace convscope::explore
