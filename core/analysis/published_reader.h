#pragma once
// One file of published figures. Its form:
//   <published>
//     <source id="thesis-table1" target="nve" title="…" citation="…">    target: whose machine; optional
//                                      counts="Conv" (operators whose layers totals count), images="4" (together):
//                                      optional
//       <figure metric="…" unit="…">1</figure>                          of a machine, without a network
//       <network name="Face Detector">
//         <layer name="L1"><figure metric="macs" unit="MMAC">32.9</figure></layer>
//         <total><figure …>…</figure></total>
//       </network>
//       <schedule network="…" layer="…" level="…"><cycle MEMA="rd" MEMB="" … /></schedule>
//     </source>
//   </published>

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/published.h"

namespace convscope::analysis {

/// What one or more files hold.
struct PublishedContent {
  std::vector<PublishedSource> sources;
  std::vector<PublishedFigure> figures;
  std::vector<PublishedSchedule> schedules;
};

/// Appends a file's content. Mistakes (XML, missing attributes, numbers, units, duplicates) are diagnostics with file
/// and line; the entry that holds one is left out.
void read_published(std::string_view xml, const std::string& file, PublishedContent& content, Diagnostics& diagnostics);

}  // namespace convscope::analysis
