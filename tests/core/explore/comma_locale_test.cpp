// Files mean the same whatever the user's locale. Qt sets that of the environment, where 0.25 may be written 0,25.

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/published_reader.h"
#include "core/analysis/report_reader.h"
#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/readers/caffe/caffe.h"
#include "core/readers/convnet_xml/convnet_xml.h"
#include "core/readers/darknet/darknet.h"
#include "core/readers/layer_list/layer_list.h"
#include "core/readers/torch7/torch7.h"
#include "core/session/session_file.h"
#include "tests/core/analysis/report_writing.h"
#include "tests/core/explore/spaces.h"

namespace convscope::explore {
namespace {

using testing::HasSubstr;
using Reading = std::function<std::string(Diagnostics&)>;

/// A locale with a decimal comma, made for the test: not every machine has German installed.
class CommaLocale : public testing::Test {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    ASSERT_TRUE(write_file_atomically(folder_.path("comma"),
                                      "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                                      "thousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n",
                                      diagnostics));
    const std::string command =
        fmt::format("localedef -c -i '{}' '{}' >/dev/null 2>&1", folder_.path("comma"), folder_.path("xx_XX"));
    if (std::system(command.c_str()) == -1) GTEST_SKIP() << "no shell";
    setenv("LOCPATH", std::filesystem::path(folder_.path("")).c_str(), 1);
    if (std::setlocale(LC_NUMERIC, "xx_XX") == nullptr) GTEST_SKIP() << "localedef made no locale";
    ASSERT_EQ(std::strtod("0,25", nullptr), 0.25) << "the locale has no decimal comma";
    std::setlocale(LC_NUMERIC, "C");
  }
  void TearDown() override {
    std::setlocale(LC_NUMERIC, "C");
    unsetenv("LOCPATH");
  }

  /// What is read holds `part`, in the locale with the comma as in the other.
  static void expect_same(const std::string& part, const Reading& reading) {
    Diagnostics plain, comma;
    const std::string expected = reading(plain);
    EXPECT_THAT(expected, HasSubstr(part)) << plain.text();
    ASSERT_NE(std::setlocale(LC_NUMERIC, "xx_XX"), nullptr);
    EXPECT_EQ(reading(comma), expected) << comma.text();
    EXPECT_EQ(comma.text(), plain.text());
    std::setlocale(LC_NUMERIC, "C");
  }

 private:
  test::Folder folder_;
};

/// Attributes that are real numbers, and dimensions.
std::string text_of(const std::optional<network::Network>& network) {
  std::string text;
  if (!network) return text;
  for (const network::Layer& layer : network->layers) text += fmt::format("{} macs\n", layer.macs());
  if (!network->graph) return text;
  for (const network::Node& node : network->graph->nodes)
    for (const auto& [name, value] : node.attributes.all())
      if (const double* real = std::get_if<double>(&value)) text += fmt::format("{} {}\n", name, *real);
  return text;
}

TEST_F(CommaLocale, Prototxt) {
  expect_same("alpha 0.25", [](Diagnostics& diagnostics) {
    return text_of(readers::read_caffe_text(
        "name: \"n\" input: \"data\" input_shape { dim: 1 dim: 3 dim: 4 dim: 5 }\n"
        "layer { name: \"r\" type: \"ReLU\" bottom: \"data\" top: \"r\" relu_param { negative_slope: 0.25 } }",
        "n.prototxt", {}, nullptr, diagnostics));
  });
}

TEST_F(CommaLocale, DarknetConfiguration) {
  expect_same("ratio 0.25", [](Diagnostics& diagnostics) {
    return text_of(readers::read_darknet_text("[net]\nheight=4\nwidth=5\nchannels=3\n[dropout]\nprobability=.25\n",
                                              "n.cfg", nullptr, diagnostics));
  });
}

TEST_F(CommaLocale, Torch7Text) {
  expect_same("alpha 0.25", [](Diagnostics& diagnostics) {
    return text_of(readers::read_torch7_bytes("4\n1\n3\nV 1\n12\nnn.LeakyReLU\n3\n2\n1\n2\n6\nnegval\n1\n0.25\n",
                                              nullptr, "n.t7", diagnostics));
  });
}

TEST_F(CommaLocale, LayerList) {
  expect_same("alpha 0.25", [](Diagnostics& diagnostics) {
    return text_of(readers::read_layer_list_text(
        "<layer_list name='n'><input name='in' maps='3' height='4' width='5'/><leaky_relu slope='0.25'/></layer_list>",
        "n.xml", diagnostics));
  });
}

TEST_F(CommaLocale, ConvNetDescriptor) {
  expect_same("macs", [](Diagnostics& diagnostics) {
    const std::string path = CONVSCOPE_SOURCE_DIR "/samples/networks/face_detection.xml";
    const auto text = read_file(path, diagnostics, std::size_t{1} << 20);
    return text ? text_of(readers::read_convnet_xml(*text, path, diagnostics)) : std::string();
  });
}

TEST_F(CommaLocale, PublishedTable) {
  expect_same("0.25", [](Diagnostics& diagnostics) {
    analysis::PublishedContent content;
    analysis::read_published(
        "<published><source id='s' title='t' citation='c'><figure metric='m'>0.25</figure></source></published>",
        "p.xml", content, diagnostics);
    return content.figures.empty() ? std::string() : fmt::format("{}", content.figures.front().value);
  });
}

TEST_F(CommaLocale, ReportAsWrittenAndRead) {
  expect_same("coverage 0.9", [](Diagnostics& diagnostics) {
    const std::string json = analysis::report_json(analysis::test::small_report(0.25));
    const auto run = analysis::read_report(json, "r.json", {}, diagnostics);
    if (!run) return std::string();
    return json + fmt::format("coverage {} in {} s", *run->coverage, run->total.seconds.value);
  });
}

TEST_F(CommaLocale, Preset) {
  expect_same("66.25", [](Diagnostics& diagnostics) {
    auto machine = std::make_shared<arch::MachineDescription>();
    machine->target = "toy";
    arch::ParameterDescription clock;
    clock.name = "clock";
    clock.kind = arch::ParameterKind::real;
    clock.maximum = 1000;
    clock.step = 0.25;
    machine->parameters = {clock};
    const auto preset =
        arch::read_preset("<preset target='toy' name='n'><parameter name='clock'>66.25</parameter></preset>", "p.xml",
                          machine, diagnostics);
    return preset ? arch::write_preset(*preset) : std::string();
  });
}

TEST_F(CommaLocale, Space) {
  expect_same("0.25 of weight 2.5: 3", [](Diagnostics& diagnostics) {
    const auto space = read_space(
        "<space name='s' minimum-coverage='0.25'><network file='1' weight='2.5'/><machines target='counting'>"
        "<parameter name='lanes'>8 16 32</parameter></machines><objective name='cycles'/></space>",
        "s.xml", test::MadeUpSources(), diagnostics);
    if (!space) return std::string();
    return fmt::format("{} of weight {}: {}", space->minimum_coverage, space->networks.front().weight, space->size());
  });
}

TEST_F(CommaLocale, Session) {
  expect_same("value=\"66.25\"", [](Diagnostics& diagnostics) {
    const auto session = session::read_session(
        "<session version='1'><network path='n.xml' height='1234' width='5'/><machine target='toy'>"
        "<parameter name='clock' value='66.25'/></machine></session>",
        "s.convscope", diagnostics);
    return session ? session::write_session(*session) : std::string();
  });
}

}  // namespace
}  // namespace convscope::explore
