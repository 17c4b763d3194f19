// Networks as layer objects: what is folded, how layers hang together, where maps lie.

#include "core/snowflake/parse/parse.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/snowflake/parse/regions.h"
#include "networks.h"

namespace convscope::snowflake {
namespace {

using test::read;
using test::sample;
using testing::ElementsAre;
using testing::HasSubstr;

int count(const ParsedNetwork& parsed, LayerKind kind) {
  return static_cast<int>(std::count_if(parsed.layers.begin(), parsed.layers.end(),
                                        [&](const ParsedLayer& layer) { return layer.layer.kind == kind; }));
}

int refused(const network::Network& network, const ParsedNetwork& parsed) {
  int refused = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    EXPECT_EQ(parsed.computed_by[i] >= 0, parsed.reasons[i].empty()) << network.layers[i].name;
    refused += parsed.reasons[i].empty() ? 0 : 1;
  }
  return refused;
}

/// What must hold for every network: places lie in their regions, maps are written before they are read, and regions
/// that are alive together lie apart.
void expect_sound(ParsedNetwork parsed) {
  place_regions(parsed.regions);
  for (std::size_t a = 0; a < parsed.regions.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Region &one = parsed.regions[a], &other = parsed.regions[b];
      if (one.first_layer > other.last_layer || other.first_layer > one.last_layer) continue;
      EXPECT_TRUE(one.first_word + one.words <= other.first_word || other.first_word + other.words <= one.first_word)
          << one.name << " and " << other.name;
    }
  for (std::size_t i = 0; i < parsed.layers.size(); ++i) {
    const ProgramLayer& layer = parsed.layers[i].layer;
    for (const MapsPlace* place : {&layer.in, &layer.out, &layer.bypass}) {
      if (place->region < 0) continue;
      const Region& region = parsed.regions[static_cast<std::size_t>(place->region)];
      EXPECT_LE(place->offset + place->channels, place->pitch) << layer.name;
      EXPECT_LE(std::int64_t{place->height} * place->width * place->pitch, region.words) << layer.name;
      EXPECT_TRUE(region.first_layer <= static_cast<int>(i) && static_cast<int>(i) <= region.last_layer) << layer.name;
    }
  }
}

TEST(Parse, ReluIsFoldedAndPoolsFollow) {
  const auto network = read(
      "<input maps='3' height='9' width='9'/><conv name='c' maps='20' kernel='3' activation='relu'/>"
      "<max_pool name='p' kernel='2' stride='2' ceil='yes'/><fc name='f' maps='10'/>");
  const auto parsed = parse(network, 16);
  ASSERT_EQ(parsed.layers.size(), 3u);
  const ProgramLayer &conv = parsed.layers[0].layer, &pool = parsed.layers[1].layer, &fc = parsed.layers[2].layer;
  EXPECT_TRUE(conv.relu);
  EXPECT_EQ(conv.in.pitch, 3);
  EXPECT_EQ(conv.out.channels, 20);
  EXPECT_EQ(conv.out.pitch, 32);
  EXPECT_EQ(pool.kind, LayerKind::max_pool);
  EXPECT_EQ(pool.out.height, 4);
  EXPECT_EQ(fc.kind, LayerKind::fully_connected);
  EXPECT_EQ(fc.kernel_height, 4);
  EXPECT_EQ(fc.kernel_width, 4);
  EXPECT_EQ(parsed.regions[static_cast<std::size_t>(fc.out.region)].kind, RegionKind::output);
  EXPECT_EQ(refused(network, parsed), 0);
  expect_sound(parsed);
}

TEST(Parse, AdditionIsTheLaterConvolutionsBypass) {
  const auto network = read(
      "<input maps='16' height='8' width='8'/><conv name='a' maps='16' kernel='1' activation='relu'/>"
      "<conv name='b' maps='16' kernel='3' pad='1'/><add name='s' from='a b' activation='relu'/>");
  const auto parsed = parse(network, 16);
  ASSERT_EQ(parsed.layers.size(), 2u);
  EXPECT_EQ(parsed.layers[1].label, Dependency::bypass);
  EXPECT_EQ(parsed.layers[1].layer.bypass.region, parsed.layers[0].layer.out.region);
  EXPECT_TRUE(parsed.layers[1].layer.relu);
  EXPECT_EQ(parsed.layers[1].folded.size(), 2u);
  expect_sound(parsed);
}

TEST(Parse, ConcatenationIsOneRegionWithParts) {
  const auto network = read(
      "<input maps='16' height='8' width='8'/><conv name='s' maps='16' kernel='1' activation='relu'/>"
      "<conv name='a' from='s' maps='32' kernel='1' activation='relu'/>"
      "<conv name='b' from='s' maps='20' kernel='3' pad='1' activation='relu'/>"
      "<concat name='j' from='a b'/><conv name='c' maps='16' kernel='1'/>");
  const auto parsed = parse(network, 16);
  ASSERT_EQ(parsed.layers.size(), 4u);
  const ProgramLayer &a = parsed.layers[1].layer, &b = parsed.layers[2].layer, &c = parsed.layers[3].layer;
  EXPECT_EQ(parsed.layers[1].label, Dependency::shared_output);
  EXPECT_EQ(a.out.region, b.out.region);
  EXPECT_EQ(b.out.offset, 32);
  EXPECT_EQ(a.out.pitch, 64);
  EXPECT_EQ(c.in.channels, 52);
  expect_sound(parsed);
}

TEST(Parse, APartThatEndsWithinAVectorIsRefusedAndTheRestGoesOn) {
  const auto network = read(
      "<input maps='16' height='8' width='8'/><conv name='a' maps='20' kernel='1'/>"
      "<conv name='b' from='a' maps='20' kernel='1'/><concat name='j' from='a b'/><conv name='c' maps='16' "
      "kernel='1'/>");
  const auto parsed = parse(network, 16);
  EXPECT_EQ(refused(network, parsed), 1);
  ASSERT_EQ(parsed.layers.size(), 3u);
  const Region& region = parsed.regions[static_cast<std::size_t>(parsed.layers[2].layer.in.region)];
  EXPECT_EQ(region.kind, RegionKind::input);
  EXPECT_EQ(parsed.regions[static_cast<std::size_t>(parsed.layers[0].layer.out.region)].kind, RegionKind::output);
  expect_sound(parsed);
}

TEST(Parse, WhatIsNotMappedHasAReason) {
  const auto network = read(
      "<input maps='16' height='8' width='8'/><conv name='a' maps='16' kernel='1' activation='sigmoid'/><softmax/>");
  const auto parsed = parse(network, 16);
  ASSERT_EQ(parsed.reasons.size(), 3u);
  EXPECT_THAT(parsed.reasons[1], HasSubstr("not Sigmoid"));
  EXPECT_THAT(parsed.reasons[2], HasSubstr("host"));
}

TEST(Parse, AConnectionTableIsADenseConvolution) {
  network::Network network;
  network::Layer layer;
  layer.name = "L1";
  layer.in = {2, {8, 8}};
  layer.out = {3, {6, 6}};
  layer.kernel = {3, 3};
  layer.inputs = {{0}, {1}, {0, 1}};
  network.layers = {layer};
  const auto parsed = parse(network, 16);
  ASSERT_EQ(parsed.layers.size(), 1u);
  EXPECT_EQ(parsed.layers[0].layer.groups, 1);
  EXPECT_THAT(parsed.layers[0].remarks, ElementsAre(HasSubstr("dense"), HasSubstr("host")));
  expect_sound(parsed);
}

TEST(Parse, ThePapersNetworksAreMappedWholeButForTheirSoftmax) {
  struct Expected {
    const char* name;
    int convolutions, maximum, average, products;
  };
  for (const Expected& expected : {Expected{"snowflake_alexnet_owt", 5, 3, 0, 3},
                                   {"snowflake_resnet18", 20, 1, 1, 1},
                                   {"snowflake_resnet50", 53, 1, 1, 1}}) {
    const auto network = sample(expected.name);
    const auto parsed = parse(network, 16);
    EXPECT_EQ(refused(network, parsed), 1) << expected.name;
    EXPECT_EQ(count(parsed, LayerKind::convolution), expected.convolutions) << expected.name;
    EXPECT_EQ(count(parsed, LayerKind::max_pool), expected.maximum) << expected.name;
    EXPECT_EQ(count(parsed, LayerKind::average_pool), expected.average) << expected.name;
    EXPECT_EQ(count(parsed, LayerKind::fully_connected), expected.products) << expected.name;
    expect_sound(parsed);
  }
}

TEST(Parse, SamplesWithBranchesAreSound) {
  for (const char* name : {"squeezenet_1_0", "inception_v3", "mobilenet_v2", "resnet50", "yolov2_tiny", "lenet"}) {
    const auto network = sample(name);
    const auto parsed = parse(network, 16);
    refused(network, parsed);
    expect_sound(parsed);
  }
}

}  // namespace
}  // namespace convscope::snowflake
