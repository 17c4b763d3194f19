#pragma once
// lab.xml: what is written there, without a look at networks and machines (open_lab.h does that).
//   <lab name="…" title="…" network="filter_3x3.xml" minutes="20">
//     <machine target="nve" preset="…" level="…"><parameter name="lanes" value="16"/></machine>
//     <allow level="none packing"/> <allow parameter="lanes" from="4" to="32"/>
//     <budget steps="…" mebibytes="…"/>
//     <question name="…" unit="…"><text>…</text><choice name="…">…</choice></question>
//     <program name="…" layer="…" program="0"><text>…</text></program>
//     <tiling name="…" layer="…"><text>…</text></tiling>
//     <task name="…" title="…" points="1"><text>…</text><hint>…</hint><require otherwise="…">…</require></task>
//   </lab>

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/labs/lab.h"

namespace convscope::labs {

/// Largest file that is read, in bytes.
inline constexpr std::size_t largest_lab = std::size_t{1} << 20;
/// Most questions, programs, tilings, tasks, parameters, hints, … of each kind.
inline constexpr std::size_t most_items = 200;

/// Nothing, with a diagnostic for every mistake, if there is one.
std::optional<Lab> read_lab(std::string_view xml, const std::string& file, Diagnostics& diagnostics);

/// Reads back alike.
std::string write_lab(const Lab& lab);

}  // namespace convscope::labs
