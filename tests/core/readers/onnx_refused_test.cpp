// ONNX files that must be refused, each with the place and the reason; text and binary form alike.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/readers/onnx_files.h"

namespace convscope::readers::onnx_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const relu = "node { op_type: 'Relu' input: 'x' output: 'y' }\n";

std::vector<std::string> errors_of_bytes(const std::string& bytes) {
  return read_bytes(bytes).texts(Severity::error);
}

std::vector<std::string> errors_with_initializer(const std::string& fields) {
  return errors_of(model_text(std::string(relu) + "initializer { name: 'w' " + fields + " }\n"));
}

TEST(OnnxRefused, NothingIsWrongWithTheModelThatTheseTestsVary) {
  EXPECT_THAT(errors_of(model_text(relu)), IsEmpty());
  EXPECT_THAT(errors_with_initializer("data_type: 1 dims: 1 float_data: 1"), IsEmpty());
}

TEST(OnnxRefused, WhatIsNoModel) {
  EXPECT_THAT(errors_of_bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
              ElementsAre(HasSubstr("this is a Git LFS pointer, not the model")));
  EXPECT_THAT(errors_of_bytes("<!DOCTYPE html><html></html>"), ElementsAre(HasSubstr("web page")));
  EXPECT_THAT(errors_of_bytes(""), ElementsAre(HasSubstr("empty")));
  EXPECT_THAT(errors_of("ir_version: 8"), ElementsAre(HasSubstr("no graph")));
  EXPECT_THAT(errors_of("ir_version: 8 graph { name: 'g' }"), ElementsAre(HasSubstr("no nodes")));
  EXPECT_THAT(errors_of_bytes("what is this?"), ElementsAre(AllOf(HasSubstr("byte"), HasSubstr("ONNX model"))));
}

// Truncated anywhere: refused, unless what is left is a model of its own.
TEST(OnnxRefused, TruncatedFiles) {
  const std::string whole = file_text(own_model("small_network.onnx"));
  int opened = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) opened += read_bytes(whole.substr(0, size)).network ? 1 : 0;
  EXPECT_EQ(opened, 1) << "without the operator set, its last field";
  EXPECT_THAT(errors_of_bytes(whole.substr(0, 400)),
              ElementsAre(AllOf(HasSubstr("graph, byte 2:"), HasSubstr("the file ends here"), HasSubstr("truncated"))));
}

TEST(OnnxRefused, DamagedEncoding) {
  EXPECT_THAT(errors_of_bytes(std::string("\x08\x08\x3a\x04\x0a\x08\x00\x00\x42\x06domain", 16)),
              ElementsAre(AllOf(HasSubstr("graph.node, byte 4"), HasSubstr("more than the message around it"))));
  EXPECT_THAT(errors_of_bytes(std::string("\x08\x08\x3f\x00", 4)), ElementsAre(HasSubstr("byte 2: damaged")));
  EXPECT_THAT(errors_of_bytes(std::string("\x08\x08\x3b\x00", 4)), ElementsAre(HasSubstr("byte 2: damaged")));
  EXPECT_THAT(errors_of_bytes("\x08" + std::string(11, '\xff')), ElementsAre(HasSubstr("damaged")));
}

// Five million empty nodes are ten megabytes of a file and two gigabytes of messages.
TEST(OnnxRefused, MoreFieldsThanMemory) {
  std::string graph;
  for (int i = 0; i < 5'000'000; ++i) graph += std::string("\x0a\x00", 2);
  EXPECT_THAT(errors_of_bytes(std::string("\x08\x08\x3a\x80\xad\xe2\x04", 7) + graph),
              ElementsAre(AllOf(HasSubstr("graph.node"), HasSubstr("more fields than fit into memory"))));
}

TEST(OnnxRefused, ValuesThatAreNotThoseOfTheShape) {
  EXPECT_THAT(errors_with_initializer("data_type: 1 dims: 2 raw_data: '\\000\\000\\200'"),
              ElementsAre(AllOf(HasSubstr("initializer 'w': 3 bytes"), HasSubstr("expected 8 bytes"))));
  EXPECT_THAT(errors_with_initializer("data_type: 1 dims: 2 dims: 2 float_data: [1, 2, 3]"),
              ElementsAre(AllOf(HasSubstr("12 bytes"), HasSubstr("16 bytes for its shape [2 x 2]"))));
  EXPECT_THAT(errors_with_initializer("data_type: 7 dims: 1 int64_data: [1, 2]"), ElementsAre(HasSubstr("16 bytes")));
  EXPECT_THAT(errors_with_initializer("data_type: 22 dims: 5 int32_data: [1, 2]"), ElementsAre(HasSubstr("2 bytes")));
  EXPECT_THAT(errors_with_initializer("dims: 1"), ElementsAre(HasSubstr("without an element type")));
}

