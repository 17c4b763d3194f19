// Sessions that the window saved, on the command line: `report`, `compile`, `export` without a network and a machine.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

/// A session on a sample, with a machine of its own and a baseline.
std::string session_text(const std::string& network, const std::string& machine) {
  return R"(<session version="1" program="0.1.0">
  <network path=")" +
         network + R"(" />
  )" + machine +
         R"(
  <selection layer="1" />
  <baseline name="Eight lanes">
    <network path=")" +
         network + R"(" />
    <machine target="nve" preset="nve-thesis" level="none"><parameter name="lanes" value="8" /></machine>
  </baseline>
  <window theme="dark"><state name="compared" value="0" /></window>
</session>
)";
}

const std::string wide =
    R"(<machine target="nve" preset="nve-thesis" level="modulo"><parameter name="lanes" value="32" /></machine>)";

class SessionInput : public testing::Test {
 protected:
  std::string session(const std::string& machine = wide, const std::string& network = sample("face_detection")) const {
    return folder.write("my.convscope", session_text(network, machine));
  }
  TemporaryFolder folder;
};

TEST_F(SessionInput, ReportIsThatOfItsNetworkAndMachine) {
  const CliResult result = run_cli({"report", session(), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const CliResult same =
      run_cli({"report", sample("face_detection"), "--json", "--level", "modulo", "--set", "lanes=32"});
  EXPECT_EQ(result.out, same.out);
  EXPECT_EQ(Json::parse(result.out)["parameters"]["lanes"], 32);
}

TEST_F(SessionInput, LayersCanBeChosen) {
  const CliResult result = run_cli({"report", session(), "--json", "--layer", "L3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["layers"].size(), 1u);
  EXPECT_EQ(run_cli({"report", session(), "--layer", "L99"}).exit_code, 1);
}

TEST_F(SessionInput, CompileWritesItsPrograms) {
  const CliResult result = run_cli({"compile", session(), "-o", folder.path("programs")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path("programs/index.json")));
}

TEST_F(SessionInput, ExportHasItsBaselines) {
  const CliResult result = run_cli({"export", session(), "--view", "compare", "-o", folder.path("compare.csv")});
  if (result.err.find("CONVSCOPE_UI") != std::string::npos) GTEST_SKIP() << "built without the window";
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string csv = file_content(folder.path("compare.csv"));
  EXPECT_THAT(csv, HasSubstr("layer,baseline_layer,figure,baseline,compared"));
  EXPECT_THAT(csv, HasSubstr("L1,L1,cycles"));
}

TEST_F(SessionInput, NetworkIsFoundBesideIt) {
  std::filesystem::copy(sample("face_detection"), folder.path("mine.xml"));
  EXPECT_EQ(run_cli({"report", session(wide, "mine.xml")}).exit_code, 0);
  EXPECT_EQ(run_cli({"report", session(wide, "gone/mine.xml")}).exit_code, 0) << "of that name, beside the session";
}

TEST_F(SessionInput, WhatIsNotThereIsSaid) {
  const auto refused = [&](const std::string& file, const std::string& reason) {
    const CliResult result = run_cli({"report", file});
    EXPECT_EQ(result.exit_code, 1) << reason;
    EXPECT_THAT(result.err, HasSubstr(reason));
    EXPECT_TRUE(result.out.empty());
  };
  refused(folder.path("none.convscope"), "none.convscope");
  refused(folder.write("text.convscope", "no session at all"), "text.convscope");
  refused(folder.write("newer.convscope", R"(<session version="99" program="9.9"/>)"), "ConvScope 9.9");
  refused(folder.write("empty.convscope", R"(<session version="1"><machine target="nve"/></session>)"),
          "no network was open");
  refused(session(wide, "no such network.xml"), "there is no such file");
  refused(session(R"(<machine target="toaster"/>)"), "there is no such target");
}

TEST_F(SessionInput, WhatIsOnlyOddIsAWarning) {
  const CliResult result = run_cli(
      {"report",
       session(R"(<machine target="nve" preset="gone" level="gone"><parameter name="warp" value="9"/></machine>)"),
       "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("there is no such level"));
  EXPECT_THAT(result.err, HasSubstr("warp"));
  EXPECT_EQ(Json::parse(result.out)["level"], "fusion");
}

TEST_F(SessionInput, ItsMachineIsNotMixedWithAnother) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--target", "nve"},
                                               {"--preset", "nve-thesis"},
                                               {"--set", "lanes=8"},
                                               {"--level", "none"},
                                               {"--batch", "2"},
                                               {"--input-size", "32x32"}}) {
    std::vector<std::string> arguments{"report", session()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 1) << more.front();
    EXPECT_THAT(result.err, HasSubstr(more.front()));
    EXPECT_THAT(result.err, HasSubstr("a session has its own machine"));
  }
  const CliResult baseline =
      run_cli({"export", session(), "--view", "compare", "--baseline", "level=none", "-o", folder.path("compare.csv")});
  EXPECT_EQ(baseline.exit_code, 1);
  EXPECT_THAT(baseline.err, HasSubstr("its own baselines"));
}

}  // namespace
}  // namespace convscope::app
