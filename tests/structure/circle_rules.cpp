#include <algorithm>
#include <map>
#include <set>

#include "tests/structure/rules.h"

namespace convscope::structure {
namespace {

/// Who includes whom, and a line that does so.
using Graph = std::map<std::string, std::map<std::string, std::string>>;

/// Depth-first search; reports the line of each edge that leads back to a node on the way.
class CircleSearch {
 public:
  CircleSearch(const Graph& graph, std::string rule) : graph_(graph), rule_(std::move(rule)) {}

  Violations run() {
    for (const auto& [node, edges] : graph_) visit(node);
    return result_;
  }

 private:
  void visit(const std::string& node) {
    const auto found = graph_.find(node);
    if (found == graph_.end() || !seen_.insert(node).second) return;
    way_.insert(node);
    for (const auto& [next, line] : found->second) {
      if (way_.count(next)) result_.push_back(line + ": " + rule_);
      visit(next);
    }
    way_.erase(node);
  }

  const Graph& graph_;
  const std::string rule_;
  std::set<std::string> seen_, way_;
  Violations result_;
};

std::string line_of(const SourceFile& file, const Include& include) {
  return file.path + ":" + std::to_string(include.line) + ": includes " + include.path;
}

std::string joined(const std::vector<std::string>& parts, std::size_t count) {
  std::string path;
  for (std::size_t i = 0; i < count; ++i) path += (i > 0 ? "/" : "") + parts[i];
  return path;
}

/// Of every folder that contains both files, the innermost: an edge between two things in it, each a folder or, for
/// files that lie in it directly, the folder itself.
void add_edge(const SourceFile& file, const Include& include, std::map<std::string, Graph>& by_folder) {
  const auto from = path_parts(file.path), to = path_parts(include.path);
  const std::size_t last = std::min(from.size(), to.size()) - 1;
  std::size_t common = 0;
  while (common < last && from[common] == to[common]) ++common;
  const auto child = [common](const std::vector<std::string>& parts) {
    return joined(parts, std::min(common + 1, parts.size() - 1));
  };
  const std::string a = child(from), b = child(to);
  if (a != b) by_folder[joined(from, common)][a].emplace(b, line_of(file, include));
}

}  // namespace

Violations include_circles(const SourceTree& tree) {
  Graph graph;
  for (const auto& [path, file] : tree.files) {
    for (const Include& include : file.includes) {
      if (tree.files.count(include.path)) graph[path].emplace(include.path, line_of(file, include));
    }
  }
  return CircleSearch(graph, "closes a circle").run();
}

Violations folder_circles(const SourceTree& tree, const std::string& top) {
  std::map<std::string, Graph> by_folder;
  for (const auto& [path, file] : tree.files) {
    if (path_parts(path).front() != top) continue;
    for (const Include& include : file.includes) {
      if (tree.files.count(include.path) && path_parts(include.path).front() == top) add_edge(file, include, by_folder);
    }
  }
  Violations result;
  for (const auto& [folder, graph] : by_folder) {
    const Violations found = CircleSearch(graph, "closes a circle of folders in " + folder).run();
    result.insert(result.end(), found.begin(), found.end());
  }
  return result;
}

}  // namespace convscope::structure
