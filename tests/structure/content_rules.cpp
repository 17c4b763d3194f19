#include <regex>

#include "tests/structure/rules.h"

namespace convscope::structure {
namespace {

bool below_the_window(const std::string& path) {
  return path.starts_with("core/") || (path.starts_with("app/") && !path.starts_with("app/window/"));
}

std::string place(const std::string& path, std::size_t line_index) {
  return path + ":" + std::to_string(line_index + 1) + ": ";
}

/// Ways to write a colour down in C++ with Qt. Qt::transparent is no colour.
const std::regex& colour_pattern() {
  static const std::regex pattern(
      R"(\bQColor\s*(\w+\s*)?[({]\s*["\d])"
      R"(|\bQColor\s*(\w+\s*)?[({]\s*(QStringLiteral|QLatin1String|QString)\b)"
      R"(|\bqRgba?(64)?\s*\(\s*\d|\bfrom(Rgb|Rgba|Hsv|Hsl|Cmyk)F?\s*\(\s*[\d"])"
      R"(|\bset(Rgb|Rgba|Hsv|Hsl|NamedColor|Cmyk)F?\s*\(\s*[\d"])"
      R"(|\bQColorConstants\b|\bQt::(dark)?(black|white|red|green|blue|cyan|magenta|yellow|gray|lightGray)\b)"
      R"(|\bQt::dark(Red|Green|Blue|Cyan|Magenta|Yellow|Gray)\b)"
      R"re(|#([0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b)re");
  return pattern;
}

bool is_directive(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string::npos && line[first] == '#';
}

}  // namespace

Violations qt_below_the_window(const SourceTree& tree) {
  static const std::regex qt_include(R"(^(Q[A-Z]\w*|Qt\w*/.*|q[a-z]+\.h|q[a-z0-9]*custom\w*\.h)$)");
  Violations result;
  for (const auto& [path, file] : tree.files) {
    if (!below_the_window(path)) continue;
    for (const Include& include : file.includes) {
      if (std::regex_match(include.path, qt_include) || include.path.starts_with("ui/"))
        result.push_back(path + ":" + std::to_string(include.line) + ": includes " + include.path + ": no Qt here");
    }
  }
  static const std::regex qt_library(R"(\bQt6\b|\bQt6::|QCustomPlot|convscope_ui\b)");
  for (const auto& [path, content] : tree.build_files) {
    // app/CMakeLists.txt itself builds the window's application.
    if (below_the_window(path) && path != "app/CMakeLists.txt" && std::regex_search(content, qt_library))
      result.push_back(path + ": links Qt");
  }
  return result;
}

Violations literal_colours(const SourceTree& tree) {
  Violations result;
  for (const auto& [path, file] : tree.files) {
    const bool watched = (path.starts_with("ui/") && !path.starts_with("ui/theme/")) || path.starts_with("app/");
    if (!watched) continue;
    for (std::size_t i = 0; i < file.code.size(); ++i) {
      if (!is_directive(file.code[i]) && std::regex_search(file.code[i], colour_pattern()))
        result.push_back(place(path, i) + "a literal colour outside ui/theme: " + file.lines[i]);
    }
  }
  return result;
}

Violations threads_outside_jobs(const SourceTree& tree) {
  static const std::regex pattern(
      R"(\bQThread(Pool)?\b|\bQtConcurrent\b|\binvokeMethod\b|\bstd::(thread|async)\b|\.detach\(\))");
  Violations result;
  for (const auto& [path, file] : tree.files) {
    if (!path.starts_with("ui/")) continue;
    const bool in_jobs = path.starts_with("ui/jobs/");
    for (std::size_t i = 0; !in_jobs && i < file.code.size(); ++i) {
      if (!is_directive(file.code[i]) && std::regex_search(file.code[i], pattern))
        result.push_back(place(path, i) + "background work outside ui/jobs: " + file.lines[i]);
    }
    for (const Include& include : file.includes) {
      if (in_jobs && include.path.starts_with("ui/") && !include.path.starts_with("ui/jobs/"))
        result.push_back(path + ":" + std::to_string(include.line) + ": jobs stand on nothing of ui/");
    }
  }
  return result;
}

Violations headers_without_guard(const SourceTree& tree) {
  Violations result;
  for (const auto& [path, file] : tree.files) {
    if (!path.ends_with(".h")) continue;
    bool guarded = false;
    for (const std::string& line : file.code) guarded = guarded || line.starts_with("#pragma once");
    if (!guarded) result.push_back(path + ": no #pragma once");
  }
  return result;
}

Violations tests_named_otherwise(const SourceTree& tree) {
  static const std::regex test(R"(^\s*(TYPED_)?TEST(_F|_P)?\s*\()");
  Violations result;
  for (const auto& [path, file] : tree.files) {
    if (!path.starts_with("tests/")) continue;
    bool holds_tests = false;
    for (const std::string& line : file.code) holds_tests = holds_tests || std::regex_search(line, test);
    if (holds_tests != path.ends_with("_test.cpp"))
      result.push_back(path + (holds_tests ? ": has tests, but isn't called <thing>_test.cpp" : ": has no test"));
  }
  return result;
}

Violations long_files(const SourceTree& tree) {
  constexpr std::size_t limit = 600;
  Violations result;
  for (const auto& [path, file] : tree.files) {
    if (file.lines.size() > limit)
      result.push_back(path + ": " + std::to_string(file.lines.size()) + " lines, at most 600");
  }
  return result;
}

}  // namespace convscope::structure
