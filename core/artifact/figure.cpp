#include "core/artifact/figure.h"

#include <algorithm>
#include <cassert>

namespace convscope::artifact {
namespace {

FigureDescription traffic(const char* key, const char* label, const char* total_label,
                          std::vector<ArtifactKind> artifacts = {}) {
  return {.key = key,
          .label = label,
          .total_label = total_label,
          .unit = "byte",
          .better = Better::less,
          .objective = true,
          .artifacts = std::move(artifacts)};
}

std::vector<FigureDescription> make_common_figures() {
  return {{.key = "macs", .label = "MACs", .unit = "MAC"},
          {.key = "cycles",
           .label = "cycles",
           .total_label = "Cycles",
           .unit = "cycles",
           .better = Better::less,
           .objective = true},
          {.key = "seconds",
           .label = "time",
           .total_label = "Time",
           .unit = "s",
           .better = Better::less,
           .objective = true},
          {.key = "utilization",
           .label = "utilization",
           .total_label = "Utilization",
           .better = Better::more,
           .ratio = true,
           .objective = true,
           .artifacts = {ArtifactKind::schedule}},
          traffic("bytes_in", "bytes in", "Input traffic"),
          traffic("bytes_out", "bytes out", "Output traffic"),
          traffic("bytes_weights", "weight bytes", "Weight traffic"),
          traffic("bytes", "all bytes", "Traffic", {ArtifactKind::memory, ArtifactKind::tiling})};
}

}  // namespace

bool FigureDescription::shows(ArtifactKind artifact) const {
  return std::find(artifacts.begin(), artifacts.end(), artifact) != artifacts.end();
}

const FigureDescription* find_figure(const std::vector<FigureDescription>& figures, std::string_view key) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& each) { return each.key == key; });
  return found == figures.end() ? nullptr : &*found;
}

const std::vector<FigureDescription>& common_figures() {
  static const std::vector<FigureDescription> figures = make_common_figures();
  return figures;
}

const FigureDescription& common_figure(std::string_view key) {
  const FigureDescription* found = find_figure(common_figures(), key);
  assert(found != nullptr);
  return *found;
}

}  // namespace convscope::artifact
