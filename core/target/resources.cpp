#include "core/target/resources.h"

namespace convscope::target {
namespace {

artifact::FigureDescription cost(const char* key, const char* label, const char* unit = "") {
  return {.key = key, .label = label, .unit = unit, .better = artifact::Better::less, .objective = true, .cost = true};
}

}  // namespace

const std::vector<artifact::FigureDescription>& shared_resources() {
  static const std::vector<artifact::FigureDescription> resources = {
      cost(mac_units, "MAC units"), cost(on_chip_bits, "Memory on chip", "bit"),
      cost(instruction_bits, "Instruction memory", "bit"), cost(memory_ports, "Memory ports")};
  return resources;
}

}  // namespace convscope::target
