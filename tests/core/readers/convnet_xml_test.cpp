// ConvNet descriptors that must be read.
#include "core/readers/convnet_xml/convnet_xml.h"

#include <string>

#include <gtest/gtest.h>

#include "core/base/atomic_file.h"

namespace convscope::readers {
namespace {

using network::Layer;
using network::Network;
using network::Shape;

struct Reading {
  std::optional<Network> network;
  Diagnostics diagnostics;
};

Reading read_sample(const std::string& name) {
  Reading reading;
  const std::string path = CONVSCOPE_SOURCE_DIR "/samples/networks/" + name;
  const auto text = read_file(path, reading.diagnostics);
  if (text) reading.network = read_convnet_xml(*text, path, reading.diagnostics);
  return reading;
}

Reading read_convnet_text(const std::string& text) {
  Reading reading;
  reading.network = read_convnet_xml(text, "test.xml", reading.diagnostics);
  return reading;
}

std::string layer_with(const std::string& connections) {
  return "<convNetDescriptor name='N' layerCount='1'><layerDescriptor idx='0'>"
         "<outHeight>4</outHeight><outWidth>5</outWidth><kernelHeight>3</kernelHeight><kernelWidth>2</kernelWidth>"
         "<subHeight>2</subHeight><subWidth>3</subWidth>" +
         connections + "</layerDescriptor></convNetDescriptor>";
}

std::vector<std::int64_t> macs_of(const Network& network) {
  std::vector<std::int64_t> macs;
  for (const Layer& layer : network.layers) macs.push_back(layer.macs());
  return macs;
}

TEST(ConvnetXml, FaceDetectorHasTheWorkOfTable1) {
  const Reading reading = read_sample("face_detection.xml");
  ASSERT_TRUE(reading.network) << reading.diagnostics.text();
  EXPECT_TRUE(reading.diagnostics.empty()) << reading.diagnostics.text();
  EXPECT_EQ(reading.network->name, "Face Detector");
  const auto macs = macs_of(*reading.network);
  EXPECT_EQ(macs, (std::vector<std::int64_t>{32'890'176, 17'954'880, 27'046'656, 751'296}));
  const double table[] = {32.9, 17.95, 27.0, 0.75};
  const double printed[] = {0.05, 0.005, 0.05, 0.005};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(static_cast<double>(macs[i]) / 1e6, table[i], printed[i]);
  EXPECT_NEAR(static_cast<double>(reading.network->macs()) / 1e6, 78.6, 0.05);
}

TEST(ConvnetXml, FaceDetectorHasTheShapesOfAppendixA) {
  const Reading reading = read_sample("face_detection.xml");
  ASSERT_TRUE(reading.network);
  const auto& layers = reading.network->layers;
  ASSERT_EQ(layers.size(), 4U);
  EXPECT_EQ(layers[0].in, (Shape{1, {720, 1280}}));
  EXPECT_EQ(layers[0].out, (Shape{4, {358, 638}}));
  EXPECT_EQ(layers[1].in, layers[0].out);
  EXPECT_EQ(layers[1].out, (Shape{14, {177, 317}}));
  EXPECT_EQ(layers[2].kernel, (network::Size{6, 6}));
  EXPECT_EQ(layers[2].inputs[13], std::vector<int>{13});
  EXPECT_EQ(layers[3].in, (Shape{14, {172, 312}}));
  EXPECT_EQ(layers[3].out, (Shape{1, {172, 312}}));
  EXPECT_EQ(layers[3].inputs[0].size(), 14U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(layers[i].name, "L" + std::to_string(i + 1));
    EXPECT_GT(layers[i].source_line, 0);
  }
}

TEST(ConvnetXml, SpeedSignDetectorHasTheWorkOfTable1) {
  const Reading reading = read_sample("speed_sign.xml");
  ASSERT_TRUE(reading.network) << reading.diagnostics.text();
  EXPECT_EQ(reading.network->name, "Speed Sign Detector");
  const auto macs = macs_of(*reading.network);
  EXPECT_EQ(macs, (std::vector<std::int64_t>{49'120'344, 121'195'440, 858'624'000, 4'293'120}));
  const double table[] = {49.1, 121.2, 858.6, 4.3};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(static_cast<double>(macs[i]) / 1e6, table[i], 0.05);
  EXPECT_EQ(reading.network->layers[2].inputs[39].back(), 7);
  EXPECT_EQ(reading.network->layers[2].inputs[40].front(), 8);
}

TEST(ConvnetXml, OneMissingRowAndColumnUnderSubsamplingAreNoted) {
  const Reading reading = read_sample("speed_sign.xml");
  ASSERT_TRUE(reading.network);
  const auto& notes = reading.diagnostics.items();
  ASSERT_EQ(notes.size(), 2U) << reading.diagnostics.text();
  EXPECT_EQ(notes[0].severity, Severity::note);
  EXPECT_EQ(notes[0].where.element, "layer 'L2', outHeight");
  EXPECT_EQ(notes[0].what,
            "177 rows of output need 358 rows of input where layer 'L1' gives 357: the rest is read as zeros");
  EXPECT_EQ(notes[1].what,
            "317 columns of output need 638 columns of input where layer 'L1' gives 637: the rest is read as zeros");
  EXPECT_EQ(reading.network->layers[1].in, (Shape{6, {357, 637}})) << "the producer's shape, not the needed one";
}

TEST(ConvnetXml, FilterIsOneMap) {
  const Reading reading = read_sample("filter_3x3.xml");
  ASSERT_TRUE(reading.network) << reading.diagnostics.text();
  EXPECT_TRUE(reading.diagnostics.empty());
  ASSERT_EQ(reading.network->layers.size(), 1U);
  const Layer& layer = reading.network->layers[0];
  EXPECT_EQ(reading.network->name, "3x3 Filter");
  EXPECT_EQ(layer.in, (Shape{1, {360, 640}}));
  EXPECT_EQ(layer.out, (Shape{1, {358, 638}}));
  EXPECT_EQ(layer.macs(), 358 * 638 * 9);
}

TEST(ConvnetXml, FirstInputIsExactlyWhatTheLayerNeeds) {
  const Reading reading =
      read_convnet_text(layer_with("<outCount>2</outCount><outNet idx='0' cnt='1'>4</outNet>"
                                   "<outNet idx='1' cnt='2'>2,0</outNet>"));
  ASSERT_TRUE(reading.network) << reading.diagnostics.text();
  const Layer& layer = reading.network->layers[0];
  EXPECT_EQ(layer.in, (Shape{5, {3 * 2 + 3, 4 * 3 + 2}}));
  EXPECT_EQ(layer.stride, (network::Size{2, 3}));
  EXPECT_EQ(layer.inputs, (std::vector<std::vector<int>>{{4}, {2, 0}}));
}

TEST(ConvnetXml, ListsMayWrapAndElementsMayStandInAnyOrder) {
  const Reading reading = read_convnet_text(
      layer_with("<outNet cnt=' 3 ' idx='1'>\r\n 0,1,\n\t2 </outNet><outNet idx='0' cnt='2'>0,<!-- one -->1"
                 "</outNet><outCount> 2\n</outCount>"));
  ASSERT_TRUE(reading.network) << reading.diagnostics.text();
  EXPECT_EQ(reading.network->layers[0].inputs, (std::vector<std::vector<int>>{{0, 1}, {0, 1, 2}}));
}

TEST(ConvnetXml, NamesMayBeAnyUtf8) {
  const std::string text = layer_with("<outCount>1</outCount><outNet idx='0' cnt='1'>0</outNet>");
  const std::string name = "Größe 数 \xF0\x9F\x98\x80 &lt;3";
  const Reading reading = read_convnet_text(std::string(text).replace(text.find("'N'"), 3, "'" + name + "'"));
  ASSERT_TRUE(reading.network) << reading.diagnostics.text();
  EXPECT_EQ(reading.network->name, "Größe 数 \xF0\x9F\x98\x80 <3");
}

TEST(ConvnetXml, IsRecognizedByContentEvenIfDamaged) {
  EXPECT_TRUE(is_convnet_xml("<?xml version='1.0'?>\n<!-- c -->\n<convNetDescriptor name='x'/>"));
  EXPECT_TRUE(is_convnet_xml("<convNetDescriptor name='x"));
  EXPECT_TRUE(is_convnet_xml("<?xml <convNetDescriptor"));
  EXPECT_FALSE(is_convnet_xml(""));
  EXPECT_FALSE(is_convnet_xml(std::string(1 << 20, ' ') + "<convNetDescriptor"));  // only the head is searched
  EXPECT_FALSE(is_convnet_xml("<preset target='nve'/>"));
  EXPECT_FALSE(is_convnet_xml("convNetDescriptor"));
}

}  // namespace
}  // namespace convscope::readers
