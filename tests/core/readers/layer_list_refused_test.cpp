// Layer lists that must be refused, each with the place and the reason.

#include "core/readers/layer_list/layer_list.h"
#include "tests/core/readers/graph_questions.h"

namespace convscope::readers {
namespace {

using testing::HasSubstr;

std::string layer_list_refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_layer_list_text(text, "bad.xml", diagnostics).has_value()) << text.substr(0, 200);
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

std::string after_input(const std::string& layers) {
  return layer_list_refusal("<layer_list>\n<input name=\"x\" maps=\"3\" height=\"8\" width=\"8\"/>\n" + layers +
                            "\n</layer_list>");
}

TEST(LayerListRefused, IsNotRecognizedByOtherRoots) {
  EXPECT_FALSE(is_layer_list(""));
  EXPECT_FALSE(is_layer_list("layer_list"));
  EXPECT_FALSE(is_layer_list("<layer_lists/>"));
  EXPECT_FALSE(is_layer_list("<!-- <layer_list> --><other/>"));
  EXPECT_FALSE(is_layer_list("text <layer_list/>"));
  EXPECT_TRUE(is_layer_list("<?xml version=\"1.0\"?>\n<!-- a -- > b -->\n<layer_list"));
}

TEST(LayerListRefused, MalformedFiles) {
  EXPECT_THAT(layer_list_refusal(""), HasSubstr("error"));
  EXPECT_THAT(layer_list_refusal("<layer_list>\n<input maps=\"3\">"), HasSubstr("bad.xml:"));
  EXPECT_THAT(layer_list_refusal("<other/>"), HasSubstr("the root element is 'other'; expected layer_list"));
  EXPECT_THAT(layer_list_refusal("<layer_list/>"), HasSubstr("the list has no layers"));
  EXPECT_THAT(layer_list_refusal("<layer_list version=\"2\"/>"), HasSubstr("unknown attribute 'version'"));
  EXPECT_THAT(after_input("hello"), HasSubstr("text stands between the layers"));
  EXPECT_THAT(after_input("<relu><relu/></relu>"),
              HasSubstr("bad.xml:3: error: <relu>: a layer holds nothing but attributes"));
  EXPECT_THAT(layer_list_refusal(std::string((1 << 20) + 1, ' ')), HasSubstr("at most 1048576"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_THAT(layer_list_refusal(deep), HasSubstr("error"));
}

TEST(LayerListRefused, UnknownNames) {
  EXPECT_THAT(after_input("<convolution maps=\"3\" kernel=\"1\"/>"),
              HasSubstr("there is no layer <convolution>; expected input, add"));
  EXPECT_THAT(after_input("<relu size=\"3\"/>"), HasSubstr("unknown attribute 'size'"));
  EXPECT_THAT(after_input("<relu from=\"y\"/>"), HasSubstr("no layer before has the name 'y'"));
  EXPECT_THAT(after_input("<relu name=\"x\"/>"), HasSubstr("an earlier layer has the same name"));
  EXPECT_THAT(after_input("<relu name=\"a b\"/>"), HasSubstr("its name has blanks"));
  EXPECT_THAT(after_input("<conv maps=\"3\" kernel=\"1\" activation=\"gelu\"/>"),
              HasSubstr("activation 'gelu' is not known"));
  EXPECT_THAT(layer_list_refusal("<layer_list><relu/></layer_list>"), HasSubstr("there is no layer before"));
}

/// Whatever cannot be said of a layer because of another one, or because it was not read to its end, is not said.
TEST(LayerListRefused, AMistakeIsToldOnceAndWhereItIs) {
  const auto only = [](const std::string& layers) {
    const std::string text = after_input(layers);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    return text;
  };
  EXPECT_THAT(only("<convolution maps=\"3\" kernel=\"1\"/>\n<conv maps=\"4\" kernel=\"3\" pad=\"1\"/>\n"
                   "<fc maps=\"10\" activation=\"relu\"/>"),
              HasSubstr("bad.xml:3: error: layer 'convolution1': there is no layer <convolution>"));
  EXPECT_THAT(only("<conv maps=\"4\" kernel=\"9\" bias=\"no\" activation=\"relu\"/>\n<max_pool kernel=\"2\"/>"),
              HasSubstr("bad.xml:3: error: layer 'conv1': its kernel does not fit"));
  EXPECT_THAT(only("<add activation=\"relu\"/>\n<relu from=\"add1\"/>\n<lrn from=\"x\" size=\"5\"/>"),
              HasSubstr("layer 'add1': it has one input"));
}

TEST(LayerListRefused, WrongNumbers) {
  for (const char* maps : {"", "0", "-1", "3.0", "many", "16777217", "99999999999999999999"})
    EXPECT_THAT(after_input(std::string("<conv name=\"c\" kernel=\"1\" maps=\"") + maps + "\"/>"),
                HasSubstr("bad.xml:3: error: layer 'c': attribute 'maps' is"));
  EXPECT_THAT(after_input("<conv maps=\"4\"/>"), HasSubstr("attribute 'kernel' is missing"));
  EXPECT_THAT(after_input("<conv kernel=\"1\"/>"), HasSubstr("attribute 'maps' is missing"));
  EXPECT_THAT(after_input("<conv maps=\"4\" kernel=\"3x\"/>"), HasSubstr("attribute 'kernel' is ''"));
  EXPECT_THAT(after_input("<conv maps=\"4\" kernel=\"3\" pad=\"1 1 1 -1\"/>"), HasSubstr("attribute 'pad' has '-1'"));
  EXPECT_THAT(after_input("<conv maps=\"4\" kernel=\"3\" bias=\"true\"/>"), HasSubstr("expected yes or no"));
  EXPECT_THAT(after_input("<dropout ratio=\"half\"/>"), HasSubstr("expected a number"));
}

TEST(LayerListRefused, ShapesThatDoNotFit) {
  EXPECT_THAT(after_input("<conv maps=\"4\" kernel=\"9\"/>"), HasSubstr("its kernel does not fit into 8 x 8 pixels"));
  EXPECT_THAT(after_input("<conv maps=\"4\" kernel=\"1\" groups=\"2\"/>"), HasSubstr("2 groups divide 3 input maps"));
  EXPECT_THAT(after_input("<max_pool name=\"p\" kernel=\"2\" stride=\"2\"/>\n<add from=\"x p\"/>"),
              HasSubstr("bad.xml:4: error: layer 'add1': its inputs are 3 x 8 x 8 and 3 x 4 x 4"));
  EXPECT_THAT(after_input("<max_pool name=\"p\" kernel=\"2\" stride=\"2\"/>\n<concat from=\"x p\"/>"),
              HasSubstr("it joins 3 x 8 x 8 and 3 x 4 x 4"));
  EXPECT_THAT(after_input("<fc maps=\"3\"/><conv maps=\"1\" kernel=\"1\"/>"), HasSubstr("its input is a vector"));
  EXPECT_THAT(after_input("<relu from=\"x x\"/>"), HasSubstr("it has 2 inputs; expected one"));
  EXPECT_THAT(after_input("<add/>"), HasSubstr("it has one input; expected at least two"));
  EXPECT_THAT(after_input("<multiply from=\"x x x\"/>"), HasSubstr("it has 3 inputs; expected two"));
  EXPECT_THAT(after_input("<slice first=\"2\" maps=\"2\"/>"), HasSubstr("an integer from 1 to 1"));
}

TEST(LayerListRefused, HugeClaims) {
  EXPECT_THAT(after_input("<fc name=\"f\" maps=\"1000000000\"/>"),
              HasSubstr("tensor 'f/weights': its size is 1000000000 x 192"));
  std::string enlarging;
  for (int i = 0; i < 40; ++i) enlarging += "<upsample factor=\"1024\"/>";
  EXPECT_THAT(after_input(enlarging), HasSubstr("at most 17179869184 elements"));
}

}  // namespace
}  // namespace convscope::readers
