#include "tests/structure/source_tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace convscope::structure {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// End of the string or character literal that starts at `begin`. Digit separators don't start one.
std::size_t literal_end(const std::string& text, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < text.size() && text[at] != text[begin] && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

bool starts_literal(const std::string& text, std::size_t at) {
  if (text[at] == '"') return true;
  return text[at] == '\'' && (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1])));
}

/// The text with comments as spaces; literals and line ends stay.
std::string blank_comments(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    if (starts_literal(text, at)) {
      at = literal_end(text, at);
      continue;
    }
    const bool line_comment = text.compare(at, 2, "//") == 0, block_comment = text.compare(at, 2, "/*") == 0;
    if (!line_comment && !block_comment) {
      ++at;
      continue;
    }
    const std::size_t found = line_comment ? text.find('\n', at) : text.find("*/", at + 2);
    const std::size_t end = found == std::string::npos ? text.size() : found + (line_comment ? 0 : 2);
    for (; at < end; ++at) {
      if (text[at] != '\n') text[at] = ' ';
    }
  }
  return text;
}

std::vector<Include> includes_of(const std::vector<std::string>& code) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
  std::vector<Include> result;
  for (std::size_t i = 0; i < code.size(); ++i) {
    std::smatch match;
    if (std::regex_search(code[i], match, pattern)) result.push_back({match[1], static_cast<int>(i) + 1});
  }
  return result;
}

std::vector<std::string> read_floors(const std::string& build_file) {
  static const std::regex pattern(R"(foreach\s*\(\s*folder\s+([a-z_/\s]+)\))");
  std::smatch match;
  if (!std::regex_search(build_file, match, pattern)) return {};
  std::istringstream names(match[1]);
  return {std::istream_iterator<std::string>(names), {}};
}

SourceFile read_source(const fs::path& file, const std::string& path) {
  const std::string text = read_text(file);
  SourceFile source{path, split(text, '\n'), split(blank_comments(text), '\n'), {}};
  source.includes = includes_of(source.code);
  return source;
}

std::vector<std::string> find_target_folders(const fs::path& core) {
  std::vector<std::string> result;
  if (!fs::is_directory(core)) return result;
  for (const auto& entry : fs::directory_iterator(core)) {
    if (fs::is_directory(entry.path() / "architecture")) result.push_back(entry.path().filename().string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

void read_folder(const fs::path& root, const std::string& folder, SourceTree& tree) {
  if (!fs::is_directory(root / folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = fs::relative(entry.path(), root).generic_string();
    const auto extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") tree.files.emplace(path, read_source(entry.path(), path));
    if (entry.path().filename() == "CMakeLists.txt") tree.build_files.emplace(path, read_text(entry.path()));
  }
}

}  // namespace

SourceTree read_source_tree(const fs::path& root) {
  SourceTree tree;
  for (const char* folder : {"core", "ui", "app", "tests", "bench"}) read_folder(root, folder, tree);
  tree.floors = read_floors(read_text(root / "core" / "CMakeLists.txt"));
  tree.ui_floors = read_floors(read_text(root / "ui" / "CMakeLists.txt"));
  tree.target_folders = find_target_folders(root / "core");
  return tree;
}

std::vector<std::string> path_parts(const std::string& path) {
  return split(path, '/');
}

}  // namespace convscope::structure
