// Names of megabytes, as a hostile file may have them: text for people stays readable, JSON holds what the file says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

constexpr std::size_t megabytes = 5'000'000;
constexpr std::size_t readable = 20'000;  // bytes

/// Two convolutions whose names begin alike, in a network of such a name.
std::string network_of_long_names() {
  const std::string name(megabytes, 'n');
  const std::string input = R"(type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 16 }
    dim { dim_value: 8 } dim { dim_value: 8 } } } })";
  const auto convolution = [&](const std::string& from, const std::string& to) {
    return "  node { input: \"" + from + "\" input: \"w\" output: \"" + to + "\" name: \"" + name + to +
           "\" op_type: \"Conv\" }\n";
  };
  return "ir_version: 8\ngraph {\n  name: \"" + name + "\"\n" + convolution("x", "y") + convolution("y", "z") +
         "  initializer { name: \"w\" data_type: 1 dims: 16 dims: 16 dims: 1 dims: 1 }\n  input { name: \"x\" " +
         input + " }\n  output { name: \"z\" type { tensor_type { elem_type: 1 } } }\n}\n" +
         "opset_import { domain: \"\" version: 13 }\n";
}

class LongNames : public testing::Test {
 protected:
  const TemporaryFolder folder;
  const std::string file = folder.write("long.onnxtxt", network_of_long_names());
};

TEST_F(LongNames, TablesAndMessagesStayReadable) {
  const std::vector<std::vector<std::string>> commands{
      {"report", file, "--target", "nmp"},
      {"report", file, "--target", "nve"},
      {"report", file, "--target", "nmp", "--layer", "no such layer"},
      {"sensitivity", file, "--target", "nmp"},
  };
  for (const std::vector<std::string>& command : commands) {
    const CliResult result = run_cli(command);
    EXPECT_LT(result.out.size(), readable) << command.front();
    EXPECT_LT(result.err.size(), 3 * readable) << command.front();
    EXPECT_FALSE(result.out.empty() && result.err.empty()) << command.front();
  }
  EXPECT_THAT(run_cli(commands.front()).out, testing::HasSubstr("nn…nn"));
}

TEST_F(LongNames, JsonHoldsThem) {
  const CliResult result = run_cli({"report", file, "--target", "nmp", "--json"});
  ASSERT_EQ(result.exit_code, 0);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["layers"][0]["name"].get<std::string>().size(), megabytes + 1);
}

TEST_F(LongNames, ProgramsAreWrittenAllTheSame) {
  const CliResult result = run_cli({"compile", file, "--target", "nmp", "-o", folder.path("programs")});
  EXPECT_EQ(result.exit_code, 0) << result.err.substr(0, readable);
  const auto index = nlohmann::json::parse(file_content(folder.path("programs/index.json")));
  EXPECT_NE(index["layers"][0]["programs"][1]["program"], index["layers"][1]["programs"][1]["program"]);
}

}  // namespace
}  // namespace convscope::app
