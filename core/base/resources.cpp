#include "core/base/resources.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* variable = "CONVSCOPE_DATA";

std::optional<std::string> own_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string own_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

bool holds_data(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "resources", error);
}

std::string without_links(const std::string& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  return error ? folder : real.string();
}

/// Folders of shared data as the XDG Base Directory Specification lists them; a relative one counts for nothing there.
std::vector<fs::path> shared_data_folders(const Environment& environment) {
  const auto value = [&](const char* name) { return environment(name).value_or(""); };
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    if (folder.is_absolute()) folders.push_back(folder);
  };
  const std::string own = value("XDG_DATA_HOME"), shared = value("XDG_DATA_DIRS");
  add(own.empty() ? fs::path(value("HOME")) / ".local/share" : fs::path(own));
  const std::string list = (shared.empty() ? "/usr/local/share:/usr/share" : shared) + ':';
  for (std::size_t begin = 0, end = 0; (end = list.find(':', begin)) != std::string::npos; begin = end + 1)
    add(list.substr(begin, end - begin));
  return folders;
}

std::vector<std::string> own_places() {
  return data_places(own_program(), own_environment);
}

}  // namespace

std::vector<std::string> data_places(const std::string& program, const Environment& environment) {
  if (const auto set = environment(variable); set && !set->empty()) return {*set};
  std::vector<std::string> places;
  if (!program.empty())
    places.push_back((fs::path(program).parent_path().parent_path() / "share" / "convscope").string());
  for (const fs::path& folder : shared_data_folders(environment)) places.push_back((folder / "convscope").string());
  return places;
}

std::string data_folder() {
  const std::vector<std::string> places = own_places();
  for (const std::string& place : places)
    if (holds_data(place)) return without_links(place);
  return places.empty() ? "." : places.front();
}

std::string data_hint(std::string_view path) {
  const std::string folder = data_folder();
  if (!path.starts_with(folder + "/resources/") && !path.starts_with(folder + "/samples/")) return {};
  return fmt::format(
      "the program's data are looked for in {}; {} names another folder that holds resources and samples", folder,
      variable);
}

bool find_data(Diagnostics& diagnostics) {
  const std::vector<std::string> places = own_places();
  for (const std::string& place : places)
    if (holds_data(place)) return true;
  const std::string expected = fmt::format("a folder 'resources' in {}", fmt::join(places, " or "));
  if (const auto set = own_environment(variable); set && !set->empty()) {
    diagnostics.error({variable, 0, {}}, "it names a folder without resources", expected,
                      "unset it, and the program looks where it was installed");
  } else {
    diagnostics.error({own_program(), 0, {}}, "no resources were found for this program", expected,
                      fmt::format("keep share/convscope beside the folder of the program, or set {}", variable));
  }
  return false;
}

std::string resource_path(const std::string& relative) {
  return data_folder() + "/resources/" + relative;
}
std::string sample_path(const std::string& relative) {
  return data_folder() + "/samples/" + relative;
}

}  // namespace convscope
