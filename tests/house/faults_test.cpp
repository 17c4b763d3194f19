// A program that our own verifier refuses is our fault: exit code 4 and our own name, never a layer that can't be
// mapped. Every command that compiles says so.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/nmp/nmp_target.h"
#include "tests/house/command_line.h"
#include "tests/house/faulty_target.h"

namespace convscope::house {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int internal_error = 4;

/// NMP with a bug in the second layer of the face network.
Answer run_faulty(std::vector<std::string> arguments, Bug bug = {"L2", "", 0}) {
  return run(std::move(arguments), {with_bug(nmp::make_nmp_target(), std::move(bug))});
}

void expect_named_as_ours(const Answer& answer) {
  EXPECT_EQ(answer.code, internal_error) << answer.err;
  EXPECT_THAT(answer.err, AllOf(HasSubstr("internal error: "), HasSubstr("layer 'L2': " + std::string(made_up_fault)),
                                Not(HasSubstr("not mapped"))));
}

TEST(Faults, AReportIsMadeOfTheRest) {
  const Answer answer = run_faulty({"report", sample("face_detection"), "--json"});
  expect_named_as_ours(answer);
  EXPECT_THAT(answer.err, HasSubstr("please report it"));
  const auto json = nlohmann::json::parse(answer.out, nullptr, false);
  EXPECT_EQ(json["layers"][1]["mapped"], false);
  EXPECT_EQ(json["layers"][1]["reason"], "internal error: " + std::string(made_up_fault));
  EXPECT_EQ(json["layers"][0]["mapped"], true);
  EXPECT_LT(json["coverage"], 1);
  EXPECT_EQ(run_faulty({"report", sample("face_detection"), "--layer", "L1"}).code, 0) << "nothing is wrong with it";
}

TEST(Faults, ProgramsOfTheRestAreWritten) {
  const std::string folder = folder_of_test();
  expect_named_as_ours(run_faulty({"compile", sample("face_detection"), "-o", folder}));
  EXPECT_TRUE(std::ifstream(folder + "/index.json").good());
}

TEST(Faults, NothingIsSaidOfTheLayer) {
  expect_named_as_ours(run_faulty({"why", sample("face_detection"), "--layer", "L2"}));
  expect_named_as_ours(run_faulty({"trace", sample("face_detection"), "--layer", "L2"}));
}

TEST(Faults, AChangeThatMeetsOneIsImpossible) {
  const Answer answer =
      run_faulty({"sensitivity", sample("face_detection"), "--parameter", "tles", "--json"}, {"L2", "tles", 1});
  expect_named_as_ours(answer);
  EXPECT_THAT(answer.err, HasSubstr("tles = 1: "));
  EXPECT_THAT(answer.out, HasSubstr("\"impossible\": \"internal error: layer 'L2'"));
  expect_named_as_ours(run_faulty({"sensitivity", sample("face_detection"), "--parameter", "tles"}));
}

TEST(Faults, RowsOfASweepAreMarked) {
  const std::string folder = folder_of_test();
  std::ofstream(folder + "/space.xml") << "<space name='s'><network file='" + sample("face_detection") +
                                              "'/><machines target='nmp'><parameter name='tles'>1 2 4</parameter>"
                                              "</machines></space>";
  const Answer sweep = run_faulty({"sweep", folder + "/space.xml", "-o", folder + "/r.db"}, {"L2", "tles", 2});
  expect_named_as_ours(sweep);
  EXPECT_THAT(sweep.out, AllOf(HasSubstr("3 of 3 points"), HasSubstr("1 failed: internal error: layer 'L2'")));
  const Answer front = run_faulty({"front", folder + "/r.db"});
  EXPECT_EQ(front.code, 0) << front.err;
  EXPECT_THAT(front.out, HasSubstr("internal error: layer 'L2'"));
}

}  // namespace
}  // namespace convscope::house
