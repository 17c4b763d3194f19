// `winograd`: exact matrices, equations, programs and errors, and what is refused.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Json json_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "winograd");
  arguments.push_back("--json");
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out);
}

TEST(WinogradCommand, PrintsMatrices) {
  const Json json = json_of({"--m", "2", "--r", "3"});
  EXPECT_EQ(json["points"], "0, 1, -1, infinity");
  EXPECT_EQ(json["matrices"]["G"][1], (Json{"1/2", "1/2", "1/2"}));
  EXPECT_THAT(run_cli({"winograd", "--points", "0,1,-1,0.5,-2"}).out, HasSubstr("0, 1, -1, 1/2, -2, infinity"));
}

TEST(WinogradCommand, PrintsEquationsProgramsAndOperations) {
  const Json equations = json_of({"--m", "2", "--show", "equations", "--way", "thesis", "--transform", "kernel"});
  EXPECT_EQ(equations["equations"]["kernel"]["additions"], 25);
  EXPECT_FALSE(equations["equations"].contains("input"));
  const Json program = json_of({"--points", "accurate", "--show", "program"});
  EXPECT_EQ(program["program"]["input"]["operations_2d"], 144);
  EXPECT_EQ(program["program"]["output"]["operations_2d"], 120);
  const Json operations = json_of({"--m", "2", "--show", "operations"});
  EXPECT_EQ(operations["operations"]["input"]["plain"]["additions"], 48);
}

TEST(WinogradCommand, MeasuresErrors) {
  const auto error = [](const char* points) {
    return json_of({"--points", points, "--show", "error", "--channels", "32"})["error"]["winograd"]["max"]
        .get<double>();
  };
  EXPECT_LT(error("accurate"), error("usual"));
}

TEST(WinogradCommand, RefusesWhatIsNoTransform) {
  for (const auto& [arguments, what] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"winograd", "--points", "0,1,1,2,-2"}, "1 stands twice"},
           {{"winograd", "--points", "0,1"}, "expected 5 for F(4,3)"},
           {{"winograd", "--m", "1", "--r", "1"}, "not both 1"},
           {{"winograd", "--m", "8", "--show", "equations", "--way", "pairs"}, "nested"},
           {{"winograd", "--m", "8", "--show", "search"}, "symmetric pairs"}}) {
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 1) << what;
    EXPECT_THAT(result.err, HasSubstr(what));
    EXPECT_EQ(result.out, "") << what;
  }
}

}  // namespace
}  // namespace convscope::app