TEST(OnnxRefused, ImpossibleShapes) {
  EXPECT_THAT(errors_with_initializer("data_type: 1 dims: 3 dims: -5"),
              ElementsAre(HasSubstr("initializer 'w': a negative dimension: [3 x -5]")));
  EXPECT_THAT(errors_with_initializer("data_type: 1 dims: 1000000 dims: 1000000"),
              ElementsAre(HasSubstr("initializer 'w': too many elements: [1000000 x 1000000]")));
  EXPECT_THAT(errors_with_initializer("data_type: 1 dims: 4294967296 dims: 4294967296 dims: 0"),
              ElementsAre(HasSubstr("too many elements")));
  EXPECT_THAT(errors_with_initializer("data_type: 1 dims: 9223372036854775807 dims: 9223372036854775807"),
              ElementsAre(HasSubstr("too many elements")));
  std::string many = "data_type: 1";
  for (int i = 0; i < 65; ++i) many += " dims: 1";
  EXPECT_THAT(errors_with_initializer(many), ElementsAre(HasSubstr("65 dimensions")));
}

TEST(OnnxRefused, AMillionMillionElementsWhereverTheyAreClaimed) {
  const std::string shape = "data_type: 7 dims: 2 int64_data: [1000000, 1000000]";
  const std::string tensor = "data_type: 1 dims: 1000000 dims: 1000000";
  const auto too_many = ElementsAre(HasSubstr("too many elements: [1000000 x 1000000]"));
  EXPECT_THAT(
      errors_of(model_text("node { op_type: 'Constant' output: 'y' attribute { name: 'value' type: TENSOR t { " +
                           tensor + " } } }")),
      too_many);
  EXPECT_THAT(errors_of(model_text("initializer { name: 's' " + shape +
                                   " }\nnode { op_type: 'ConstantOfShape' input: 's' output: 'y' }")),
              too_many);
  EXPECT_THAT(errors_with_initializer(tensor + " data_location: EXTERNAL external_data { key: 'location' value: 'f' }"),
              too_many);
  EXPECT_THAT(errors_of(model_text(std::string(relu) + "sparse_initializer { values { name: 's' data_type: 1 } dims: "
                                                       "1000000 dims: 1000000 }")),
              too_many);
  EXPECT_THAT(errors_of(model_text(std::string(relu) +
                                   "value_info { name: 'y' type { tensor_type { elem_type: 1 shape { dim { dim_value: "
                                   "1000000 } dim { dim_value: 1000000 } } } } }")),
              too_many);
}

TEST(OnnxRefused, NamesWithTwoDefinitions) {
  EXPECT_THAT(errors_of(model_text("node { name: 'a' op_type: 'Relu' input: 'x' output: 'y' }\n"
                                   "node { name: 'b' op_type: 'Relu' input: 'x' output: 'y' }\n")),
              ElementsAre(HasSubstr("tensor 'y': it is both an output of node 'a' and an output of node 'b'")));
  EXPECT_THAT(errors_of(model_text("node { op_type: 'Relu' input: 'y' output: 'x' }\n")),
              testing::Contains(HasSubstr("both an input of the graph and an output of node 'Relu_1'")));
  const std::string twice = "initializer { name: 'w' data_type: 1 dims: 1 float_data: 1 }\n";
  EXPECT_THAT(errors_of(model_text(relu + twice + twice)),
              ElementsAre(HasSubstr("both an initializer and an initializer")));
  EXPECT_THAT(errors_of(model_text(std::string(relu) + "input { name: 'x' }\n")),
              ElementsAre(HasSubstr("both an input of the graph and an input of the graph")));
}

TEST(OnnxRefused, NamesWithoutDefinition) {
  EXPECT_THAT(errors_of(model_text("node { name: 'n' op_type: 'Relu' input: 'nowhere' output: 'y' }\n")),
              ElementsAre(HasSubstr("node 'n': its input 'nowhere' is not produced by any node")));
  EXPECT_THAT(errors_of(model_text("node { op_type: 'Relu' input: 'x' output: 'z' }\n")),
              ElementsAre(HasSubstr("output 'y': no node produces it")));
  EXPECT_THAT(errors_of(model_text("node { name: 'n' input: 'x' output: 'y' }\n")),
              ElementsAre(HasSubstr("node 'n': a node without an operator")));
  EXPECT_THAT(errors_of(model_text("node { name: 'n' op_type: 'Constant' output: 'y' }\n")),
              ElementsAre(HasSubstr("node 'n': a Constant without a value")));
}

