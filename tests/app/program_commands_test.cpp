#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class ProgramCommands : public testing::Test {
 protected:
  void SetUp() override {
    const CliResult result =
        run_cli({"compile", sample("face_detection"), "--layer", "L1", "--layer", "L4", "-o", folder_.path("out")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, folder_.path("out/index.json") + "\n");
    index_ = Json::parse(file_content(folder_.path("out/index.json")));
  }

  std::string program_path(const char* key) const {
    return folder_.path("out/" + index_["layers"][0]["programs"][0][key].get<std::string>());
  }

  TemporaryFolder folder_;
  Json index_;
};

TEST_F(ProgramCommands, CompileWritesProgramAssemblyAndMemoryMapOfEachProgram) {
  EXPECT_EQ(index_["complete"], true);
  ASSERT_EQ(index_["layers"].size(), 2u);
  for (const Json& layer : index_["layers"]) {
    ASSERT_FALSE(layer["programs"].empty());
    for (const Json& program : layer["programs"])
      for (const char* key : {"program", "assembly", "memory"})
        EXPECT_GT(std::filesystem::file_size(folder_.path("out/" + program[key].get<std::string>())), 0u) << key;
  }
  EXPECT_THAT(program_path("program"), testing::EndsWith("L1.0.nve.json"));
}

TEST_F(ProgramCommands, VerifyAndSimulateTakeProgramFileAndAssembly) {
  for (const char* key : {"program", "assembly"}) {
    const CliResult verified = run_cli({"verify", program_path(key)});
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    const CliResult simulated = run_cli({"simulate", program_path(key), "--strips", "1", "--json"});
    ASSERT_EQ(simulated.exit_code, 0) << simulated.err;
    const Json run = Json::parse(simulated.out)["programs"][0];
    EXPECT_EQ(run["matches"], true);
    EXPECT_EQ(run["strips"], 1);
    EXPECT_GT(run["cycles"], 0);
  }
}

TEST_F(ProgramCommands, ADamagedProgramIsRefusedAndTheOthersStillChecked) {
  Json program = Json::parse(file_content(program_path("program")));
  ASSERT_TRUE(program.contains("words"));
  program["words"].erase(program["words"].begin());
  const std::string damaged = folder_.write("damaged.json", program.dump());
  const CliResult result = run_cli({"verify", damaged, program_path("program")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("damaged.json"));
  EXPECT_THAT(result.out, HasSubstr("damaged.json: refused"));
  EXPECT_THAT(result.out, HasSubstr("L1.0.nve.json: correct"));
}

TEST_F(ProgramCommands, CompilingTwiceWritesTheSameBytes) {
  const std::string before = file_content(program_path("program"));
  ASSERT_EQ(
      run_cli({"compile", sample("face_detection"), "--layer", "L1", "-o", folder_.path("again"), "--threads", "1"})
          .exit_code,
      0);
  EXPECT_EQ(before, file_content(folder_.path("again/L1.0.nve.json")));
}

}  // namespace
}  // namespace convscope::app
