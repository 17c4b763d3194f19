// Formats from ranges that were seen before.

#include "core/quantization/given_ranges.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/readers/common/graph_builder.h"

namespace convscope::quantization {
namespace {

using testing::HasSubstr;

std::string report(const std::string& tensors) {
  return R"({"schema": "convscope-quantization", "version": 1, "tensors": [)" + tensors + "]}";
}

/// in -> times (3, 0.3) -> Relu -> out.
struct Clamped {
  Diagnostics diagnostics;
  network::Graph graph;

  Clamped() {
    readers::Report to{"clamped", diagnostics};
    readers::GraphBuilder builder(to);
    const int in = builder.input("in", {true, {1, 2}, {}});
    const int weights = builder.floats("weights", {2, 2}, {3, 0.3F, 0, -1});
    builder.node({"Relu", "clamp", {builder.node({"MatMul", "product", {in, weights}})}});
    network::Network network;
    network.graph = builder.finish();
    network::set_shapes(network, {}, diagnostics);
    graph = *network.graph;
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
};

TEST(GivenRanges, MakeTheFormatsOfTheInputsThatShowThem) {
  for (const bool per_filter : {false, true}) {
    Clamped net;
    CalibrationOptions options;
    options.bits = 8;
    options.per_filter = per_filter;
    const reference::FloatTensors input{{"in", {network::ElementType::float32, {1, 2}, {1.75, -0.25}}}};
    const auto calibrated = calibrate(net.graph, {input}, options, net.diagnostics);
    ASSERT_TRUE(calibrated) << net.diagnostics.text();
    GivenRanges given;
    for (std::size_t i = 0; i < net.graph.tensors.size(); ++i)
      if (!net.graph.tensors[i].constant) given[net.graph.tensors[i].name] = calibrated->ranges[i];
    const auto formats = formats_of_ranges(net.graph, given, options, "ranges.json", net.diagnostics);
    ASSERT_TRUE(formats) << net.diagnostics.text();
    EXPECT_EQ(formats->formats, calibrated->formats);
    ASSERT_EQ(formats->filters.size(), calibrated->filters.size());
    for (std::size_t i = 0; i < formats->filters.size(); ++i)
      EXPECT_EQ(formats->filters[i].fractions, calibrated->filters[i].fractions);
  }
}

TEST(GivenRanges, NameATensorWithoutOne) {
  Clamped net;
  EXPECT_FALSE(formats_of_ranges(net.graph, {{"in", {-1, 1}}}, {}, "ranges.json", net.diagnostics));
  EXPECT_THAT(net.diagnostics.text(), HasSubstr("ranges.json: error: tensor 'clamp': there is no range of it"));
}

TEST(GivenRanges, AreReadFromAReport) {
  Diagnostics diagnostics;
  const auto ranges = parse_ranges(
      report(R"({"name": "a", "least": -2, "most": 1.5, "format": "Q8.8"}, {"name": "b", "least": 1, "most": 3})"),
      "ranges.json", diagnostics);
  ASSERT_TRUE(ranges) << diagnostics.text();
  EXPECT_EQ(*ranges, (GivenRanges{{"a", {-2, 1.5}}, {"b", {0, 3}}})) << "0 belongs to each";
}

TEST(GivenRanges, RefuseWhatIsNone) {
  const std::string fine = R"({"name": "a", "least": 0, "most": 1})";
  for (const auto& [text, what] : std::vector<std::pair<std::string, const char*>>{
           {"{", "ranges.json"},
           {"[]", "it isn't of schema"},
           {R"({"schema": "convscope-quantization", "version": 2, "tensors": []})", "it isn't of schema"},
           {R"({"schema": "convscope-quantization", "version": 1, "tensors": 3})", "it isn't of schema"},
           {report("7"), "tensors[0]: it has no name"},
           {report(R"({"name": 3, "least": 0, "most": 1})"), "tensors[0]: it has no name"},
           {report(fine + R"(, {"name": "b", "least": 0})"), "tensors[1]: 'b' has no range"},
           {report(R"({"name": "b", "least": "0", "most": 1})"), "'b' has no range"},
           {report(R"({"name": "b", "least": 2, "most": 1})"), "'b' has no range"},
           {report(R"({"name": "b", "least": 0, "most": null})"), "'b' has no range"},
           {report(fine + "," + fine), "tensors[1]: 'a' has a range before"},
           {std::string(100, '['), "ranges.json"}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_ranges(text, "ranges.json", diagnostics)) << text;
    EXPECT_THAT(diagnostics.text(), HasSubstr(what)) << text;
  }
}

}  // namespace
}  // namespace convscope::quantization
