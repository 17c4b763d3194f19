#include "core/target/presets.h"

#include <algorithm>
#include <filesystem>

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/base/resources.h"

namespace convscope::target {

std::string Target::preset_folder() const {
  return resource_path("presets");
}

std::string preset_path(const Target& target, std::string_view name) {
  return target.preset_folder() + '/' + std::string(name) + ".xml";
}

std::vector<std::string> preset_names(const Target& target) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(target.preset_folder(), error)) {
    if (entry.path().extension() != ".xml") continue;
    Diagnostics ignored;  // a broken preset is reported when it is asked for
    const auto text = read_file(entry.path().string(), ignored);
    if (text && arch::preset_target(*text, entry.path().string(), ignored) == target.id())
      names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace convscope::target
