// Schedules by hand without a window: begun, checked, completed, finished, refused.

#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using DraftJson = nlohmann::ordered_json;
using testing::HasSubstr;

class DraftCommand : public testing::Test {
 protected:
  std::string begun(const std::vector<std::string>& more = {}) {
    const std::string path = folder_.path(std::to_string(++count_) + ".draft.json");
    std::vector<std::string> arguments{"draft", "new", sample("filter_3x3"), "--layer", "L1", "--level", "modulo",
                                       "-o",    path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path;
  }
  /// A draft file with another interval, or without its last place, …
  std::string changed(const std::string& path, const std::function<void(DraftJson&)>& change) {
    DraftJson json = DraftJson::parse(file_content(path));
    change(json);
    return folder_.write(std::to_string(++count_) + ".draft.json", json.dump());
  }
  static DraftJson json_of(const CliResult& result) { return DraftJson::parse(result.out); }

  TemporaryFolder folder_;
  int count_ = 0;
};

TEST_F(DraftCommand, TheCompilersScheduleIsCorrectAndBecomesItsProgram) {
  const std::string draft = begun();
  const CliResult checked = run_cli({"draft", "check", draft, "--json"});
  ASSERT_EQ(checked.exit_code, 0) << checked.err;
  const DraftJson found = json_of(checked);
  EXPECT_EQ(found["schema"], "convscope-draft-check");
  EXPECT_EQ(found["made_for"]["layer"], "L1");
  EXPECT_EQ(found["interval"], 10);
  EXPECT_EQ(found["bound"], 10);
  EXPECT_EQ(found["complete"], true);
  EXPECT_TRUE(found["broken"].empty());
  EXPECT_EQ(found["program"]["verified"], true);
  EXPECT_EQ(found["program"]["matches"], true);
  EXPECT_EQ(found["program"]["figures"]["initiation_interval"], 10);
  bool figure26 = false;
  for (const DraftJson& each : found["published"])
    figure26 |= each["source"] == "thesis-figure26" && each["figure"] == "interval" && each["value"] == 10;
  EXPECT_TRUE(figure26);

  const std::string program = folder_.path("out.nve.json"), assembly = folder_.path("out.s");
  const CliResult finished = run_cli({"draft", "finish", draft, "-o", program, "-o", assembly});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("every output equals the reference"));
  EXPECT_THAT(finished.out, HasSubstr("published, thesis-figure26: 10 cycles"));
  EXPECT_EQ(run_cli({"simulate", program, assembly, "--strips", "1"}).exit_code, 0);
  ASSERT_EQ(run_cli({"compile", sample("filter_3x3"), "--level", "modulo", "-o", folder_.path("c")}).exit_code, 0);
  EXPECT_EQ(file_content(program), file_content(folder_.path("c/L1.0.nve.json")));
}

TEST_F(DraftCommand, FromNothingTheRestIsPlacedOrProvenImpossible) {
  const std::string empty = begun({"--empty"});
  const CliResult checked = run_cli({"draft", "check", empty, "--json"});
  EXPECT_EQ(checked.exit_code, 0) << "nothing is broken yet";
  EXPECT_EQ(json_of(checked)["placed"], 0);
  EXPECT_FALSE(json_of(checked).contains("program"));
  const CliResult unfinished = run_cli({"draft", "finish", empty, "-o", folder_.path("none.s")});
  EXPECT_EQ(unfinished.exit_code, 1);
  EXPECT_THAT(unfinished.err, HasSubstr("have no cycle yet"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("none.s")));

  const std::string placed = folder_.path("placed.draft.json");
  ASSERT_EQ(run_cli({"draft", "place", empty, "-o", placed}).exit_code, 0);
  EXPECT_EQ(json_of(run_cli({"draft", "check", placed, "--json"}))["program"]["matches"], true);
  const std::string nine = begun({"--empty", "--interval", "9"});
  const CliResult impossible = run_cli({"draft", "place", nine, "-o", folder_.path("nine.draft.json")});
  EXPECT_EQ(impossible.exit_code, 1);
  EXPECT_THAT(impossible.err, HasSubstr("9"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("nine.draft.json")));
}

TEST_F(DraftCommand, BrokenRulesStandAtTheirOperation) {
  const std::string nine = changed(begun(), [](DraftJson& json) { json["interval"] = 9; });
  const CliResult checked = run_cli({"draft", "check", nine, "--json"});
  EXPECT_EQ(checked.exit_code, 1);
  const DraftJson found = json_of(checked);
  ASSERT_FALSE(found["broken"].empty());
  EXPECT_FALSE(found.contains("program"));
  const auto first = found["broken"][0];
  EXPECT_THAT(checked.err, HasSubstr("operation " + std::to_string(first["operation"].get<int>()) + ": "));
  const CliResult better = run_cli({"draft", "better", nine, "-o", folder_.path("better.draft.json")});
  ASSERT_EQ(better.exit_code, 0) << better.err;
  EXPECT_EQ(run_cli({"draft", "check", folder_.path("better.draft.json")}).exit_code, 0);
}

TEST_F(DraftCommand, RefusesWhatIsNoDraftOfThisLoop) {
  const std::string draft = begun();
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& message) {
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 1) << message << result.out;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(result.out, "");
  };
  const auto with_origin = [&](const char* key, const DraftJson& value) {
    return changed(draft, [&](DraftJson& json) { json["made_for"][key] = value; });
  };
  refused({"draft", "check", folder_.path("missing")}, "missing");
  refused({"draft", "check", folder_.write("text", "hello")}, "text");
  refused({"draft", "check", with_origin("network", "../networks/filter_3x3.xml")}, "neither beside the draft");
  refused({"draft", "check", with_origin("network", "..")}, "neither beside the draft");
  refused({"draft", "check", with_origin("target", "no such")}, "no target 'no such'");
  refused({"draft", "check", with_origin("target", "snowflake")}, "level");
  refused({"draft", "check", with_origin("layer", "L9")}, "L9");
  refused({"draft", "check", with_origin("program", 7)}, "no program 7");
  refused({"draft", "check", draft, sample("speed_sign"), "--layer", "L2"}, "made for another");
  refused({"draft", "check", draft, sample("filter_3x3"), "--target", "nmp"}, "scheduled by hand");
  const CliResult over = run_cli({"draft", "finish", draft, "-o", draft});
  EXPECT_EQ(over.exit_code, 1);
  EXPECT_THAT(over.err, HasSubstr("read by the same command"));
  EXPECT_EQ(run_cli({"draft", "check", draft, "-o", folder_.path("x")}).exit_code, 2);
  EXPECT_EQ(run_cli({"draft", "new", sample("filter_3x3"), "--layer", "L1"}).exit_code, 2);
  EXPECT_EQ(run_cli({"draft", "burn", draft}).exit_code, 2);
}

TEST_F(DraftCommand, VerifyTellsTheLineOfWhatItRefusesInAssembly) {
  const std::string assembly = folder_.path("out.s");
  ASSERT_EQ(run_cli({"draft", "finish", begun(), "-o", assembly}).exit_code, 0);
  std::string text = file_content(assembly);
  const std::size_t repeat = text.find("repeat ");
  ASSERT_NE(repeat, std::string::npos);
  const std::size_t begin = text.find('\n', repeat) + 1, end = text.find('\n', begin);

  text.erase(begin, end + 1 - begin);
  const std::string broken = folder_.write("broken.s", text);
  const CliResult result = run_cli({"verify", broken});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, testing::ContainsRegex("broken\\.s:[0-9]+: error: instruction"));
}

}  // namespace
}  // namespace convscope::app
