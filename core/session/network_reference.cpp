#include "core/session/network_reference.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/base/key.h"
#include "core/base/mapped_file.h"

namespace convscope::session {
namespace {

namespace fs = std::filesystem;

fs::path absolute(const fs::path& path) {
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path.lexically_normal() : resolved;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Places to look at, the best first, each once.
std::vector<std::string> candidates(const NetworkReference& reference, const std::string& session_file,
                                    const std::vector<std::string>& folders) {
  const fs::path name = fs::path(reference.path).filename();
  std::vector<std::string> result{path_beside(session_file, reference.path)};
  const auto add = [&](const fs::path& path) {
    if (is_file(path) && path.lexically_normal() != fs::path(result.front())) result.push_back(path.string());
  };
  add(fs::path(session_file).parent_path() / name);
  for (const std::string& folder : folders) add(fs::path(folder) / name);
  return result;
}

bool has_hash(const std::string& path, std::uint64_t hash) {
  Diagnostics unreadable;  // then it is not the one
  return hash_of_file(path, unreadable) == hash;
}

void tell_of_other_place(const NetworkReference& reference, const std::string& session_file, const std::string& found,
                         Diagnostics& diagnostics) {
  diagnostics.note({session_file, 0, "network '" + reference.path + "'"},
                   "it is not there any more; opened " + found + " instead");
}

}  // namespace

std::optional<std::uint64_t> hash_of_file(const std::string& path, Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path, diagnostics);
  if (!file) return std::nullopt;
  return hash64(file->bytes());
}

std::string path_from(const std::string& folder, const std::string& path) {
  const fs::path relative = absolute(path).lexically_relative(absolute(folder.empty() ? "." : folder));
  return relative.empty() ? absolute(path).string() : relative.string();
}

std::string path_beside(const std::string& session_file, const std::string& path) {
  return (fs::path(session_file).parent_path() / path).lexically_normal().string();
}

std::optional<std::string> find_network(const NetworkReference& reference, const std::string& session_file,
                                        const std::vector<std::string>& folders, Diagnostics& diagnostics) {
  const auto places = candidates(reference, session_file, folders);
  const bool in_place = is_file(places.front());
  for (const std::string& place : places) {
    if (!reference.hash || !is_file(place) || !has_hash(place, *reference.hash)) continue;
    if (place != places.front()) tell_of_other_place(reference, session_file, place, diagnostics);
    return place;
  }
  const Location where{session_file, 0, "network '" + reference.path + "'"};
  if (!in_place && places.size() < 2) {
    diagnostics.error(where, "there is no such file", "the network that the session was saved with",
                      fmt::format("put {} beside the session's file", fs::path(reference.path).filename().string()));
    return std::nullopt;
  }
  const std::string& found = in_place ? places[0] : places[1];
  if (!in_place) tell_of_other_place(reference, session_file, found, diagnostics);
  if (reference.hash) {
    diagnostics.warning(where, "the file has changed since the session was saved; its figures may be others",
                        "the content that it had then");
  }
  return found;
}

}  // namespace convscope::session
