// Caffe definitions that must be refused, each with the place and the reason.

#include <chrono>

#include "core/readers/caffe/caffe.h"
#include "tests/core/readers/graph_questions.h"

namespace convscope::readers {
namespace {

using testing::HasSubstr;

std::string caffe_refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_caffe_text(text, "bad.prototxt", {}, nullptr, diagnostics).has_value()) << text.substr(0, 200);
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

const std::string input = "input: \"x\" input_shape { dim: 1 dim: 3 dim: 8 dim: 8 }\n";

std::string layer(const std::string& type, const std::string& rest) {
  return input + "layer { name: \"l\" type: \"" + type + "\" bottom: \"x\" top: \"y\" " + rest + " }\n";
}

TEST(CaffeRefused, IsNotRecognizedByOtherText) {
  EXPECT_FALSE(is_caffe(""));
  EXPECT_FALSE(is_caffe("name: \"only a name\""));
  EXPECT_FALSE(is_caffe("ir_version: 7 graph { node { } }"));
  EXPECT_FALSE(is_caffe("<layers><layer/></layers>"));
  EXPECT_FALSE(is_caffe("layer \"{\""));
  EXPECT_FALSE(is_caffe("a { layer { } }"));
  EXPECT_FALSE(is_caffe("7767517\n75 83\n"));
  EXPECT_TRUE(is_caffe("# comment\nname: \"n\" dims: [1, 2]\nlayers { }"));
}

TEST(CaffeRefused, MalformedText) {
  EXPECT_THAT(caffe_refusal(input + "layer {"),
              HasSubstr("bad.prototxt:2: error: the file ends where something else must be"));
  EXPECT_THAT(caffe_refusal("layer }"), HasSubstr("':' or '{'"));
  EXPECT_THAT(caffe_refusal("}"), HasSubstr("expected a field"));
  EXPECT_THAT(caffe_refusal("name: \"open\n"), HasSubstr("expected a value"));
  EXPECT_THAT(caffe_refusal("a: [1 2]"), HasSubstr("',' or ']'"));
  EXPECT_THAT(caffe_refusal("a: [1,"), HasSubstr("expected a value"));
  EXPECT_THAT(caffe_refusal("layer { \x01 }"), HasSubstr("a field or the closing bracket"));
}

TEST(CaffeRefused, DeepNestingAndManyFields) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "a{";
  EXPECT_THAT(caffe_refusal(deep), HasSubstr("at most 32 levels"));
  std::string many;
  for (int i = 0; i < 600'000; ++i) many += "a:1 ";
  EXPECT_THAT(caffe_refusal(many), HasSubstr("too many fields"));
  EXPECT_THAT(caffe_refusal("a: [" + many.substr(0, 3) + std::string(2'000'000, ',') + "]"), HasSubstr("error"));
  EXPECT_THAT(caffe_refusal(std::string((16 << 20) + 1, ' ')), HasSubstr("at most 16777216"));
}

TEST(CaffeRefused, NetworksWithoutLayersOrInput) {
  EXPECT_THAT(caffe_refusal(""), HasSubstr("no layers for phase TEST"));
  EXPECT_THAT(caffe_refusal("layer { name: \"d\" type: \"Data\" top: \"x\" include { phase: TRAIN } }"),
              HasSubstr("no layers for phase TEST"));
  EXPECT_THAT(caffe_refusal("layer { name: \"l\" type: \"ReLU\" bottom: \"x\" top: \"y\" }"),
              HasSubstr("layer 'l': no earlier layer has the top 'x'"));
  EXPECT_THAT(caffe_refusal("layer { name: \"l\" type: \"ReLU\" top: \"y\" }"), HasSubstr("has no bottoms"));
  EXPECT_THAT(caffe_refusal("layers { layer { name: \"l\" type: \"conv\" } }"), HasSubstr("version 0"));
  EXPECT_THAT(caffe_refusal(input + "layer { name: \"l\" bottom: \"x\" top: \"y\" }"),
              HasSubstr("the layer has no type"));
}

TEST(CaffeRefused, InputsOfImpossibleSizes) {
  EXPECT_THAT(caffe_refusal("input: \"x\" input_dim: 1 input_dim: -3 input_dim: 8 input_dim: 8\nlayer { }"),
              HasSubstr("input_dim is '-3'"));
  EXPECT_THAT(caffe_refusal("input: \"x\" input_shape { dim: 1000000 dim: 1000000 }\n"),
              HasSubstr("its size is 1000000 x 1000000"));
}

TEST(CaffeRefused, ParametersThatAreWrong) {
  EXPECT_THAT(caffe_refusal(layer("Convolution", "convolution_param { num_output: many kernel_size: 3 }")),
              HasSubstr("bad.prototxt:2: error: layer 'l': num_output is 'many'"));
  EXPECT_THAT(caffe_refusal(layer("Convolution", "")), HasSubstr("num_output or kernel_size is missing"));
  EXPECT_THAT(caffe_refusal(layer("Convolution", "convolution_param { num_output: 4 kernel_size: 3 group: 2 }")),
              HasSubstr("2 groups divide 3 input maps into 4 outputs"));
  EXPECT_THAT(caffe_refusal(layer("Convolution", "convolution_param { num_output: 4 kernel_size: 9 }")),
              HasSubstr("does not fit into 8 pixels"));
  EXPECT_THAT(caffe_refusal(layer("Convolution",
                                  "convolution_param { num_output: 4 kernel_size: 1 kernel_size: 1 kernel_size: 1 }")),
              HasSubstr("kernel_size is given 3 times"));
  EXPECT_THAT(caffe_refusal(layer("Pooling", "pooling_param { pool: MAX }")), HasSubstr("kernel_size is missing"));
  EXPECT_THAT(caffe_refusal(layer("ReLU", "relu_param { negative_slope: steep }")), HasSubstr("expected a number"));
  EXPECT_THAT(caffe_refusal(layer("Softmax", "softmax_param { axis: 4 }")), HasSubstr("axis 4 of 4 does not exist"));
  EXPECT_THAT(caffe_refusal(layer("Permute", "permute_param { order: 1 order: 1 }")), HasSubstr("repeats an axis"));
  EXPECT_THAT(caffe_refusal(layer("Reshape", "reshape_param { shape { dim: 5 dim: -1 } }")),
              HasSubstr("192 values cannot"));
  EXPECT_THAT(caffe_refusal(layer("Eltwise", "")), HasSubstr("a single bottom"));
  EXPECT_THAT(caffe_refusal(layer("Slice", "top: \"z\" slice_param { slice_point: 3 }")),
              HasSubstr("slice points cut 3 values"));
}

TEST(CaffeRefused, LayersWithoutTops) {
  const std::string start = input + "layer { name: \"l\" bottom: \"x\" type: ";
  EXPECT_THAT(caffe_refusal(start + "\"Slice\" }"), HasSubstr("layer 'l': it has no tops"));
  EXPECT_THAT(caffe_refusal(start + "\"ReLU\" }"), HasSubstr("layer 'l': it has 0 tops; expected 1"));
}

TEST(CaffeRefused, ShapesThatDoNotFit) {
  const std::string pooled = layer("Pooling", "pooling_param { kernel_size: 2 stride: 2 }");
  EXPECT_THAT(caffe_refusal(pooled + "layer { name: \"e\" type: \"Eltwise\" bottom: \"x\" bottom: \"y\" top: \"z\" }"),
              HasSubstr("layer 'e': its bottoms have different shapes"));
  EXPECT_THAT(caffe_refusal(pooled + "layer { name: \"e\" type: \"Concat\" bottom: \"x\" bottom: \"y\" top: \"z\" }"),
              HasSubstr("dimension 2 of its bottoms is 8 and 4"));
  EXPECT_THAT(caffe_refusal(pooled + "layer { name: \"e\" type: \"Crop\" bottom: \"y\" bottom: \"x\" top: \"z\" }"),
              HasSubstr("8 values from 0 on exceed the 4 of axis 2"));
}

TEST(CaffeRefused, HugeClaimsAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(caffe_refusal(layer("InnerProduct", "inner_product_param { num_output: 1000000000 }")),
              HasSubstr("tensor 'l/weights': its size is 1000000000 x 192"));
  std::string enlarging = input;
  for (int i = 0; i < 40; ++i)
    enlarging += "layer { name: \"u\" type: \"Upsample\" bottom: \"x\" top: \"x\" upsample_param { scale: 4096 } }\n";
  EXPECT_THAT(caffe_refusal(enlarging), HasSubstr("at most 17179869184 elements"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace convscope::readers
