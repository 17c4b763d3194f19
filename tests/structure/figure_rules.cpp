#include <regex>

#include "tests/structure/rules.h"

namespace convscope::structure {
namespace {

/// Sources that must not know a target's figures. core/figures makes published figures of one target again.
bool watched(const std::string& path) {
  return (path.starts_with("core/") && !path.starts_with("core/figures/")) || path.starts_with("ui/") ||
         path.starts_with("app/");
}

/// A key of one word, such as "programs", means other things elsewhere: it can't be told from them.
bool unmistakable(const std::string& key) {
  return key.find_first_of("_.") != std::string::npos;
}

/// Where the key stands by itself, or behind its target's name and a dot, inside quotes.
bool names_key(const std::string& literal, const std::string& key) {
  for (std::size_t at = literal.find(key); at != std::string::npos; at = literal.find(key, at + 1)) {
    const auto part_of_word = [&](std::size_t place) {
      return place < literal.size() &&
             (std::isalnum(static_cast<unsigned char>(literal[place])) || literal[place] == '_');
    };
    if (!(at > 0 && part_of_word(at - 1)) && !part_of_word(at + key.size())) return true;
  }
  return false;
}

std::vector<std::string> literals_of(const std::string& line) {
  static const std::regex pattern(R"re("((?:[^"\\]|\\.)*)")re");
  std::vector<std::string> literals;
  for (std::sregex_iterator found(line.begin(), line.end(), pattern), end; found != end; ++found)
    literals.push_back((*found)[1]);
  return literals;
}

/// A key of this line that none of the folders that own it holds; empty if there is none.
std::string foreign_key(const std::string& path, const std::string& line, const FigureKeys& keys) {
  for (const std::string& literal : literals_of(line)) {
    for (const auto& [key, targets] : keys) {
      if (!unmistakable(key) || !names_key(literal, key)) continue;
      bool own = false;
      for (const std::string& target : targets) own = own || path.starts_with("core/" + target + "/");
      if (!own) return key;
    }
  }
  return {};
}

}  // namespace

Violations figure_keys_outside_targets(const SourceTree& tree, const FigureKeys& keys) {
  Violations result;
  for (const auto& [path, file] : tree.files) {
    if (!watched(path)) continue;
    for (std::size_t i = 0; i < file.code.size(); ++i) {
      const std::string key = foreign_key(path, file.code[i], keys);
      if (!key.empty())
        result.push_back(path + ":" + std::to_string(i + 1) + ": '" + key +
                         "' is a figure of a target's: " + "go by its FigureDescription");
    }
  }
  return result;
}

}  // namespace convscope::structure
