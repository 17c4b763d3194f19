// TensorFlow graphs that must be refused, each with the reason; and damaged ones, which must never crash.

#include <chrono>

#include "core/readers/graphdef/graphdef.h"
#include "tests/core/readers/graph_questions.h"
#include "tests/core/readers/graphdef_text.h"

namespace convscope::readers {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string graph_refusal(const std::string& bytes) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_graphdef_bytes(bytes, nullptr, "bad.pb", diagnostics).has_value());
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

std::string graph_refusal(const GraphText& graph) {
  return graph_refusal(graph.text());
}

GraphText image() {
  return GraphText().placeholder("x", {1, 8, 8, 2}).floats("w", {3, 3, 2, 4}, {1});
}

TEST(GraphDefRefused, OtherFiles) {
  EXPECT_FALSE(is_graphdef(""));
  EXPECT_FALSE(is_graphdef("layer { name: \"x\" }"));
  EXPECT_FALSE(is_graphdef(std::string("\x0a\x07mnist-8\x12", 10)));
  EXPECT_THAT(graph_refusal("hello"), HasSubstr("not a TensorFlow graph"));
  EXPECT_THAT(graph_refusal(GraphText().floats("w", {1}, {1})), HasSubstr("computes nothing"));
}

TEST(GraphDefRefused, SavedModels) {
  const std::string saved("\x08\x01\x12\x06\x0a\x04\x2a\x02v1", 10);
  EXPECT_TRUE(is_graphdef(saved));
  EXPECT_THAT(graph_refusal(saved), AllOf(HasSubstr("SavedModel"), HasSubstr("freeze the graph")));
}

TEST(GraphDefRefused, GraphsThatAreNotFrozen) {
  GraphText graph = image();
  graph.node("v", "VariableV2", {}).node("v2", "VariableV2", {}).node("loop", "Enter", {"v"});
  const std::string text = graph_refusal(graph.text() + "library { function { signature { name: \"f\" } } }\n" +
                                         "node { name: \"call\" op: \"f\" input: \"x\" }");
  EXPECT_THAT(text, AllOf(HasSubstr("node 'v': the graph isn't frozen: 2 nodes hold variables"),
                          HasSubstr("node 'loop'"), HasSubstr("loops or branches"), HasSubstr("node 'call'"),
                          HasSubstr("call functions"), HasSubstr("convert_variables_to_constants")));
}

TEST(GraphDefRefused, NamesThatAreMissingOrTakenTwice) {
  GraphText graph = image();
  graph.node("x", "Relu", {"w"}).node("r", "Relu", {"nobody"}).node("s", "Relu", {"x:99999"}).node("", "Relu", {"x"});
  EXPECT_THAT(graph_refusal(graph),
              AllOf(HasSubstr("another node has the same name"), HasSubstr("it takes 'nobody'"), HasSubstr("x:99999"),
                    HasSubstr("no name or no operator"), HasSubstr("bad.pb:4")));
}

TEST(GraphDefRefused, Circles) {
  GraphText graph = image();
  graph.node("a", "AddV2", {"x", "b"}).node("b", "Relu", {"a"});
  EXPECT_THAT(graph_refusal(graph), HasSubstr("2 nodes depend on each other in a circle"));
}

TEST(GraphDefRefused, AttributesWithoutAMeaning) {
  GraphText graph = image();
  graph.node("c1", "Conv2D", {"x", "w"}, GraphText::window({1, 1}, "SAME"))
      .node("c2", "Conv2D", {"x", "w"}, GraphText::window({1, 0, 1, 1}, "SAME"))
      .node("c3", "Conv2D", {"x", "w"}, GraphText::window({1, 1, 1, 1}, "FULL"))
      .node("c4", "Conv2D", {"x", "w"}, GraphText::window({1, 1, 1, 1}, "EXPLICIT"))
      .node("p", "MaxPool", {"x"}, GraphText::window({1, 1, 1, 1}, "SAME"))
      .floats("w5", {1, 1, 5, 4}, {1})
      .node("c5", "Conv2D", {"x", "w5"}, GraphText::window({1, 1, 1, 1}, "SAME"))
      .floats("row", {3}, {1})
      .node("b", "BiasAdd", {"x", "row"})
      .integers("shape", {2}, {3, 5})
      .node("r", "Reshape", {"x", "shape"})
      .integers("order", {4}, {0, 1, 2, 2})
      .node("t", "Transpose", {"x", "order"})
      .integers("far", {1}, {9})
      .node("m", "Mean", {"x", "far"})
      .node("n", "MatMul", {"flat", "square"})
      .placeholder("flat", {4, 5})
      .floats("square", {3, 3}, {1});
  const std::string text = graph_refusal(graph);
  for (const char* node : {"c1", "c2", "c3", "c4", "p", "c5", "b", "r", "t", "m", "n"})
    EXPECT_THAT(text, HasSubstr(fmt::format("node '{}'", node)));
}

