#include <algorithm>
#include <functional>
#include <set>

#include "tests/structure/rules.h"

namespace convscope::structure {
namespace {

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

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

/// Floor of a path: core's folders, then ui, then app; -1 for tests, bench and outside headers.
int floor_of(const SourceTree& tree, const std::string& path) {
  const int core_floors = static_cast<int>(tree.floors.size());
  if (starts_with(path, "ui/")) return core_floors;
  if (starts_with(path, "app/")) return core_floors + 1;
  const auto found = std::find(tree.floors.begin(), tree.floors.end(), core_folder(path));
  return found == tree.floors.end() ? -1 : static_cast<int>(found - tree.floors.begin());
}

Violations folders_without_floor(const SourceTree& tree) {
  Violations result;
  for (const auto& [path, file] : tree.files) {
    if (starts_with(path, "core/") && floor_of(tree, path) < 0)
      result.push_back(path + ": its folder is not listed in core/CMakeLists.txt");
  }
  return result;
}

/// Depth-first search over includes; reports each edge that leads back to a file on the way.
class CircleSearch {
 public:
  explicit CircleSearch(const SourceTree& tree) : tree_(tree) {}

  Violations run() {
    for (const auto& [path, file] : tree_.files) visit(file);
    return result_;
  }

 private:
  void visit(const SourceFile& file) {
    if (!seen_.insert(file.path).second) return;
    way_.insert(file.path);
    for (const Include& include : file.includes) {
      const auto found = tree_.files.find(include.path);
      if (found == tree_.files.end()) continue;
      if (way_.count(include.path)) result_.push_back(violation(file, include, "closes a circle"));
      visit(found->second);
    }
    way_.erase(file.path);
  }

  const SourceTree& tree_;
  std::set<std::string> seen_, way_;
  Violations result_;
};

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
  return contains(tree.target_folders, target) && starts_with(path, "core/" + target + "/verify/") ? target : "";
}

bool own_or_architecture(const std::string& path, const std::string& target) {
  return starts_with(path, "core/" + target + "/verify/") || starts_with(path, "core/" + target + "/architecture/");
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

Violations include_circles(const SourceTree& tree) {
  return CircleSearch(tree).run();
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
    if (target.empty() || !starts_with(include.path, "core/") || own_or_architecture(include.path, target)) return "";
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
  return each_include(tree, [&](const SourceFile& file, const Include& include) {
    const bool window = starts_with(file.path, "ui/") || starts_with(file.path, "app/window/");
    return window && contains(tree.target_folders, core_folder(include.path)) ? "the window asks for capabilities" : "";
  });
}

Violations views_that_know_the_window(const SourceTree& tree) {
  return each_include(tree, [](const SourceFile& file, const Include& include) {
    return starts_with(file.path, "ui/views/") && starts_with(include.path, "ui/window/")
               ? "views don't know the window"
               : "";
  });
}

}  // namespace convscope::structure
