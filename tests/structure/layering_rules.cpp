#include <algorithm>
#include <functional>
#include <regex>
#include <set>

#include "tests/structure/rules.h"

namespace convscope::structure {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "nve" of "core/nve/verify/rules.h"; empty outside core/ and for files directly in it.
std::string core_folder(const std::string& path) {
  const auto parts = path_parts(path);
  return parts.size() > 2 && parts[0] == "core" ? parts[1] : "";
}

/// "xml" of "core/readers/xml/read.h"; empty elsewhere.
std::string reader_folder(const std::string& path) {
  const auto parts = path_parts(path);
  return parts.size() > 3 && parts[0] == "core" && parts[1] == "readers" ? parts[2] : "";
}

std::string violation(const SourceFile& file, const Include& include, const std::string& rule) {
  return file.path + ":" + std::to_string(include.line) + ": includes " + include.path + ": " + rule;
}

using IncludeRule = std::function<std::string(const SourceFile&, const Include&)>;

/// Violations of a rule that looks at one include at a time and answers with what is wrong, or nothing.
Violations each_include(const SourceTree& tree, const IncludeRule& rule) {
  Violations result;
  for (const auto& [path, file] : tree.files) {
    for (const Include& include : file.includes) {
      const std::string wrong = rule(file, include);
      if (!wrong.empty()) result.push_back(violation(file, include, wrong));
    }
  }
  return result;
}

/// Index of the floor with the longest name that is the folder or contains it; -1 if there is none.
int find_floor(const std::vector<std::string>& floors, const std::string& folder) {
  int found = -1;
  std::size_t length = 0;
  for (std::size_t i = 0; i < floors.size(); ++i) {
    const bool inside = (folder + '/').starts_with(floors[i] + '/');
    if (!inside || floors[i].size() <= length) continue;
    found = static_cast<int>(i);
    length = floors[i].size();
  }
  return found;
}

/// "views/layer" of "ui/views/layer/tiling.h"; empty for files directly in ui/, or not in it at all.
std::string folder_below(const std::string& top, const std::string& path) {
  const std::size_t begin = top.size() + 1, end = path.rfind('/');
  return path.starts_with(top + '/') && end > begin ? path.substr(begin, end - begin) : "";
}

/// Floor of a path: core's folders, then those of ui, then app; -1 for tests, bench, outside headers, and folders that
/// no list has.
int floor_of(const SourceTree& tree, const std::string& path) {
  const int core_floors = static_cast<int>(tree.floors.size()), ui_floors = static_cast<int>(tree.ui_floors.size());
  if (path.starts_with("app/")) return core_floors + ui_floors;
  const int ui_floor = find_floor(tree.ui_floors, folder_below("ui", path));
  return ui_floor >= 0 ? core_floors + ui_floor : find_floor(tree.floors, folder_below("core", path));
}

Violations folders_without_floor(const SourceTree& tree) {
  Violations result;
  for (const auto& [path, file] : tree.files) {
    for (const std::string top : {"core", "ui"}) {
      if (path.starts_with(top + '/') && floor_of(tree, path) < 0)
        result.push_back(path + ": its folder is not listed in " + top + "/CMakeLists.txt");
    }
  }
  return result;
}

/// All files of the tree that a file includes, however far.
void collect_reached(const SourceTree& tree, const std::string& path, std::set<std::string>& reached) {
  const auto found = tree.files.find(path);
  if (found == tree.files.end()) return;
  for (const Include& include : found->second.includes) {
    if (tree.files.count(include.path) && reached.insert(include.path).second)
      collect_reached(tree, include.path, reached);
  }
}

/// Target whose verifier a file belongs to; empty if none.
std::string verified_target(const SourceTree& tree, const std::string& path) {
  const std::string target = core_folder(path);
  return contains(tree.target_folders, target) && path.starts_with("core/" + target + "/verify/") ? target : "";
}

bool own_or_architecture(const std::string& path, const std::string& target) {
  return path.starts_with("core/" + target + "/verify/") || path.starts_with("core/" + target + "/architecture/");
}

}  // namespace

