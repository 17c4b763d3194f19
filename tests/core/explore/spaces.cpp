#include "spaces.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/explore/space/hash.h"

namespace convscope::explore::test {

std::shared_ptr<const target::Target> MadeUpSources::target(std::string_view id) const {
  return id == "counting" ? counting : nullptr;
}

std::optional<std::string> MadeUpSources::preset(const std::string& name, const target::Target&, const Location& where,
                                                 Diagnostics& diagnostics) const {
  if (name == "counting" || name == "other") return "<preset target='counting' name='" + name + "'/>";
  diagnostics.error(where, "there is no preset '" + name + "'");
  return std::nullopt;
}

std::optional<SpaceSources::HashedNetwork> MadeUpSources::network(const std::string& file,
                                                                  const std::optional<network::InputSizes>&,
                                                                  Diagnostics& diagnostics) const {
  if (file.find_first_not_of("0123456789") != std::string::npos) {
    diagnostics.error({file, 0, {}}, "there is no such network");
    return std::nullopt;
  }
  return HashedNetwork{engine::test::made_up_network(std::stoi(file)), content_hash(file)};
}

std::string space_xml(const std::string& machines) {
  return "<space name='made-up'>\n<network file='3'/>\n<machines target='counting'>\n" + machines +
         "\n</machines>\n<objective name='cycles'/>\n</space>\n";
}

std::shared_ptr<const Space> space_of(const std::string& xml, const SpaceSources& sources) {
  Diagnostics diagnostics;
  auto space = read_space(xml, "space.xml", sources, diagnostics);
  EXPECT_TRUE(space.has_value()) << diagnostics.text();
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  return space ? std::make_shared<const Space>(std::move(*space)) : nullptr;
}

std::string refusal_of(const std::string& xml) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_space(xml, "space.xml", MadeUpSources(), diagnostics).has_value());
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

Figures figures_with(const Outcomes& outcomes, const std::map<std::string, double>& values, double coverage) {
  Figures figures;
  figures.values.resize(outcomes.figures.size());
  for (const auto& [key, value] : values) {
    const auto* found = artifact::find_figure(outcomes.figures, key);
    EXPECT_NE(found, nullptr) << key;
    if (found != nullptr) figures.values[static_cast<std::size_t>(found - outcomes.figures.data())].value = value;
  }
  figures.coverage = coverage;
  return figures;
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "convscope-explore-XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace convscope::explore::test
