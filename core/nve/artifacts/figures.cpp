#include "core/nve/artifacts/figures.h"

namespace convscope::nve {
namespace {

using artifact::ArtifactKind;
using artifact::Better;

std::vector<artifact::FigureDescription> make_figures() {
  return {
      {.key = "mac_per_instruction",
       .label = "MAC / instruction",
       .total_label = "MAC / instruction, mean weighted by workload",
       .better = Better::more,
       .ratio = true},
      {.key = "effective_mac_per_instruction",
       .label = "effective MAC / instruction",
       .better = Better::more,
       .ratio = true},
      {.key = "overall_mac_per_instruction",
       .label = "all MACs / all instructions",
       .better = Better::more,
       .ratio = true},
      {.key = "stored_instructions",
       .label = "instructions stored",
       .better = Better::less,
       .detail = true,
       .artifacts = {ArtifactKind::program}},
      {.key = "instructions", .label = "instructions", .better = Better::less, .artifacts = {ArtifactKind::program}},
      {.key = "initiation_interval",
       .label = "sum of II",
       .unit = "cycles",
       .better = Better::less,
       .artifacts = {ArtifactKind::schedule, ArtifactKind::task_graph}},
      {.key = "interval_bound",
       .label = "sum of proven bounds of II",
       .unit = "cycles",
       .detail = true,
       .artifacts = {ArtifactKind::schedule, ArtifactKind::task_graph}},
      {.key = "words_transferred", .label = "transfers", .unit = "words", .better = Better::less},
      {.key = "programs", .label = "programs"},
      {.key = "pixel_columns",
       .label = "pixel columns transferred",
       .unit = "columns",
       .better = Better::less,
       .detail = true},
      {.key = "strip_macs", .label = "MACs of whole strips", .unit = "MAC", .detail = true},
      {.key = "seconds_compute", .label = "compute time", .unit = "s", .better = Better::less, .detail = true},
      {.key = "seconds_transfer", .label = "transfer time", .unit = "s", .better = Better::less, .detail = true},
      {.key = "port_bits", .label = "Bits of buffer ports", .unit = "bit", .better = Better::less, .cost = true}};
}

}  // namespace

const std::vector<artifact::FigureDescription>& figure_descriptions() {
  static const std::vector<artifact::FigureDescription> figures = make_figures();
  return figures;
}

}  // namespace convscope::nve
