// Darknet configurations that must be refused, each with the place and the reason.

#include <chrono>

#include "core/readers/darknet/darknet.h"
#include "tests/core/readers/graph_questions.h"

namespace convscope::readers {
namespace {

using testing::HasSubstr;

std::string darknet_refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_darknet_text(text, "bad.cfg", nullptr, diagnostics).has_value()) << text.substr(0, 200);
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

const std::string net = "[net]\nchannels=3\nheight=8\nwidth=8\n";

TEST(DarknetRefused, IsNotRecognizedByOtherSections) {
  EXPECT_FALSE(is_darknet(""));
  EXPECT_FALSE(is_darknet("# only a comment"));
  EXPECT_FALSE(is_darknet("[convolutional]\n[net]\n"));
  EXPECT_FALSE(is_darknet("name: \"[net]\""));
  EXPECT_TRUE(is_darknet("\n # comment\n [net]\n"));
}

TEST(DarknetRefused, FilesWithoutANetwork) {
  EXPECT_THAT(darknet_refusal(""), HasSubstr("does not start with [net]"));
  EXPECT_THAT(darknet_refusal("[net]\nchannels=1\nheight=1\nwidth=1\n"), HasSubstr("no layers"));
  EXPECT_THAT(darknet_refusal("a=1\n[net]\n"), HasSubstr("bad.cfg:1: error: 'a=1' stands before the first section"));
  EXPECT_THAT(darknet_refusal("[net\nchannels=1\n[dropout]\n"),
              HasSubstr("bad.cfg:1: error: '[net' has no closing bracket"));
  EXPECT_THAT(darknet_refusal(net + "hello\n[dropout]\n"), HasSubstr("bad.cfg:5: error: 'hello' is no option"));
}

TEST(DarknetRefused, InputsWithoutASize) {
  EXPECT_THAT(darknet_refusal("[net]\nchannels=3\nheight=8\n[dropout]\n"), HasSubstr("option 'width' is missing"));
  EXPECT_THAT(darknet_refusal("[net]\nchannels=1048576\nheight=1048576\nwidth=1048576\n[dropout]\n"),
              HasSubstr("1048576 x 1048576 x 1048576"));
}

TEST(DarknetRefused, OptionsThatAreNoNumbersOrOutOfRange) {
  for (const char* filters : {"many", "", "0", "-4", "3.5", "99999999999999999999", "1e3", "16777217"}) {
    const std::string text = darknet_refusal(net + "[convolutional]\nfilters=" + filters + "\n");
    EXPECT_THAT(text, HasSubstr("bad.cfg:6: error: layer '0 convolutional': option 'filters' is"));
    EXPECT_THAT(text, HasSubstr("an integer from 1 to 16777216"));
  }
  EXPECT_THAT(darknet_refusal(net + "[dropout]\nprobability=half\n"), HasSubstr("expected a number"));
}

TEST(DarknetRefused, ReferencesThatLeadNowhere) {
  EXPECT_THAT(darknet_refusal(net + "[route]\nlayers=-1\n"),
              HasSubstr("refers to layer -1; expected an earlier layer"));
  EXPECT_THAT(darknet_refusal(net + "[dropout]\n[route]\nlayers=7\n"),
              HasSubstr("refers to layer 7; expected an earlier layer: 0 to 0"));
  EXPECT_THAT(darknet_refusal(net + "[dropout]\n[shortcut]\nfrom=1\n"), HasSubstr("refers to layer 1"));
  EXPECT_THAT(darknet_refusal(net + "[route]\n"), HasSubstr("option 'layers' is missing"));
  EXPECT_THAT(darknet_refusal(net + "[dropout]\n[shortcut]\n"), HasSubstr("option 'from' is missing"));
}

TEST(DarknetRefused, MapsThatDoNotFit) {
  EXPECT_THAT(darknet_refusal(net + "[convolutional]\nfilters=4\ngroups=2\n"),
              HasSubstr("2 groups divide 3 input maps"));
  EXPECT_THAT(darknet_refusal(net + "[convolutional]\nfilters=4\nsize=9\n"),
              HasSubstr("does not fit into 8 x 8 pixels"));
  EXPECT_THAT(darknet_refusal(net + "[maxpool]\nsize=9\npadding=0\n"), HasSubstr("does not fit into 8 x 8 pixels"));
  EXPECT_THAT(darknet_refusal(
                  net + "[maxpool]\nsize=2\nstride=2\n[route]\nlayers=-1,-1\n[dropout]\n[maxpool]\nsize=2\nstride=2\n"
                        "[route]\nlayers=0,3\n"),
              HasSubstr("joins maps of 4 x 4 and 2 x 2 pixels"));
  EXPECT_THAT(darknet_refusal(net + "[reorg]\nstride=3\n"), HasSubstr("a stride of 3 does not divide"));
  EXPECT_THAT(darknet_refusal(net + "[crop]\ncrop_height=9\ncrop_width=4\n"), HasSubstr("an integer from 1 to 8"));
}

TEST(DarknetRefused, CollectsAllMistakes) {
  const std::string text = darknet_refusal(net + "[convolutional]\nfilters=x\n[dropout]\nprobability=y\n");
  EXPECT_THAT(text, HasSubstr("bad.cfg:6"));
  EXPECT_THAT(text, HasSubstr("bad.cfg:8"));
}

TEST(DarknetRefused, HugeClaimsAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  // 2^24 filters of 3 x 65535 x 65535 values.
  EXPECT_THAT(darknet_refusal(net + "[convolutional]\nfilters=16777216\nsize=65535\npad=1\n"),
              HasSubstr("tensor '0 convolutional/weights': its size is 16777216 x 3 x 65535 x 65535"));
  std::string enlarging = net;
  for (int i = 0; i < 64; ++i) enlarging += "[upsample]\nstride=65536\n";
  EXPECT_THAT(darknet_refusal(enlarging), HasSubstr("at most 17179869184 elements"));
  std::string joining = net + "[dropout]\n";
  for (int i = 0; i < 64; ++i) joining += "[route]\nlayers=-1,-1,-1,-1\n";
  EXPECT_THAT(darknet_refusal(joining), HasSubstr("at most 17179869184 elements"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(DarknetRefused, TooMuchText) {
  EXPECT_THAT(darknet_refusal(std::string((4 << 20) + 1, '#')), HasSubstr("at most 4194304"));
  std::string sections;
  for (int i = 0; i < 20'001; ++i) sections += "[net]\n";
  EXPECT_THAT(darknet_refusal(sections), HasSubstr("too many sections"));
}

TEST(DarknetRefused, ManyMistakesAreCapped) {
  std::string text = net;
  for (int i = 0; i < 5000; ++i) text += "[route]\nlayers=99999\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(read_darknet_text(text, "bad.cfg", nullptr, diagnostics).has_value());
  EXPECT_LE(diagnostics.items().size(), 300u);
}

}  // namespace
}  // namespace convscope::readers
