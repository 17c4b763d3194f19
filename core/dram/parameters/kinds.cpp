#include <algorithm>
#include <cassert>

#include "core/arch/preset.h"
#include "core/dram/parameters/kind_files.h"
#include "core/dram/parameters/parameters.h"

namespace convscope::dram {
namespace {

// The files are the project's own; a test reads each with its diagnostics.
std::vector<Kind> read_kinds() {
  std::vector<Kind> kinds;
  for (const std::string_view file : kind_files()) {
    Diagnostics diagnostics;
    const auto preset = arch::read_preset(file, "resources/dram", description(), diagnostics);
    assert(preset && "a file of resources/dram is wrong");
    if (preset) kinds.push_back({preset->name, preset->title, parameters_from(preset->values)});
  }
  std::sort(kinds.begin(), kinds.end(), [](const Kind& a, const Kind& b) { return a.name < b.name; });
  return kinds;
}

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = read_kinds();
  return all;
}

const Parameters& kind(std::string_view name) {
  const auto found = std::find_if(kinds().begin(), kinds().end(), [&](const Kind& k) { return k.name == name; });
  assert(found != kinds().end());
  return found->parameters;
}

}  // namespace convscope::dram