TEST(GraphDefRefused, ConstantsThatDoNotFit) {
  GraphText graph = image();
  graph.constant("short", "DT_FLOAT", {3}, "tensor_content: \"abcd\"")
      .floats("many", {2}, {1, 2, 3})
      .node("empty", "Const", {})
      .floats("open", {-1}, {1});
  const std::string text = graph_refusal(graph);
  EXPECT_THAT(text, AllOf(HasSubstr("4 bytes of values"), HasSubstr("it has 3 values"), HasSubstr("without a value"),
                          HasSubstr("node 'open'")));
  EXPECT_THAT(graph_refusal(image().placeholder("y", {-7, 3})), HasSubstr("its size is -7 x 3"));
  EXPECT_THAT(graph_refusal(image().floats("y", {1 << 30, 1 << 30}, {1})), HasSubstr("elements"));
  EXPECT_THAT(graph_refusal(image().placeholder("y", {1, 1, 1, 1, 1, 1, 1, 1, 1})), HasSubstr("9 dimensions"));
}

TEST(GraphDefRefused, MalformedText) {
  EXPECT_THAT(graph_refusal("node {\n name: \"x\" op }"), HasSubstr("bad.pb:2"));
  EXPECT_THAT(
      graph_refusal("node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLAOT } } }"),
      HasSubstr("DT_FLAOT"));
  EXPECT_THAT(
      graph_refusal("node { name: \"x\" op: \"Const\" attr { key: \"value\" value { tensor { float_val: one } } } }"),
      HasSubstr("float_val is 'one'"));
}

TEST(GraphDefRefused, DamagedFilesNeverCrash) {
  const std::string whole = content_of(own_model_path("graphdef/digits.pb"));
  ASSERT_GT(whole.size(), 1000u);
  for (std::size_t length = 40; length < whole.size(); length += length < 200 ? 1 : 61) {
    Diagnostics diagnostics;
    const auto network = read_graphdef_bytes(std::string_view(whole).substr(0, length), nullptr, "cut.pb", diagnostics);
    EXPECT_NE(network.has_value(), diagnostics.has_errors()) << length;
  }
  EXPECT_THAT(graph_refusal(whole.substr(0, whole.size() - 3)), HasSubstr("damaged or cut short"));
  for (std::size_t at = 0; at < whole.size(); at += at < 300 ? 1 : 67) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string turned = whole;
      turned[at] = value;
      Diagnostics diagnostics;
      const auto network = read_graphdef_bytes(turned, nullptr, "turned.pb", diagnostics);
      EXPECT_NE(network.has_value(), diagnostics.has_errors()) << at;
    }
  }
}

TEST(GraphDefRefused, NeitherDepthNorNumbersTakeLong) {
  const auto start = std::chrono::steady_clock::now();
  // A shape that nobody knows, multiplied over and over, then taken by an operator that isn't known.
  GraphText chain;
  chain.placeholder("x", {-1, -1}).node("n0", "Shape", {"x"});
  for (int i = 1; i < 5000; ++i)
    chain.node(fmt::format("n{}", i), "Mul", {fmt::format("n{}", i - 1), fmt::format("n{}", i - 1)});
  chain.node("u", "Unknown", {"n4999"});
  Diagnostics diagnostics;
  EXPECT_TRUE(read_graphdef_bytes(chain.text(), nullptr, "chain.pbtxt", diagnostics).has_value());
  // Constants as large as a tensor may be, in a few bytes.
  GraphText large;
  large.placeholder("x", {1, 2});
  for (int i = 0; i < 50; ++i) {
    large.floats(fmt::format("c{}", i), {1 << 17, 1 << 17}, {1, 2});
    large.floats(fmt::format("d{}", i), {1 << 17, 1 << 17}, {1});
    large.node(fmt::format("e{}", i), "AddV2", {fmt::format("d{}", i), fmt::format("d{}", i)});
  }
  large.node("y", "Relu", {"x"});
  EXPECT_TRUE(read_graphdef_bytes(large.text(), nullptr, "large.pbtxt", diagnostics).has_value());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace convscope::readers
