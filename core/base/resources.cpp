#include "core/base/resources.h"

#include <cstdlib>
#include <filesystem>

namespace convscope {
namespace {

bool holds_data(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::is_directory(folder / "resources", error);
}

}  // namespace

std::string data_folder() {
  if (const char* set = std::getenv("CONVSCOPE_DATA"); set != nullptr && *set != '\0') return set;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    // PREFIX/bin/convscope finds PREFIX/share/convscope, wherever the prefix was moved to.
    const auto installed = program.parent_path().parent_path() / "share" / "convscope";
    if (holds_data(installed)) return installed.string();
  }
  return CONVSCOPE_SOURCE_DATA;
}

std::string resource_path(const std::string& relative) {
  return data_folder() + "/resources/" + relative;
}
std::string sample_path(const std::string& relative) {
  return data_folder() + "/samples/" + relative;
}

}  // namespace convscope
