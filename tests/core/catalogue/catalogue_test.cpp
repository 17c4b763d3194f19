#include <cstdio>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalogue/standard.h"

namespace convscope::catalogue {
namespace {

const Catalogue known = *standard();

std::string temporary_file(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + "convscope_catalogue_" + name;
  std::ofstream(path) << content;
  return path;
}

TEST(Catalogue, TargetsAreFoundByTheirUniqueIds) {
  std::set<std::string> ids;
  for (const auto& target : known.targets) {
    EXPECT_TRUE(ids.insert(target->id()).second);
    EXPECT_EQ(known.find_target(target->id())->id(), target->id());
    EXPECT_EQ(target->machine()->target, target->id());
  }
  EXPECT_TRUE(ids.contains("nve"));
  EXPECT_EQ(known.find_target("abacus"), nullptr);
}

TEST(Catalogue, ReadsEverySampleWhateverItsFileIsCalled) {
  for (const char* name : {"face_detection", "speed_sign", "filter_3x3"}) {
    Diagnostics diagnostics;
    const auto network =
        known.read_network(std::string(CONVSCOPE_SOURCE_DIR "/samples/networks/") + name + ".xml", diagnostics);
    ASSERT_TRUE(network) << diagnostics.text();
    EXPECT_FALSE(network->layers.empty());
  }
}

TEST(Catalogue, NamesTheKnownFormatsWhenContentIsUnknown) {
  Diagnostics diagnostics;
  EXPECT_FALSE(known.read_network(temporary_file("text.xml", "plain text"), diagnostics));
  ASSERT_TRUE(diagnostics.has_errors());
  for (const Reader& reader : known.readers) EXPECT_THAT(diagnostics.text(), testing::HasSubstr(reader.format.title));
}

TEST(Catalogue, SaysWhatToOpenInsteadOfWeightsAlone) {
  for (const auto& [name, instead] : {std::pair("net.caffemodel", ".prototxt"), std::pair("net.weights", ".cfg")}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(known.read_network(temporary_file(name, "\x0a\x03net"), diagnostics));
    ASSERT_EQ(diagnostics.items().size(), 1U);
    EXPECT_THAT(diagnostics.items()[0].hint, testing::HasSubstr(instead));
  }
}

TEST(Catalogue, RefusesEmptyMissingAndFolders) {
  for (const std::string& path : {temporary_file("empty", ""), std::string("/nonexistent.xml"), std::string("/tmp")}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(known.read_network(path, diagnostics)) << path;
    EXPECT_TRUE(diagnostics.has_errors()) << path;
  }
}

TEST(Catalogue, ReadsOperatorsWithShapesAndLayers) {
  Diagnostics diagnostics;
  const auto network =
      known.read_network(std::string(CONVSCOPE_SOURCE_DIR "/tests/models/onnx/small_network.onnx"), diagnostics);
  ASSERT_TRUE(network) << diagnostics.text();
  ASSERT_TRUE(network->graph);
  EXPECT_FALSE(network->layers.empty());
  EXPECT_GT(network->macs(), 0);
}

TEST(Catalogue, SizesApplyOnlyToFormatsThatLeaveThemOpen) {
  Diagnostics diagnostics;
  const std::string descriptor = std::string(CONVSCOPE_SOURCE_DIR "/samples/networks/filter_3x3.xml");
  EXPECT_FALSE(known.read_network(descriptor, diagnostics, network::InputSizes{}));
  EXPECT_NE(diagnostics.text().find("states all its sizes"), std::string::npos) << diagnostics.text();
}

}  // namespace
}  // namespace convscope::catalogue
