#include "core/cpu/artifacts/figures.h"

namespace convscope::cpu {
namespace {

using artifact::ArtifactKind;
using artifact::Better;
using artifact::FigureDescription;

FigureDescription traffic(const char* key, const char* label, bool detail) {
  return {.key = key, .label = label, .unit = "byte", .better = Better::less, .detail = detail};
}

std::vector<FigureDescription> make_figures() {
  return {{.key = "method", .label = "Method", .artifacts = {ArtifactKind::program}},
          {.key = "path", .label = "Path", .detail = true, .artifacts = {ArtifactKind::program}},
          {.key = "gflops",
           .label = "Speed",
           .unit = "GFLOP/s",
           .better = Better::more,
           .ratio = true,
           .objective = true,
           .artifacts = {ArtifactKind::program}},
          {.key = "roof", .label = "Roof"},
          {.key = "temp_bytes", .label = "Temporary memory", .unit = "byte", .better = Better::less},
          traffic("bytes_l1", "Moved from and to L1", true),
          traffic("bytes_l2", "Moved from and to L2", true),
          traffic("bytes_l3", "Moved from and to L3", true),
          traffic("bytes_dram", "Moved from and to DRAM", false),
          {.key = "energy", .label = "Energy of moving data", .unit = "J", .better = Better::less},
          {.key = "spilled", .label = "Registers spilled", .better = Better::less, .detail = true},
          {.key = "valid_macs", .label = "MACs inside the image", .detail = true},
          {.key = "method_macs", .label = "Multiply-adds of the method", .detail = true},
          {.key = "error", .label = "Largest error", .better = Better::less, .detail = true, .ratio = true},
          {.key = "samples", .label = "Samples", .detail = true},
          {.key = "peer", .label = "Fastest other library", .detail = true},
          {.key = "peer_seconds", .label = "Its time", .unit = "s", .better = Better::less, .detail = true},
          {.key = "peer_ratio", .label = "Its time / ours", .better = Better::more, .ratio = true},
          {.key = "host", .label = "Host", .detail = true}};
}

}  // namespace

const std::vector<FigureDescription>& figure_descriptions() {
  static const std::vector<FigureDescription> figures = make_figures();
  return figures;
}

}  // namespace convscope::cpu
