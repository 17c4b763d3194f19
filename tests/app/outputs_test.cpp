// What commands write, and where: full disks, files that they read, names that are no text.

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// With stdout on a full disk.
CliResult run_into_full(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string command =
      std::string("'") + CONVSCOPE_CLI + "' " + arguments + " > /dev/full 2> '" + folder.path("err") + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", file_content(folder.path("err"))};
}

TEST(Outputs, AFullStandardOutputIsNoInternalError) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const std::string& arguments :
       {"report '" + sample("filter_3x3") + "'", std::string("--version"), std::string("parameters --help"),
        std::string("formats --json"), std::string("figure --list")}) {
    const CliResult result = run_into_full(arguments);
    EXPECT_EQ(result.exit_code, 5) << arguments;
    EXPECT_EQ(result.err, "error: standard output can't be written: No space left on device\n") << arguments;
  }
}

TEST(Outputs, WhatIsReadIsNotOverwritten) {
  const TemporaryFolder folder;
  const std::string network = file_content(sample("filter_3x3"));
  const std::string file = folder.write("network.csv", network), link = folder.path("link.csv");
  fs::create_symlink(file, link);
  for (const std::string& output : {file, link, folder.path("./network.csv")}) {
    const CliResult result = run_cli({"export", file, "--view", "schedule", "-o", output});
    EXPECT_EQ(result.exit_code, 1) << output;
    EXPECT_THAT(result.err, HasSubstr("would be overwritten"));
  }
  const std::string preset = folder.write("p.xml", "<preset target=\"nve\" name=\"p\" title=\"p\"/>");
  fs::rename(preset, folder.path("preset.csv"));
  for (const std::string& option : {std::string("--preset"), std::string("--baseline")}) {
    const std::string value = (option == "--preset" ? "" : "level=modulo,preset=") + folder.path("preset.csv");
    run_cli({"export", sample("filter_3x3"), option, value, "--view", "schedule", "-o", folder.path("preset.csv")});
    EXPECT_THAT(file_content(folder.path("preset.csv")), HasSubstr("<preset")) << option;
  }
  const std::string index = folder.write("index.json", network);
  EXPECT_EQ(run_cli({"compile", index, "-o", folder.path()}).exit_code, 1);
  EXPECT_EQ(file_content(index), network);
  EXPECT_EQ(file_content(file), network);
  const std::string space = folder.write("space.xml", "<space/>");
  for (const char* resume : {"", "--resume"}) {
    std::vector<std::string> arguments{"sweep", space, "-o", space};
    if (*resume != '\0') arguments.emplace_back(resume);
    EXPECT_EQ(run_cli(arguments).exit_code, 1);
  }
  EXPECT_EQ(run_cli({"merge", space, "-o", space}).exit_code, 1);
  EXPECT_EQ(file_content(space), "<space/>");
}

TEST(Outputs, NamesThatAreNoTextAreShownAsText) {
  const TemporaryFolder folder;
  const std::string odd = "\xff\xfe\x1b[31m";
  const std::vector<std::vector<std::string>> commands{
      {"report", folder.path(odd + ".xml")},
      {odd},
      {"report", sample("filter_3x3"), "--set", odd + "=1"},
      {"report", sample("filter_3x3"), "--layer", odd},
      {"report", folder.write("n.xml", "<layer_list><" + odd + "/></layer_list>")},
      {"simulate", "--progress", folder.path(odd)}};
  for (const auto& command : commands) {
    const CliResult result = run_cli(command);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_NE(result.err, "");
    for (const char* byte : {"\xff", "\xfe", "\x1b"}) EXPECT_EQ(result.err.find(byte), std::string::npos) << result.err;
  }
  const std::string preset = folder.write(odd + ".xml", "<preset target=\"nve\" name=\"p\" title=\"p\"/>");
  const CliResult parameters = run_cli({"parameters", "--preset", preset, "--json"});
  EXPECT_EQ(parameters.exit_code, 0) << parameters.err;
  EXPECT_FALSE(nlohmann::json::parse(parameters.out, nullptr, false).is_discarded());
}

TEST(Outputs, ANetworkWithoutANameIsNobodys) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "mine.prototxt",
      "name: \"\"\ninput: \"data\"\ninput_shape { dim: 1 dim: 1 dim: 24 dim: 24 }\nlayer { name: \"L1\" type: "
      "\"Convolution\" bottom: \"data\" top: \"c\" convolution_param { num_output: 4 kernel_size: 6 } }\n");
  const CliResult result = run_cli({"report", file, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["network"], "mine");
  EXPECT_EQ(result.out.find("thesis-"), std::string::npos);
  EXPECT_EQ(result.out.find("cpu-section"), std::string::npos);
}

TEST(Outputs, MissingDataSayWhereTheyAreLookedFor) {
  const TemporaryFolder data;
  fs::create_directories(data.path("resources"));
  setenv("CONVSCOPE_DATA", data.path().c_str(), 1);
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"report", sample("filter_3x3")},
                                             {"parameters"},
                                             {"networks"},
                                             {"figure", "nve-table1"},
                                             {"report", data.path("samples/networks/lenet.xml")}}) {
    const CliResult result = run_cli(command);
    EXPECT_EQ(result.exit_code, 1) << command[0];
    EXPECT_THAT(result.err, AllOf(HasSubstr("looked for in " + data.path()), HasSubstr("CONVSCOPE_DATA")))
        << command[0];
  }
  fs::remove(data.path("resources"));
  EXPECT_THAT(run_cli({"formats"}).err, AllOf(HasSubstr(data.path()), HasSubstr("CONVSCOPE_DATA")));
  unsetenv("CONVSCOPE_DATA");
}

}  // namespace
}  // namespace convscope::app
