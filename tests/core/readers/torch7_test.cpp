// Torch7 networks that must be read: written here in both forms, the same layer by layer as layer lists.

#include "core/readers/torch7/torch7.h"

#include "core/network/shape_inference.h"
#include "core/readers/layer_list/layer_list.h"
#include "core/reference/executor.h"
#include "tests/core/readers/graph_questions.h"
#include "tests/core/readers/torch7_models.h"

namespace convscope::readers {
namespace {

using Integers = std::vector<std::int64_t>;

/// The bytes must outlive the constants.
struct ReadTorch7 {
  std::string bytes;
  network::Network network;
  const network::Graph& graph() const { return *network.graph; }

  explicit ReadTorch7(const Lua& root, bool in_text = false)
      : bytes(Torch7Writer::file(root, in_text)), network(read_here()) {
    expect_sound(*network.graph);
  }

 private:
  network::Network read_here() const {
    Diagnostics diagnostics;
    EXPECT_TRUE(is_torch7(bytes));
    auto found = read_torch7_bytes(bytes, nullptr, "small.t7", diagnostics);
    EXPECT_TRUE(found.has_value()) << diagnostics.text();
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
    if (!found) found.emplace().graph = std::make_shared<network::Graph>();
    return *found;
  }
};

/// Layers without what tells where they come from.
std::vector<network::Layer> layers(const network::Network& network, int size) {
  network::Graph graph = *network.graph;
  Diagnostics diagnostics;
  network::infer_shapes(graph, {1, network::Size{size, size}, {}}, "file", diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  std::vector<network::Layer> found = network::layers_of(graph);
  for (network::Layer& layer : found) {
    layer.name.clear();
    layer.node = -1;
    layer.source_line = 0;
  }
  return found;
}

network::Network listed(const std::string& elements) {
  Diagnostics diagnostics;
  auto network =
      read_layer_list_text("<layer_list name=\"small\">" + elements + "</layer_list>", "small.xml", diagnostics);
  EXPECT_TRUE(network.has_value()) << diagnostics.text();
  return network.value_or(network::Network{});
}

constexpr const char* alexnet_list = R"(<input name="image" maps="3" height="63" width="63"/>
  <conv name="c1" maps="8" kernel="11" stride="4" pad="2" activation="relu"/>
  <max_pool name="p1" kernel="3" stride="2"/>
  <conv name="c2" maps="12" kernel="5" pad="2" activation="relu"/>
  <max_pool name="p2" kernel="3" stride="2"/>
  <conv name="c3" maps="16" kernel="3" pad="1" activation="relu"/>
  <fc name="f4" maps="20" activation="relu"/>
  <fc name="f5" maps="10"/>
  <softmax name="s"/>)";

/// Shortcuts behind the paths, as ConcatTable has them.
constexpr const char* resnet_list = R"(<input name="image" maps="3" height="32" width="32"/>
  <conv name="c1" maps="8" kernel="7" stride="2" pad="3"/> <batch_norm name="b1"/> <relu name="r1"/>
  <max_pool name="p1" kernel="3" stride="2" pad="1"/>
  <conv name="1a" maps="8" kernel="3" pad="1"/> <batch_norm name="1b"/> <relu name="1c"/>
  <conv name="1d" maps="8" kernel="3" pad="1"/> <batch_norm name="1e"/>
  <add name="1f" from="1e p1" activation="relu"/>
  <conv name="2a" maps="8" kernel="3" pad="1"/> <batch_norm name="2b"/> <relu name="2c"/>
  <conv name="2d" maps="8" kernel="3" pad="1"/> <batch_norm name="2e"/>
  <add name="2f" from="2e 1f" activation="relu"/>
  <conv name="3a" maps="16" kernel="3" stride="2" pad="1"/> <batch_norm name="3b"/> <relu name="3c"/>
  <conv name="3d" maps="16" kernel="3" pad="1"/> <batch_norm name="3e"/>
  <conv name="3f" from="2f" maps="16" kernel="1" stride="2"/> <batch_norm name="3g"/>
  <add name="3h" from="3e 3g" activation="relu"/>
  <average_pool name="p4" kernel="4" count_padding="yes"/>
  <fc name="f" maps="10"/>)";

TEST(Torch7, SmallAlexNetIsTheLayerList) {
  const ReadTorch7 binary(torch_small_alexnet()), text(torch_small_alexnet(), true);
  const auto expected = layers(listed(alexnet_list), 63);
  EXPECT_EQ(layers(binary.network, 63), expected);
  EXPECT_EQ(layers(text.network, 63), expected);
  EXPECT_EQ(binary.network.format, "torch7");
  EXPECT_EQ(binary.network.name, "small");
}

TEST(Torch7, SmallResNetIsTheLayerList) {
  const auto expected = layers(listed(resnet_list), 32);
  for (const char* type : {"Float", "Cuda", "Double", "Half"}) {
    SCOPED_TRACE(type);
    const ReadTorch7 binary(torch_small_resnet(type)), text(torch_small_resnet(type), true);
    EXPECT_EQ(layers(binary.network, 32), expected);
    EXPECT_EQ(layers(text.network, 32), expected);
  }
}

TEST(Torch7, InputIsOpenButForItsMaps) {
  const ReadTorch7 read(torch_small_resnet());
  ASSERT_EQ(read.graph().inputs.size(), 1u);
  EXPECT_EQ(read.graph().tensors[0].shape.dimensions, (Integers{-1, 3, -1, -1}));
}

TEST(Torch7, NodesHaveThePathOfTheirModule) {
  const ReadTorch7 read(torch_small_resnet());
  const network::Node& convolution = node_named(read.graph(), "5.1.1.1.1.SpatialConvolution");
  EXPECT_EQ(convolution.operator_name, "Conv");
  EXPECT_EQ(input_of(read.graph(), convolution, 1).constant->dimensions, (Integers{8, 8, 3, 3}));
  EXPECT_EQ(node_named(read.graph(), "6.1.2.CAddTable").operator_name, "Add");
}

std::vector<double> executed(const network::Graph& graph, int size) {
  reference::FloatTensor image{network::ElementType::float32, {1, 3, size, size}, {}};
  for (int i = 0; i < 3 * size * size; ++i) image.values.push_back((i * 7 % 11) / 8.0 - 0.5);
  Diagnostics diagnostics;
  const auto outputs = reference::execute(graph, {{"input", image}}, diagnostics);
  EXPECT_TRUE(outputs.has_value() && outputs->size() == 1) << diagnostics.text();
  return outputs && !outputs->empty() ? outputs->begin()->second.values : std::vector<double>{};
}

TEST(Torch7, BothFormsComputeTheSame) {
  const ReadTorch7 binary(torch_small_resnet()), text(torch_small_resnet(), true), halves(torch_small_resnet("Half"));
  const std::vector<double> expected = executed(binary.graph(), 32);
  ASSERT_EQ(expected.size(), 10u);
  EXPECT_NE(expected[0], expected[1]);
  EXPECT_EQ(executed(text.graph(), 32), expected);
  EXPECT_EQ(executed(halves.graph(), 32), expected);  // eighths fit a half
}

/// The output of one module that takes a vector or maps.
std::vector<double> computed(const Lua& module, const reference::FloatTensor& in) {
  const ReadTorch7 read(container("nn.Sequential", {module}));
  Diagnostics diagnostics;
  const auto outputs = reference::execute(read.graph(), {{"input", in}}, diagnostics);
  EXPECT_TRUE(outputs.has_value() && outputs->size() == 1) << diagnostics.text();
  return outputs && !outputs->empty() ? outputs->begin()->second.values : std::vector<double>{};
}

reference::FloatTensor vector_of(std::vector<double> values) {
  return {network::ElementType::float32, {1, static_cast<std::int64_t>(values.size())}, std::move(values)};
}

reference::FloatTensor maps_of(std::int64_t maps, std::int64_t height, std::int64_t width, std::vector<double> values) {
  return {network::ElementType::float32, {1, maps, height, width}, std::move(values)};
}

using Values = std::vector<double>;

TEST(Torch7, ModulesComputeWhatTorchDoes) {
  const auto in = vector_of({-2, -0.5, 0, 3});
  EXPECT_EQ(computed(torch_relu(), in), (Values{0, 0, 0, 3}));
  EXPECT_EQ(computed(module("nn.Threshold", {{"threshold", 1}, {"val", 0}}), in), (Values{0, 0, 0, 3}));
  EXPECT_EQ(computed(module("nn.HardTanh", {{"min_val", -1}, {"max_val", 1}}), in), (Values{-1, -0.5, 0, 1}));
  EXPECT_EQ(computed(module("nn.ReLU6"), vector_of({-1, 7})), (Values{0, 6}));
  EXPECT_EQ(computed(module("cudnn.ClippedReLU", {{"ceiling", 2}}), in), (Values{0, 0, 0, 2}));
  EXPECT_EQ(computed(module("nn.LeakyReLU", {{"negval", 0.25}}), in), (Values{-0.5, -0.125, 0, 3}));
  EXPECT_EQ(computed(module("nn.MulConstant", {{"constant_scalar", 2}}), in), (Values{-4, -1, 0, 6}));
  EXPECT_EQ(computed(module("nn.AddConstant", {{"constant_scalar", 2}}), in), (Values{0, 1.5, 2, 5}));
  EXPECT_EQ(computed(module("nn.Square"), in), (Values{4, 0.25, 0, 9}));
  EXPECT_EQ(computed(module("nn.Power", {{"pow", 2}}), in), (Values{4, 0.25, 0, 9}));
  EXPECT_EQ(computed(module("nn.Mul", {{"weight", lua_tensor("Float", {1}, {4})}}), in), (Values{-8, -2, 0, 12}));
  EXPECT_EQ(computed(module("nn.Dropout", {{"p", 0.5}, {"v2", true}}), in), in.values);
  EXPECT_EQ(computed(module("nn.Dropout", {{"p", 0.5}}), in), (Values{-1, -0.25, 0, 1.5}));  // of the first version
  EXPECT_EQ(computed(module("nn.SpatialDropout", {{"p", 0.75}}), in), (Values{-0.5, -0.125, 0, 0.75}));
  EXPECT_EQ(computed(torch_linear(4, 2), in), (Values{1.0 + 0.1875 + 0 - 0.375 - 0.5, 0 - 0.0625 + 0 + 1.125 - 0.375}));
}

TEST(Torch7, ModulesOfMapsComputeWhatTorchDoes) {
  const auto in = maps_of(2, 2, 2, {1, 2, 3, 4, -1, -2, -3, -4});
  const Lua average = module("nn.SpatialAveragePooling", {{"kW", 2}, {"kH", 2}, {"dW", 2}, {"dH", 2}});
  EXPECT_EQ(computed(average, in), (Values{2.5, -2.5}));
  const Lua sum = module("nn.SpatialAveragePooling", {{"kW", 2}, {"kH", 2}, {"dW", 2}, {"dH", 2}, {"divide", false}});
  EXPECT_EQ(computed(sum, in), (Values{10, -10}));
  EXPECT_EQ(computed(module("nn.SpatialAdaptiveAveragePooling", {{"W", 1}, {"H", 1}}), in), (Values{2.5, -2.5}));
  EXPECT_EQ(computed(module("nn.SpatialAdaptiveMaxPooling", {{"W", 1}, {"H", 1}}), in), (Values{4, -1}));
  EXPECT_EQ(computed(module("nn.PReLU", {{"weight", lua_tensor("Float", {2}, {1, 0.5})}}), in),
            (Values{1, 2, 3, 4, -0.5, -1, -1.5, -2}));
  EXPECT_EQ(computed(module("nn.CMul", {{"weight", lua_tensor("Float", {1, 2, 1, 1}, {1, 2})}}), in),
            (Values{1, 2, 3, 4, -2, -4, -6, -8}));
  const Lua padded = module("nn.SpatialZeroPadding", {{"pad_l", 1}, {"pad_r", 0}, {"pad_t", 0}, {"pad_b", -1}});
  EXPECT_EQ(computed(padded, in), (Values{0, 1, 2, 0, -1, -2}));
  const Lua map_more = module("nn.Padding", {{"dim", 1}, {"pad", 1}, {"nInputDim", 3}, {"value", 9}});
  EXPECT_EQ(computed(map_more, in), (Values{1, 2, 3, 4, -1, -2, -3, -4, 9, 9, 9, 9}));
  EXPECT_EQ(computed(module("nn.SpatialUpSamplingNearest", {{"scale_factor", 2}}), maps_of(1, 1, 2, {1, 2})),
            (Values{1, 1, 2, 2, 1, 1, 2, 2}));
}

TEST(Torch7, ContainersJoinAndBranch) {
  const Lua twice = module("nn.MulConstant", {{"constant_scalar", 2}}), same = module("nn.Identity");
  const auto in = maps_of(1, 1, 2, {1, 2});
  EXPECT_EQ(computed(container("nn.Concat", {same, twice}, {{"dimension", 2}}), in), (Values{1, 2, 2, 4}));
  EXPECT_EQ(computed(container("nn.DepthConcat", {twice, same}, {{"dimension", 1}}), in), (Values{2, 4, 1, 2}));
  const auto joined = [&](const Lua& join) {
    return computed(container("nn.Sequential", {container("nn.ConcatTable", {same, twice, twice}), join}), in);
  };
  EXPECT_EQ(joined(module("nn.CAddTable")), (Values{5, 10}));
  EXPECT_EQ(joined(module("nn.CMulTable")), (Values{4, 32}));
  EXPECT_EQ(joined(module("nn.CSubTable")), (Values{-3, -6}));
  EXPECT_EQ(joined(module("nn.CMaxTable")), (Values{2, 4}));
  EXPECT_EQ(joined(module("nn.SelectTable", {{"index", -1}})), (Values{2, 4}));
  EXPECT_EQ(joined(module("nn.JoinTable", {{"dimension", 1}, {"nInputDims", 3}})), (Values{1, 2, 2, 4, 2, 4}));
  const Lua parallel = container("nn.ParallelTable", {twice, same, same});
  EXPECT_EQ(joined(container("nn.Sequential", {parallel, module("nn.CAddTable")})), (Values{6, 12}));
  const Lua mapped = container("nn.MapTable", {twice});
  EXPECT_EQ(joined(container("nn.Sequential", {mapped, module("nn.CAddTable")})), (Values{10, 20}));
  EXPECT_EQ(computed(container("nn.DataParallelTable", {twice, twice}), in), (Values{2, 4}));
}

TEST(Torch7, PoolsRoundAsTheirLibraryDoes) {
  const auto in = maps_of(1, 1, 3, {1, 2, 3});
  const LuaEntries window{{"kW", 2}, {"kH", 1}, {"dW", 2}, {"dH", 1}};
  EXPECT_EQ(computed(module("nn.SpatialMaxPooling", window), in), (Values{2}));
  EXPECT_EQ(computed(module("inn.SpatialMaxPooling", window), in), (Values{2, 3}));
  LuaEntries ceiled = window;
  ceiled.emplace_back("ceil_mode", true);
  EXPECT_EQ(computed(module("cudnn.SpatialMaxPooling", ceiled), in), (Values{2, 3}));
}

TEST(Torch7, DepthwiseWeightsStandMapByMap) {
  const Lua depthwise =
      module("nn.SpatialDepthWiseConvolution", {{"nInputPlane", 2},
                                                {"nOutputPlane", 2},
                                                {"kW", 1},
                                                {"kH", 1},
                                                {"dW", 1},
                                                {"dH", 1},
                                                {"weight", lua_tensor("Float", {2, 2, 1, 1}, {1, 2, 3, 4})}});
  EXPECT_EQ(computed(depthwise, maps_of(2, 1, 1, {1, 10})), (Values{1, 3, 20, 40}));
}

TEST(Torch7, OldBatchNormalizationKeepsDeviations) {
  const Lua old = module("nn.BatchNormalization", {{"eps", 0.25},
                                                   {"running_mean", lua_tensor("Float", {2}, {1, 0})},
                                                   {"running_std", lua_tensor("Float", {2}, {0.5, 2})}});
  EXPECT_EQ(computed(old, vector_of({3, 3})), (Values{1, 6}));
}

TEST(Torch7, FullConvolution) {
  const Lua full = module("nn.SpatialFullConvolution", {{"nInputPlane", 1},
                                                        {"nOutputPlane", 1},
                                                        {"kW", 2},
                                                        {"kH", 1},
                                                        {"dW", 2},
                                                        {"dH", 1},
                                                        {"adjW", 1},
                                                        {"weight", lua_tensor("Float", {1, 1, 1, 2}, {1, 3})}});
  EXPECT_EQ(computed(full, maps_of(1, 1, 2, {1, 2})), (Values{1, 3, 2, 6, 0}));
}

TEST(Torch7, UnknownModulesStayWhatTheyAre) {
  const ReadTorch7 read(container("nn.Sequential", {torch_convolution(1, 2, 1), module("nn.SpatialConvolutionLocal"),
                                                    module("my.Layer"), torch_relu()}));
  const network::Node& local = node_named(read.graph(), "2.SpatialConvolutionLocal");
  EXPECT_EQ(local.domain, "torch");
  EXPECT_EQ(local.operator_name, "SpatialConvolutionLocal");
  EXPECT_EQ(node_named(read.graph(), "3.my.Layer").operator_name, "my.Layer");
  EXPECT_EQ(count_nodes(read.graph(), "Relu"), 1);
}

TEST(Torch7, SharedModulesAndNamesAndTables) {
  const Lua shared = module("nn.ReLU", {{"name", "act"}});
  const Lua model = container("nn.Sequential", {shared, shared});
  const ReadTorch7 read(lua_table({{"epoch", 3}, {"best", lua_table({{"other", 1}})}, {"model", model}}));
  EXPECT_EQ(read.graph().nodes.size(), 2u);
  EXPECT_EQ(read.graph().nodes[0].name, "act");
  EXPECT_NE(read.graph().nodes[1].name, "act");
}

TEST(Torch7, RealGraphModule) {
  CONVSCOPE_NEEDS_MODELS("torch7/torchfile-tests")
  Diagnostics diagnostics;
  const std::string path = model_path("torch7/torchfile-tests/gmodule_with_linear_identity.t7");
  const auto file = MappedFile::open(path, diagnostics);
  ASSERT_TRUE(file && is_torch7(file->bytes()));
  const auto network = read_torch7(*file, path, diagnostics);
  ASSERT_TRUE(network.has_value()) << diagnostics.text();
  expect_sound(*network->graph);
  EXPECT_EQ(count_nodes(*network->graph, "Gemm"), 1);
  EXPECT_EQ(count_nodes(*network->graph, "Add"), 1);
  EXPECT_EQ(count_nodes(*network->graph, "Identity"), 0);
}

}  // namespace
}  // namespace convscope::readers
