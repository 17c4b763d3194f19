// Torch7 files that must be refused, each with the reason; and damaged ones, which must never crash.

#include "core/readers/torch7/torch7.h"
#include "tests/core/readers/graph_questions.h"
#include "tests/core/readers/torch7_models.h"

namespace convscope::readers {
namespace {

using testing::HasSubstr;

std::string torch7_refusal(const std::string& bytes) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_torch7_bytes(bytes, nullptr, "bad.t7", diagnostics).has_value());
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

std::string torch7_refusal(const Lua& root) {
  return torch7_refusal(Torch7Writer::file(root, false));
}

std::string refused_in(const std::vector<Lua>& modules) {
  return torch7_refusal(container("nn.Sequential", modules));
}

TEST(Torch7Refused, OtherFiles) {
  for (const char* text : {"", "4\n", "hello world", "3 apples", "4\n1\n3\nabc\n"})
    EXPECT_FALSE(is_torch7(text)) << text;
  EXPECT_FALSE(is_torch7(std::string("\x04\0\0\0\x01\0\0\0\x03\0\0\0abc", 15)));
  EXPECT_THAT(torch7_refusal(std::string("hello")), HasSubstr("a value of kind"));
}

TEST(Torch7Refused, FilesWithoutANetwork) {
  EXPECT_THAT(torch7_refusal(lua_table({{"a", 1}})), HasSubstr("the file holds no network"));
  EXPECT_THAT(torch7_refusal(module("nn.ClassNLLCriterion")), HasSubstr("the file holds no network"));
  EXPECT_THAT(torch7_refusal(container("nn.Sequential", {module("nn.Identity")})),
              HasSubstr("the network has no layers"));
  CONVSCOPE_NEEDS_MODELS("torch7/torchfile-tests")
  for (const std::string& path : files_below(model_path("torch7"), ".t7")) {
    if (path.find("gmodule") != std::string::npos) continue;
    EXPECT_THAT(torch7_refusal(content_of(path)), HasSubstr("holds no network")) << path;
  }
}

/// Sizes of which the file has not so many are refused before anything is made of them.
TEST(Torch7Refused, SizesBeyondTheFile) {
  EXPECT_THAT(torch7_refusal(std::string("3\n1\n2000000000\n")),
              HasSubstr("bad.t7:4: error: a table of 2000000000 entries"));
  EXPECT_THAT(torch7_refusal(std::string("4\n1\n3\nV 1\n18\ntorch.FloatStorage\n9000000000\n1 2\n")),
              HasSubstr("9000000000 values of 4 bytes"));
  EXPECT_THAT(torch7_refusal(std::string("4\n1\n3\nV 1\n17\ntorch.FloatTensor\n1000\n")), HasSubstr("1000 dimensions"));
  EXPECT_THAT(torch7_refusal(std::string("2\n-5\n")), HasSubstr("a text of -5 bytes"));
  EXPECT_THAT(torch7_refusal(std::string("3\n1\n1\n1\nabc\n")), HasSubstr("bad.t7:5: error: 'abc' is no number"));
}

TEST(Torch7Refused, TensorsOutsideTheirStorage) {
  const Lua tensor = lua_tensor("Float", {2, 3}, {1, 2, 3, 4, 5});
  EXPECT_THAT(torch7_refusal(lua_list({tensor})), HasSubstr("leads out of its storage of 5 elements"));
  tensor.object->dimensions = {2, 2};
  tensor.object->offset = 0;
  EXPECT_THAT(torch7_refusal(lua_list({tensor})), HasSubstr("leads out of its storage"));
  tensor.object->offset = 1;
  tensor.object->strides = {-1, 1};
  EXPECT_THAT(torch7_refusal(lua_list({tensor})), HasSubstr("leads out of its storage"));
  tensor.object->storage = lua_table({});
  EXPECT_THAT(torch7_refusal(lua_list({tensor})), HasSubstr("a tensor whose storage is none"));
}

TEST(Torch7Refused, ModulesWithoutWhatTheyNeed) {
  EXPECT_THAT(refused_in({module("nn.SpatialConvolution", {{"nInputPlane", 3}})}),
              AllOf(HasSubstr("module '1.SpatialConvolution' at byte "),
                    HasSubstr("field 'nOutputPlane' is missing or no number; expected an integer from 1"),
                    HasSubstr("field 'kH' is missing")));
  EXPECT_THAT(refused_in({torch_max_pooling(0, 1)}), HasSubstr("field 'kH' is 0; expected an integer from 1"));
  EXPECT_THAT(refused_in({module("nn.Linear")}), HasSubstr("its weight is missing"));
  EXPECT_THAT(refused_in({module("nn.SpatialBatchNormalization")}), HasSubstr("its running_mean is missing"));
  EXPECT_THAT(refused_in({module("nn.View")}), HasSubstr("its sizes are missing"));
  EXPECT_THAT(refused_in({module("nn.View", {{"size", lua_list({-1, -1, -1})}})}), HasSubstr("don't make sense"));
  EXPECT_THAT(refused_in({lua_table({})}), HasSubstr("it is no module"));
  EXPECT_THAT(refused_in({Lua(3)}), HasSubstr("it is no module"));
  EXPECT_THAT(refused_in({module("nn.SelectTable", {{"index", 2}})}), HasSubstr("field 'index' is 2"));
}

TEST(Torch7Refused, LinesInText) {
  const std::string text = Torch7Writer::file(container("nn.Sequential", {module("nn.Linear")}), true);
  EXPECT_THAT(torch7_refusal(text), HasSubstr("bad.t7:"));
  EXPECT_THAT(torch7_refusal(text), Not(HasSubstr("at byte")));
}

TEST(Torch7Refused, TablesWhereTensorsBelong) {
  const Lua branches = container("nn.ConcatTable", {module("nn.Identity"), module("nn.Identity")});
  EXPECT_THAT(refused_in({branches, torch_relu()}), HasSubstr("its input is a table; expected a tensor"));
  EXPECT_THAT(refused_in({container("nn.ConcatTable", {branches, branches}), module("nn.CAddTable")}),
              HasSubstr("a table of tables"));
  EXPECT_THAT(refused_in({module("nn.CMulTable")}), HasSubstr("its input has 1 parts; expected at least 2"));
  EXPECT_THAT(refused_in({container("nn.ConcatTable", {})}), HasSubstr("a table of 0 parts"));
  EXPECT_THAT(refused_in({branches, container("nn.ParallelTable", {torch_relu()})}),
              HasSubstr("it has 1 modules for 2 parts"));
}

/// A module may stand in itself, and a few modules may unfold to endlessly many.
TEST(Torch7Refused, Unfolding) {
  const Lua circle = container("nn.Sequential", {});
  circle.object->entries[0].second = lua_list({circle, circle});
  EXPECT_THAT(torch7_refusal(circle), HasSubstr("stands in 201 modules, one in the other"));
  circle.object->entries.clear();
  Lua tower = torch_relu();
  for (int i = 0; i < 40; ++i) tower = container("nn.Sequential", {tower, tower});
  EXPECT_THAT(torch7_refusal(tower), HasSubstr("more than 20000 modules"));
  Lua tables = container("nn.ConcatTable", {module("nn.Identity"), module("nn.Identity")});
  std::vector<Lua> chain(60, tables);
  EXPECT_THAT(refused_in(chain), HasSubstr("tables in each other"));
  const Lua many = container("nn.Sequential", std::vector<Lua>(40, tables));
  EXPECT_THAT(refused_in({many, module("nn.FlattenTable")}), HasSubstr("its input has more than 1000 parts"));
  EXPECT_THAT(refused_in({torch_relu(), many}), HasSubstr("its result has more than 1000 parts"));
}

TEST(Torch7Refused, WeightsOfAnotherSizeAreLeftOut) {
  const Lua convolution = torch_convolution(2, 3, 3);
  for (auto& [key, value] : convolution.object->entries)
    if (key.text == "weight") value = counted_tensor("Float", {3, 2, 2, 2});
  Diagnostics diagnostics;
  const std::string bytes = Torch7Writer::file(convolution, false);
  const auto network = read_torch7_bytes(bytes, nullptr, "odd.t7", diagnostics);
  ASSERT_TRUE(network.has_value()) << diagnostics.text();
  EXPECT_THAT(diagnostics.text(),
              HasSubstr("'weight' has 3 x 2 x 2 x 2 values; they are left out; expected 3 x 2 x 3 x 3"));
  EXPECT_FALSE(input_of(*network->graph, network->graph->nodes[0], 1).constant->present());
}

Lua smallest() {
  return container("nn.Sequential",
                   {torch_convolution(1, 1, 2, 1, 0, "Half"), torch_batch_normalization(1),
                    container("nn.ConcatTable", {torch_relu(), torch_view(1)}), module("nn.CAddTable")});
}

TEST(Torch7Refused, EveryTruncation) {
  for (const bool in_text : {false, true}) {
    const std::string whole = Torch7Writer::file(smallest(), in_text);
    for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
      if (in_text && length > 0 && whole[length - 1] != '\n') continue;  // a number cut short is a number
      Diagnostics diagnostics;
      const auto network = read_torch7_bytes(whole.substr(0, length), nullptr, "cut.t7", diagnostics);
      EXPECT_TRUE(!network.has_value() && diagnostics.has_errors()) << length;
    }
  }
}

TEST(Torch7Refused, EveryByteTurned) {
  for (const bool in_text : {false, true}) {
    const std::string whole = Torch7Writer::file(smallest(), in_text);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const char value : {'\x00', '9', '\xff'}) {
        std::string turned = whole;
        turned[at] = value;
        Diagnostics diagnostics;
        const auto network = read_torch7_bytes(turned, nullptr, "turned.t7", diagnostics);
        EXPECT_NE(network.has_value(), diagnostics.has_errors()) << at;
      }
    }
  }
}

}  // namespace
}  // namespace convscope::readers