Violations includes_upward(const SourceTree& tree) {
  Violations result = folders_without_floor(tree);
  const Violations upward = each_include(tree, [&](const SourceFile& file, const Include& include) {
    const int from = floor_of(tree, file.path), to = floor_of(tree, include.path);
    return from >= 0 && to > from ? "that is a floor above" : "";
  });
  result.insert(result.end(), upward.begin(), upward.end());
  return result;
}

Violations includes_between_targets(const SourceTree& tree) {
  return each_include(tree, [&](const SourceFile& file, const Include& include) -> std::string {
    const std::string from = core_folder(file.path), to = core_folder(include.path);
    if (from != to && contains(tree.target_folders, from) && contains(tree.target_folders, to))
      return "target folders don't know each other";
    const std::string from_reader = reader_folder(file.path), to_reader = reader_folder(include.path);
    const bool common = to_reader == "common";  // what several formats share knows none of them
    if (!from_reader.empty() && !to_reader.empty() && from_reader != to_reader && !common)
      return "readers don't know each other";
    return "";
  });
}

Violations verifiers_that_share_code(const SourceTree& tree) {
  Violations result = each_include(tree, [&](const SourceFile& file, const Include& include) -> std::string {
    const std::string target = verified_target(tree, file.path);
    if (target.empty() || !include.path.starts_with("core/") || own_or_architecture(include.path, target)) return "";
    const bool allowed = contains({"artifact", "arch", "base"}, core_folder(include.path));
    return allowed ? "" : "a verifier includes only architecture, artifact, arch and base";
  });
  for (const auto& [path, file] : tree.files) {
    const std::string target = verified_target(tree, path);
    if (target.empty()) continue;
    std::set<std::string> reached;
    collect_reached(tree, path, reached);
    for (const std::string& other : reached) {
      if (core_folder(other) == target && !own_or_architecture(other, target))
        result.push_back(path + ": reaches " + other + ": a verifier shares no code with what it verifies");
    }
  }
  return result;
}

Violations targets_in_the_window(const SourceTree& tree) {
  Violations result;
  for (const auto& [path, file] : tree.files) {
    if (!path.starts_with("ui/") && !path.starts_with("app/window/")) continue;
    std::set<std::string> reached;
    collect_reached(tree, path, reached);
    for (const Include& include : file.includes) reached.insert(include.path);
    for (const std::string& other : reached) {
      if (contains(tree.target_folders, core_folder(other)))
        result.push_back(path + ": reaches " + other + ": the window asks for capabilities");
    }
  }
  return result;
}

Violations hidden_targets(const SourceTree& tree) {
  static const std::regex derived(R"(\b(class|struct)\s+\w+[^;{]*:[^;{]*\b(target::)?Target\b)");
  const int first = find_floor(tree.floors, "readers"), last = find_floor(tree.floors, "catalogue");
  Violations result;
  for (const auto& [path, file] : tree.files) {
    const std::string folder = core_folder(path);
    if (folder.empty() || contains(tree.target_folders, folder)) continue;
    for (std::size_t i = 0; i < file.code.size(); ++i) {
      if (std::regex_search(file.code[i], derived))
        result.push_back(path + ":" + std::to_string(i + 1) + ": a target in a folder without architecture/");
    }
    if (folder != "catalogue") continue;
    for (const Include& include : file.includes) {
      const std::string to = core_folder(include.path);
      const int floor = find_floor(tree.floors, to);
      if (floor > first && floor < last && !contains(tree.target_folders, to))
        result.push_back(violation(file, include, "a target's folder has an architecture/"));
    }
  }
  return result;
}

Violations views_that_know_the_window(const SourceTree& tree) {
  return each_include(tree, [](const SourceFile& file, const Include& include) {
    const auto lies_in = [](const std::string& path, std::initializer_list<const char*> folders) {
      return std::any_of(folders.begin(), folders.end(), [&](const char* each) { return path.starts_with(each); });
    };
    const bool wrong = lies_in(file.path, {"ui/views/", "ui/parts/", "ui/plot/"}) &&
                       lies_in(include.path, {"ui/window/", "ui/document/"});
    return wrong ? "views know their host, neither window nor document" : "";
  });
}

}  // namespace convscope::structure
