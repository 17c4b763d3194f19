#include "core/snowflake/artifacts/figures.h"

namespace convscope::snowflake {
namespace {

using artifact::ArtifactKind;
using artifact::Better;
using artifact::FigureDescription;

FigureDescription choice(const char* key, const char* label) {
  return {.key = key, .label = label, .artifacts = {ArtifactKind::tiling}};
}

FigureDescription stall(const char* key, const char* label, bool detail = false) {
  return {.key = key,
          .label = label,
          .unit = "cycles",
          .better = Better::less,
          .detail = detail,
          .artifacts = {ArtifactKind::schedule}};
}

FigureDescription count(const char* key, const char* label, ArtifactKind artifact, bool detail = false) {
  return {.key = key, .label = label, .better = Better::less, .detail = detail, .artifacts = {artifact}};
}

std::vector<FigureDescription> make_figures() {
  return {choice("mac_mode", "MAC mode"),
          choice("broadcast_to_cus", "Broadcast"),
          choice("tile_loop", "Loop"),
          choice("tile_rows", "Rows of a map tile"),
          choice("kernels_per_vmac", "Kernels of a vMAC"),
          {.key = "valid_macs", .label = "MACs inside the image", .detail = true},
          {.key = "used_bandwidth", .label = "Bandwidth", .unit = "byte/s", .ratio = true},
          {.key = "bytes_instructions", .label = "Instructions moved", .unit = "byte", .better = Better::less},
          stall("stall_data", "Waiting for data"),
          stall("stall_bookkeeping", "Waiting for bookkeeping"),
          stall("stall_instruction_bank", "Waiting for instructions", true),
          stall("stall_load_unit", "Waiting for a load unit", true),
          stall("stall_store", "Waiting for stores", true),
          stall("stall_gather", "Waiting for the gather adder", true),
          stall("control_raw", "Control waiting for a result", true),
          stall("control_queue", "Control waiting for the queue", true),
          {.key = "load_imbalance", .label = "Load imbalance", .better = Better::less, .detail = true, .ratio = true},
          count("load_instructions", "LDs", ArtifactKind::program),
          count("vector_instructions", "Vector instructions", ArtifactKind::program, true),
          count("issued_instructions", "Instructions issued", ArtifactKind::program),
          count("code_instructions", "Instructions in memory", ArtifactKind::program, true)};
}

}  // namespace

const std::vector<FigureDescription>& figure_descriptions() {
  static const std::vector<FigureDescription> figures = make_figures();
  return figures;
}

}  // namespace convscope::snowflake
