#include "core/nmp/artifacts/figures.h"

namespace convscope::nmp {
namespace {

using artifact::ArtifactKind;
using artifact::Better;
using artifact::FigureDescription;

FigureDescription time(const char* key, const char* label, Better better, bool detail = false) {
  return {.key = key, .label = label, .unit = "s", .better = better, .detail = detail};
}

FigureDescription transfers(const char* key, const char* label, bool detail = false) {
  return {.key = key, .label = label, .better = Better::less, .detail = detail, .artifacts = {ArtifactKind::tiling}};
}

/// How far off the level was where it could be checked: no figure of merit.
FigureDescription error(const char* key, const char* label, bool detail = false) {
  return {.key = key, .label = label, .detail = detail, .ratio = true};
}

std::vector<FigureDescription> make_figures() {
  return {{.key = "operation", .label = "Operation"},
          {.key = "partition", .label = "TLE partition"},
          {.key = "schedule", .label = "TLT schedule"},
          {.key = "tile.TR", .label = "T_R"},
          {.key = "tile.TC", .label = "T_C"},
          {.key = "tile.TN", .label = "T_N"},
          {.key = "tile.TM", .label = "T_M"},
          {.key = "doubled", .label = "Doubled memories"},
          transfers("bursts", "Bursts"),
          time("seconds_mac", "MAC time", Better::less),
          time("seconds_dram", "DRAM time", Better::less),
          time("seconds_overhead", "Command time", Better::less),
          time("seconds_ring", "Ring time", Better::less),
          time("seconds_transfer", "Transfer time at full bandwidth", Better::less, true),
          time("seconds_latency", "DRAM latency", Better::less, true),
          // A part of others; more of it may come from more work as well as from better overlap.
          time("seconds_hidden", "Time hidden by overlap", Better::neutral),
          transfers("commands", "Transfer commands", true),
          error("dram_error", "DRAM error, measured"),
          error("dram_error_worst", "DRAM error, worst layer measured", true),
          {.key = "dram_error_of", .label = "DRAM error measured for", .detail = true}};
}

}  // namespace

const std::vector<FigureDescription>& figure_descriptions() {
  static const std::vector<FigureDescription> figures = make_figures();
  return figures;
}

}  // namespace convscope::nmp
