#include "core/engine/faults.h"

namespace convscope::engine {

std::vector<Fault> faults(const CompiledNetwork& compiled) {
  std::vector<Fault> found;
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    std::string what = compiled.layers[i] ? compiled.layers[i]->fault() : std::string();
    if (!what.empty()) found.push_back({compiled.network->layers[i].name, std::move(what)});
  }
  std::string together = compiled.linked ? compiled.linked->fault() : std::string();
  if (!together.empty()) found.push_back({{}, std::move(together)});
  return found;
}

}  // namespace convscope::engine
