// Labs on the command line: what students check and hand in, what teachers grade.

#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;

const std::string labs = CONVSCOPE_SOURCE_DIR "/samples/labs/";

std::string solution(const std::string& lab, const std::string& name) {
  return labs + lab + "/solutions/" + name + ".xml";
}

TEST(LabCommand, ListsAndChecksTheLabsThatComeWithTheProgram) {
  const CliResult list = run_cli({"lab", "list"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_EQ(list.err, "");
  int count = 0;
  for (const auto& entry : fs::directory_iterator(labs)) {
    const std::string name = entry.path().filename().string();
    EXPECT_THAT(list.out, HasSubstr(name));
    ++count;
  }
  EXPECT_GE(count, 10);
  const CliResult checked = run_cli({"lab", "check", "ports"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(checked.out, "ports: correct: 3 tasks, 4 points\n");
}

TEST(LabCommand, ChecksASubmission) {
  EXPECT_EQ(run_cli({"lab", "check", "ports", solution("ports", "right")}).exit_code, 0);
  const CliResult wrong = run_cli({"lab", "check", "ports", solution("ports", "wrong-answer"), "--json"});
  EXPECT_EQ(wrong.exit_code, 5);
  const Json json = Json::parse(wrong.out);
  EXPECT_EQ(json["schema"], "convscope-lab-check");
  EXPECT_EQ(json["submissions"][0]["points"], 3);
  EXPECT_FALSE(json["submissions"][0]["tasks"][0]["passed"]);
}

TEST(LabCommand, MakesASubmissionThatPasses) {
  const TemporaryFolder folder;
  const std::string file = folder.path("mine.xml");
  EXPECT_EQ(run_cli({"lab", "submit", "ports", "-o", file, "--by", "Ada", "--set", "memory=two-banks", "--set",
                     "weight_registers=4", "--answer", "binds=MEMA", "--answer", "lost=6"})
                .exit_code,
            0);
  const CliResult checked = run_cli({"lab", "check", labs + "ports", file, "--json"});
  EXPECT_EQ(checked.exit_code, 0) << checked.out;
  EXPECT_EQ(Json::parse(checked.out)["submissions"][0]["by"], "Ada");
  EXPECT_EQ(run_cli({"lab", "submit", "ports", "-o", file, "--program", "p=" + folder.path("none.s")}).exit_code, 1);
  EXPECT_EQ(run_cli({"lab", "submit", "ports", "-o", file, "--tiling", "t=KS:T_R=many"}).exit_code, 1);
}

TEST(LabCommand, RefusesWhatIsNoLabAndWrongUsage) {
  const TemporaryFolder folder;
  folder.write("lab.xml", "<lab name=\"a\" title=\"A\" network=\"/etc/passwd\"><machine target=\"nve\"/></lab>");
  const CliResult refused = run_cli({"lab", "check", folder.path()});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("lab.xml:1: error: "));
  EXPECT_EQ(run_cli({"lab", "check", folder.path("packing")}).exit_code, 1);
  EXPECT_EQ(run_cli({"lab", "check"}).exit_code, 2);
  EXPECT_EQ(run_cli({"lab", "grade", "ports"}).exit_code, 2);
  EXPECT_EQ(run_cli({"lab", "submit", "ports"}).exit_code, 2);
  EXPECT_EQ(run_cli({"lab", "juggle", "ports"}).exit_code, 2);
  fs::create_directory(folder.path("empty"));
  EXPECT_EQ(run_cli({"grade", "ports", folder.path("empty")}).exit_code, 1) << "nothing to grade";
}

/// Submissions of a class, some of whom mean no good.
class Grading : public testing::Test {
 protected:
  Grading() {
    for (const char* name : {"right", "wrong-fourteen", "wrong-coefficients"})
      fs::copy_file(solution("interval-10", name), folder.path(std::string(name) + ".xml"));
    fs::create_directory(folder.path("group"));
    fs::copy_file(solution("interval-10", "right"), folder.path("group/second.xml"));
    write_hostile();
  }

  void write_hostile() const {
    const auto with_program = [&](const std::string& name, const std::string& program) {
      folder.write(name,
                   "<submission lab=\"interval-10\" by=\"=1+1\"><answer question=\"bound\">10</answer>"
                   "<program name=\"filter\"><![CDATA[" +
                       program + "]]></program></submission>");
    };
    std::string endless = file_content(solution("interval-10", "right"));
    endless = endless.substr(endless.find("CDATA[") + 6);
    endless = endless.substr(0, endless.find("]]>"));
    with_program("endless.xml", replaced(endless, "repeat 638:", "repeat 2000000000:"));
    with_program("garbage.xml", std::string(100'000, 'x'));
    with_program("claims.xml", "{\"schema\": \"convscope-nve-program\", \"cycles\": 1, \"verified\": true}");
    folder.write("huge.xml", std::string(std::size_t{5} << 20, ' '));
    folder.write("deep.xml", repeated("<a>", 100'000));
    folder.write("bomb.xml", "<!DOCTYPE s [<!ENTITY a \"" + std::string(1000, 'a') +
                                 "\">]><submission lab=\"interval-10\">" + "<answer question=\"bound\">" +
                                 repeated("&a;", 10'000) + "</answer></submission>");
    folder.write(
        "outside.xml",
        "<submission lab=\"interval-10\"><program name=\"filter\" file=\"../../../etc/passwd\"/></submission>");
    folder.write("empty.xml", "");
    fs::create_symlink("/etc/passwd", folder.path("link.xml"));
    folder.write("notes.txt", "not mine to grade");
  }

  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  }
  static std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
  }

  const TemporaryFolder folder;
};

TEST_F(Grading, WhoMeansNoGoodCostsNobodyElse) {
  const CliResult graded = run_cli({"lab", "grade", "interval-10", folder.path(), "--json"});
  ASSERT_EQ(graded.exit_code, 5) << graded.err;
  EXPECT_THAT(graded.err, HasSubstr("notes.txt: warning: is left out"));
  EXPECT_THAT(graded.err, HasSubstr("leads out of the folder"));
  const Json json = Json::parse(graded.out);
  EXPECT_EQ(json["schema"], "convscope-lab-grades");
  std::map<std::string, Json> rows;
  for (const Json& row : json["submissions"]) rows[fs::path(row["file"].get<std::string>()).stem().string()] = row;
  EXPECT_EQ(rows.size(), 12u);
  for (const char* fine : {"right", "second"}) EXPECT_TRUE(rows[fine]["passed"]) << rows[fine];
  EXPECT_EQ(json["tasks"][2]["passed_by"], 2);
  const auto said = [&](const std::string& name) { return rows[name].dump(); };
  EXPECT_THAT(said("wrong-fourteen"), HasSubstr("more than ten instructions"));
  EXPECT_THAT(said("endless"), HasSubstr("program 'filter'"));
  EXPECT_THAT(said("garbage"), HasSubstr("neither assembly nor a program file"));
  EXPECT_THAT(said("claims"), HasSubstr("program 'filter'"));
  EXPECT_THAT(said("huge"), HasSubstr("refused"));
  EXPECT_THAT(said("deep"), HasSubstr("refused"));
  EXPECT_THAT(said("bomb"), HasSubstr("is no number"));
  EXPECT_THAT(said("outside"), HasSubstr("names a file"));
  for (const char* bad : {"endless", "garbage", "claims", "huge", "deep", "bomb", "outside", "empty"})
    EXPECT_FALSE(rows[bad]["tasks"][2]["passed"]) << bad;
}

/// Everybody of the class 28 times: each gets what he gets alone, whoever is graded beside him.
TEST_F(Grading, ThreeHundredAreGradedAsEachAlone) {
  const auto rows_of = [](const std::string& graded) {
    std::multimap<std::string, std::string> rows;
    const Json json = Json::parse(graded);
    for (const Json& row : json["submissions"]) {
      Json others = row;
      others.erase("file");
      rows.emplace(fs::path(row["file"].get<std::string>()).stem().string(), others.dump());
    }
    return rows;
  };
  const auto alone = rows_of(run_cli({"lab", "grade", "interval-10", folder.path(), "--json"}).out);
  const TemporaryFolder all;
  for (int i = 0; i < 28; ++i)
    fs::copy(folder.path(), all.path(std::to_string(i)), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  const auto together = rows_of(run_cli({"lab", "grade", "interval-10", all.path(), "--json"}).out);
  ASSERT_EQ(together.size(), 28 * alone.size());
  EXPECT_GE(together.size(), 300U);
  for (const auto& [name, row] : together) EXPECT_EQ(row, alone.find(name)->second) << name;
}

TEST_F(Grading, IsTheSameForAnyNumberOfProcesses) {
  const std::vector<std::string> command{"grade", "interval-10", folder.path(), "--csv", "--threads"};
  std::vector<std::string> one = command, four = command;
  one.push_back("1");
  four.push_back("4");
  const CliResult first = run_cli(one);
  EXPECT_EQ(first.exit_code, 5);
  EXPECT_EQ(first.out, run_cli(four).out);
  EXPECT_THAT(first.out, HasSubstr("file,by,task,passed,points,of,reasons,hints\n"));
  EXPECT_THAT(first.out, HasSubstr(",'=1+1,bound,true,1,1,,0\n")) << "no table program takes a name for a formula";
}

TEST_F(Grading, AllPassedIsZero) {
  const CliResult graded = run_cli({"grade", labs + "interval-10", folder.path("group"), folder.path("right.xml")});
  EXPECT_EQ(graded.exit_code, 0) << graded.out;
  EXPECT_THAT(graded.out, HasSubstr("2 of 2 passed all tasks"));
}

TEST_F(Grading, ADraftIsHandedInAsAnyProgram) {
  const auto begun_with = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> command{"draft",   "new", sample("filter_3x3"), "--layer", "L1", "--level",
                                     "packing", "-o",  folder.path(name)};
    command.insert(command.end(), more.begin(), more.end());
    EXPECT_EQ(run_cli(command).exit_code, 0);
    return folder.path(name);
  };
  const std::string begun = begun_with("begun.draft.json", {}), better = folder.path("better.draft.json");
  const std::string empty = begun_with("nothing.draft.json", {"--empty"});
  ASSERT_EQ(run_cli({"draft", "place", empty, "-o", better}).exit_code, 0);
  const auto graded = [&](const std::string& draft) {
    const std::string file = folder.path("drafted.xml");
    const CliResult made = run_cli({"lab", "submit", "interval-10", "-o", file, "--level", "packing", "--answer",
                                    "bound=10", "--program", "filter=" + draft});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return Json::parse(run_cli({"lab", "check", "interval-10", file, "--json"}).out)["submissions"][0];
  };
  const Json compilers = graded(begun);
  EXPECT_TRUE(compilers["tasks"][1]["passed"]) << compilers;
  EXPECT_FALSE(compilers["tasks"][2]["passed"]);
  EXPECT_THAT(compilers.dump(), HasSubstr("more than ten instructions"));
  EXPECT_TRUE(graded(better)["passed"]) << graded(better);
  Json broken = Json::parse(file_content(better));
  broken["interval"] = 9;
  EXPECT_THAT(graded(folder.write("broken.draft.json", broken.dump())).dump(), HasSubstr("is too early"));
  broken["placed"] = Json::array();
  EXPECT_THAT(graded(folder.write("empty.draft.json", broken.dump())).dump(), HasSubstr("no cycle yet"));
  broken["placed"] = 3;
  EXPECT_THAT(graded(folder.write("hostile.draft.json", broken.dump())).dump(), HasSubstr("placed"));
}

}  // namespace
}  // namespace convscope::app
