// docs/file-formats.md has every format of ours with the version that the code writes.

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/structure/source_tree.h"

namespace convscope::structure {
namespace {

namespace fs = std::filesystem;
using Versions = std::map<std::string, std::string>;

const fs::path source = CONVSCOPE_SOURCE_DIR;

std::string content_of(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

Versions found(const std::string& text, const std::regex& pattern) {
  Versions versions;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    versions[(*match)[1]] = (*match)[2];
  return versions;
}

/// By name, from the pairs of keys that JSON writers write.
Versions written_by_code() {
  static const std::regex pair(
      R"re("(?:schema|format)",\s*"(?:\\")?(convscope-[a-z-]+)(?:\\")?"\},\s*\{"version",\s*"?(\d+)"?\})re");
  Versions versions;
  for (const char* folder : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(source / folder))
      if (entry.path().extension() == ".cpp") versions.merge(found(content_of(entry.path()), pair));
  return versions;
}

std::string constant(const std::string& file, const std::string& name) {
  std::smatch match;
  const std::string text = content_of(source / file);
  return std::regex_search(text, match, std::regex("constexpr int " + name + " = (\\d+);")) ? match[1].str() : "";
}

Versions written_in_the_table() {
  static const std::regex row(R"re((?:^|\n)\| `?([a-z-]+)`?(?: \([^)]*\)\))? \| [^|\n]+ \| (\d+) \|)re");
  return found(content_of(source / "docs/file-formats.md"), row);
}

TEST(Citation, IsOfTheNewestVersion) {
  const std::string changes = content_of(source / "CHANGELOG.md"), citation = content_of(source / "CITATION.cff");
  std::smatch newest;
  ASSERT_TRUE(std::regex_search(changes, newest, std::regex(R"re(\n## ([0-9.]+) \(([0-9-]+)\)\n)re")));
  EXPECT_NE(citation.find("\nversion: " + newest[1].str() + "\n"), std::string::npos);
  EXPECT_NE(citation.find("\ndate-released: " + newest[2].str() + "\n"), std::string::npos);
}

TEST(FormatTable, HasTheVersionsOfTheCode) {
  Versions expected = written_by_code();
  EXPECT_GE(expected.size(), 10u);
  expected["session"] = constant("core/session/session_file.h", "format_version");
  expected["convscope-sweep"] = constant("core/explore/results/results_schema.h", "results_version");
  expected["measurements"] = constant("core/cpu/store/store.cpp", "version");
  EXPECT_EQ(written_in_the_table(), expected) << "docs/file-formats.md has a row of each format, and of no other";
}

}  // namespace
}  // namespace convscope::structure
