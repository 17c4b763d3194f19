// TensorFlow Lite models that must be refused, each with the reason; and damaged ones, which must never crash.

#include <chrono>

#include "core/readers/tflite/tflite.h"
#include "tests/core/readers/graph_questions.h"
#include "tests/core/readers/tflite_models.h"

namespace convscope::readers {
namespace {

using testing::HasSubstr;

std::string tflite_refusal(const std::string& bytes) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_tflite_bytes(bytes, nullptr, "bad.tflite", diagnostics).has_value());
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

SmallModel relu() {
  SmallModel model;
  model.tensor("in", {1, 4, 5, 3});
  model.tensor("out", {1, 4, 5, 3});
  model.inputs = {0};
  model.outputs = {1};
  model.add(19, {0}, {1});
  return model;
}

TEST(TfLiteRefused, OtherFiles) {
  EXPECT_FALSE(is_tflite(""));
  EXPECT_FALSE(is_tflite("TFL3TFL"));
  EXPECT_THAT(tflite_refusal("hello world"), HasSubstr("not a TensorFlow Lite model"));
  EXPECT_THAT(tflite_refusal(FlatWriter::file({}, "TFL3")), HasSubstr("no subgraph"));
}

TEST(TfLiteRefused, EveryTruncation) {
  const std::string whole = relu().file();
  for (std::size_t length = 8; length < whole.size(); ++length) {
    Diagnostics diagnostics;
    const auto network = read_tflite_bytes(std::string(whole, 0, length), nullptr, "cut.tflite", diagnostics);
    EXPECT_NE(network.has_value(), diagnostics.has_errors()) << length;
  }
  EXPECT_THAT(tflite_refusal(whole.substr(0, whole.size() / 2)), HasSubstr("damaged or cut short"));
}

TEST(TfLiteRefused, EveryByteTurned) {
  const std::string whole = relu().file();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string turned = whole;
      turned[at] = value;
      Diagnostics diagnostics;
      const auto network = read_tflite_bytes(turned, nullptr, "turned.tflite", diagnostics);
      EXPECT_NE(network.has_value(), diagnostics.has_errors()) << at;
    }
  }
}

TEST(TfLiteRefused, IndicesThatNameNothing) {
  SmallModel model = relu();
  model.add(19, {7}, {1});
  EXPECT_THAT(tflite_refusal(model.file()),
              HasSubstr("inputs of operator 1 (RELU) name tensor 7; expected one of 2 tensors"));
  model = relu();
  model.outputs = {-1};
  EXPECT_THAT(tflite_refusal(model.file()), HasSubstr("the subgraph's outputs name tensor -1"));
  model = relu();
  model.codes.clear();
  EXPECT_THAT(tflite_refusal(model.file()), HasSubstr("its code is 0; expected one of 0 codes"));
  model = relu();
  model.tensors[0].fields[2] = std::int64_t{5};
  EXPECT_THAT(tflite_refusal(model.file()), HasSubstr("tensor 'in': its values are in buffer 5"));
}

TEST(TfLiteRefused, ValuesThatDoNotFitTheirShape) {
  SmallModel model = relu();
  model.tensor("weights", {3}, 2, bytes_of({1, 2}));
  EXPECT_THAT(tflite_refusal(model.file()),
              HasSubstr("tensor 'weights': its size is 3 elements of int32, but it has 8 bytes"));
}

TEST(TfLiteRefused, ImpossibleShapes) {
  SmallModel model = relu();
  model.tensor("negative", {3, -2});
  EXPECT_THAT(tflite_refusal(model.file()),
              HasSubstr("tensor 'negative': its size is 3 x -2; expected no negative dimensions"));
  model = relu();
  model.tensor("deep", Int32s(9, 1));
  EXPECT_THAT(tflite_refusal(model.file()), HasSubstr("it has 9 dimensions; expected at most 8"));
  model = relu();
  const auto start = std::chrono::steady_clock::now();
  model.tensor("huge", {1'000'000, 1'000'000});
  EXPECT_THAT(tflite_refusal(model.file()),
              HasSubstr("tensor 'huge': its size is 1000000 x 1000000; expected at most"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(TfLiteRefused, CirclesAndSeveralProducers) {
  SmallModel model;
  model.tensor("in", {1}), model.tensor("a", {1}), model.tensor("b", {1});
  model.inputs = {0};
  model.outputs = {1};
  model.add(0, {0, 2}, {1});
  model.add(19, {1}, {2});
  EXPECT_THAT(tflite_refusal(model.file()), HasSubstr("depend on each other in a circle"));
  model = relu();
  model.add(19, {0}, {1});
  EXPECT_THAT(tflite_refusal(model.file()), HasSubstr("tensor 'out': it is made by an operator, but also"));
}

}  // namespace
}  // namespace convscope::readers