TEST(OnnxRefused, CirclesNameTheirNodes) {
  EXPECT_THAT(errors_of(model_text("node { name: 'a' op_type: 'Add' input: 'x' input: 'q' output: 'p' }\n"
                                   "node { name: 'b' op_type: 'Relu' input: 'p' output: 'q' }\n"
                                   "node { name: 'c' op_type: 'Relu' input: 'q' output: 'y' }\n")),
              ElementsAre(AllOf(HasSubstr("2 nodes form a circle"), HasSubstr("'a'"), HasSubstr("'b'"))));
}

TEST(OnnxRefused, TextWithItsLine) {
  const Result result = read_bytes(model_text("node { op_type 'Relu' }\n"));
  ASSERT_FALSE(result.diagnostics.items().empty());
  EXPECT_EQ(result.diagnostics.items().front().where.line, 7);
  std::string nested = "ir_version: 8 graph {";
  for (int i = 0; i < 100'000; ++i) nested += " node { attribute { g {";
  EXPECT_FALSE(read_bytes(nested).network);
}

TEST(OnnxRefused, AsManyErrorsAsPeopleRead) {
  std::string nodes;
  for (int i = 0; i < 2000; ++i) nodes += "node { op_type: 'Relu' input: 'nowhere' output: 'y' }\n";
  EXPECT_EQ(errors_of(model_text(nodes)).size(), 100U);
}

// A model with one tensor of 8 bytes in external data.
std::string external_model(const std::string& location, const std::string& entries = {}) {
  return binary(model_text(std::string(relu) +
                           "initializer { name: 'w' data_type: 1 dims: 2 data_location: EXTERNAL "
                           "external_data { key: 'location' value: '" +
                           location + "' } " + entries + " }\n"));
}

TEST(OnnxRefused, ExternalDataOutsideTheFolder) {
  const Folder folder;
  const std::string outside = folder.write("outside", "12345678");
  std::filesystem::create_directory(folder.path() + "/inside");
  std::filesystem::create_symlink(outside, folder.path() + "/inside/link");
  std::filesystem::create_directory_symlink(folder.path(), folder.path() + "/inside/up");
  for (const std::string& location : {std::string("../outside"), outside, std::string("link"),
                                      std::string("up/outside"), std::string("a/../../outside"), std::string()}) {
    const Result result = read_file(folder.write("inside/m.onnx", external_model(location)));
    EXPECT_THAT(result.texts(Severity::error),
                ElementsAre(AllOf(HasSubstr("initializer 'w': its external data is in '"),
                                  HasSubstr("a file in the model's folder"))))
        << location;
  }
}

TEST(OnnxRefused, ExternalDataThatIsNotTheTensor) {
  const Folder folder;
  folder.write("data", "12345678");
  const auto errors = [&](const std::string& entries) {
    return read_file(folder.write("m.onnx", external_model("data", entries))).texts(Severity::error);
  };
  EXPECT_THAT(errors(""), IsEmpty());
  EXPECT_THAT(errors("external_data { key: 'offset' value: '4' }"),
              ElementsAre(AllOf(HasSubstr("byte 4 of 'data', which has 8 bytes"), HasSubstr("expected 8 bytes"))));
  EXPECT_THAT(errors("external_data { key: 'offset' value: '18446744073709551615' }"),
              ElementsAre(HasSubstr("which has 8 bytes")));
  EXPECT_THAT(errors("external_data { key: 'length' value: '7' }"), ElementsAre(HasSubstr("7 bytes of external data")));
  EXPECT_THAT(errors("external_data { key: 'offset' value: 'four' }"),
              ElementsAre(HasSubstr("external offset is 'four'")));
}

TEST(OnnxRefused, TensorFiles) {
  const Folder folder;
  const auto errors = [&](const std::string& bytes) {
    const std::string path = folder.write("t.pb", bytes);
    Result result;
    const auto file = MappedFile::open(path, result.diagnostics);
    EXPECT_FALSE(read_onnx_tensor(*file, path, result.diagnostics));
    return result.texts(Severity::error);
  };
  EXPECT_THAT(errors(std::string("\x08\x03\x10\x03\x4a\x02\x01\xff", 8)), ElementsAre(HasSubstr("2 bytes of values")));
  EXPECT_THAT(errors(std::string("\x08\x03\x10\x03\x4a\x03\x01\xff", 8)),
              ElementsAre(AllOf(HasSubstr("raw_data"), HasSubstr("the file ends here"))));
}

}  // namespace
}  // namespace convscope::readers::onnx_test
