#pragma once
// The sources of a tree as data: files, lines, includes, floors.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace convscope::structure {

struct Include {
  std::string path;  ///< as written between quotes or angle brackets
  int line = 0;      ///< 1-based
};

struct SourceFile {
  std::string path;                ///< from the root, with '/'
  std::vector<std::string> lines;  ///< as they stand
  std::vector<std::string> code;   ///< the same lines, comments blanked
  std::vector<Include> includes;
};

struct SourceTree {
  std::map<std::string, SourceFile> files;         ///< .h and .cpp of core, ui, app, tests, bench, by path
  std::vector<std::string> floors;                 ///< folders of core/, from the ground up
  std::vector<std::string> ui_floors;              ///< folders of ui/, likewise; some of them inside others
  std::vector<std::string> target_folders;         ///< folders of core/ with an `architecture` folder
  std::map<std::string, std::string> build_files;  ///< content of each CMakeLists.txt, by path
};

/// Reads a tree. The floors come from the foreach lines of core/CMakeLists.txt and ui/CMakeLists.txt; none if there is
/// no such line.
SourceTree read_source_tree(const std::filesystem::path& root);

/// Splits at slashes.
std::vector<std::string> path_parts(const std::string& path);

}  // namespace convscope::structure
