// A target that only tests know goes through every command that compiles, runs, measures or compares.

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/house/command_line.h"

namespace convscope::house {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

Json report(std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"report", sample("face_detection"), "--target", "mill", "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Answer answer = run(arguments);
  EXPECT_EQ(answer.code, 0) << answer.err;
  return Json::parse(answer.out, nullptr, false);
}

std::string written(const std::string& path, const std::string& content) {
  std::ofstream(path) << content;
  return path;
}

std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

TEST(MillReport, HasItsOwnFiguresInEveryFormat) {
  const Json json = report();
  EXPECT_EQ(json["preset"], "mill-village");
  EXPECT_EQ(json["level"], "fine");
  const Json layer = json["layers"][0];
  EXPECT_EQ(layer["mill"]["grist"], "flour");
  EXPECT_GT(layer["mill"]["sacks"], 0);
  EXPECT_TRUE(layer["mill"]["grains_per_sack"].is_number_float());
  EXPECT_EQ(json["total"]["mill"]["sacks"].is_number_integer(), true);
  const Answer text = run({"report", sample("face_detection"), "--target", "mill"});
  EXPECT_THAT(text.out, HasSubstr("Grains / sack"));
  EXPECT_THAT(text.out, testing::Not(HasSubstr("Turns of carts"))) << "a detail is for files";
  const Answer csv = run({"report", sample("face_detection"), "--target", "mill", "--csv"});
  EXPECT_THAT(csv.out, HasSubstr("mill.grains_per_sack"));
  EXPECT_THAT(csv.out, HasSubstr("mill.cart_turns"));
}

TEST(MillReport, SecondsOfLinkedLayersAddUp) {
  const Json linked = report(), apart = report({"--set", "early_carts=off"});
  double seconds = 0;
  for (const Json& layer : linked["layers"]) seconds += layer["seconds"].get<double>();
  EXPECT_NEAR(linked["total"]["seconds"].get<double>(), seconds, 1e-12 * seconds);
  EXPECT_LT(linked["total"]["seconds"], apart["total"]["seconds"]) << "carts leave earlier";
  EXPECT_EQ(linked["layers"][0]["seconds"], apart["layers"][0]["seconds"]) << "nothing is ground before it";
  const Json alone = report({"--layer", "L2"});
  EXPECT_EQ(alone["layers"][0]["seconds"], apart["layers"][1]["seconds"]) << "a layer by itself is not linked";
}

TEST(MillReport, SimulatedFiguresTakeThePlaceOfDerivedOnes) {
  const Json calm = report({"--simulate"}), storm = report({"--simulate", "--wind", "storm"});
  EXPECT_EQ(calm["layers"][0]["origin"], "simulated");
  EXPECT_EQ(calm["layers"][0]["simulation"]["matches"], true);
  EXPECT_LT(storm["layers"][0]["cycles"], calm["layers"][0]["cycles"]);
  const Json visited = report({"--simulate", "--visitors", "7"});
  EXPECT_EQ(visited["layers"][0]["cycles"].get<int>(), calm["layers"][0]["cycles"].get<int>() + 7);
}

TEST(MillOptions, AreDocumentedAndChecked) {
  const Answer help = run({"report", "--help"});
  EXPECT_THAT(help.out, HasSubstr("--wind"));
  EXPECT_THAT(help.out, HasSubstr("Weather that the mill is simulated in"));
  EXPECT_THAT(help.out, HasSubstr("--strips"));
  EXPECT_EQ(run({"report", sample("face_detection"), "--target", "mill", "--simulate", "--wind", "hail"}).code, 2);
  EXPECT_EQ(run({"report", sample("face_detection"), "--target", "mill", "--simulate", "--visitors", "101"}).code, 2);
  const Answer foreign = run({"report", sample("face_detection"), "--target", "mill", "--simulate", "--strips", "1"});
  EXPECT_EQ(foreign.code, 1);
  EXPECT_THAT(foreign.err, HasSubstr("--strips: error: this target knows no such option; expected --wind, --visitors"));
}

TEST(MillMeasurement, PrintsMediansWithWhereAndWhen) {
  const std::vector<std::string> common{"measure", sample("face_detection"), "--target", "mill"};
  const Answer text = run(common);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("the mill by the brook"));
  std::vector<std::string> arguments = common;
  for (const char* more : {"--json", "--rounds", "9", "--layer", "L2"}) arguments.push_back(more);
  const Json json = Json::parse(run(arguments).out, nullptr, false);
  EXPECT_EQ(json["schema"], "convscope-measurement");
  EXPECT_EQ(json["complete"], true);
  ASSERT_EQ(json["layers"].size(), 1u);
  EXPECT_EQ(json["layers"][0]["name"], "L2");
  const Json observation = json["layers"][0]["observations"][0];
  EXPECT_EQ(observation["figure"], "seconds");
  EXPECT_EQ(observation["repetitions"], 9);
  EXPECT_EQ(observation["date"], "1889-05-06T09:00:00Z");
}

TEST(MillMeasurement, IsRefusedByTargetsThatMeasureNothing) {
  const Answer answer = run({"measure", sample("face_detection"), "--target", "nve"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("this target measures nothing"));
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(run({"measure", sample("face_detection"), "--target", "mill", "--rounds", "0"}).code, 2);
}

TEST(MillPrograms, AreWrittenLinkedCheckedAndRun) {
  const std::string folder = folder_of_test();
  ASSERT_EQ(run({"compile", sample("face_detection"), "--target", "mill", "-o", folder}).code, 0);
  const Json index = Json::parse(content_of(folder + "/index.json"), nullptr, false);
  EXPECT_EQ(index["layers"][0]["programs"][0]["program"], "L1.0.mill.json");
  ASSERT_EQ(index["network_programs"].size(), 1u);
  EXPECT_EQ(index["network_programs"][0]["name"], "the whole day");
  const std::string linked = folder + "/" + index["network_programs"][0]["program"].get<std::string>();
  EXPECT_THAT(content_of(linked), HasSubstr("L4: carry"));
  EXPECT_THAT(content_of(folder + "/network.0.memory.csv"), HasSubstr("hopper 3"));
  EXPECT_EQ(run({"verify", linked}).code, 0);
  const Answer ran = run({"simulate", linked, "--wind", "storm"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr(": 1 Turns of carts, equal to the reference"));
  EXPECT_EQ(run({"simulate", linked, "--strips", "1"}).code, 1) << "that is another target's option";
  EXPECT_EQ(run({"verify", written(folder + "/odd.txt", "mill program\n")}).code, 1);
}

TEST(MillRuns, AreCompared) {
  const std::string folder = folder_of_test();
  const std::string coarse = written(folder + "/coarse.json", report({"--level", "coarse"}).dump());
  const std::string fine = written(folder + "/fine.json", report().dump());
  const Answer answer = run({"compare", coarse, fine, "--json"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(Json::accept(answer.out));
  EXPECT_THAT(answer.out, HasSubstr("cycles"));
}

TEST(MillMachines, AreSwept) {
  const std::string folder = folder_of_test(), results = folder + "/results.db";
  const std::string space =
      written(folder + "/space.xml", "<space name='mills'><network file='" + sample("face_detection") +
                                         "'/><machines target='mill' levels='fine'>"
                                         "<parameter name='stones' from='1' to='8'/></machines>"
                                         "<objective name='sacks'/><objective name='stone_weight'/>"
                                         "</space>");
  const Answer swept = run({"sweep", space, "-o", results});
  ASSERT_EQ(swept.code, 0) << swept.err << swept.out;
  const Json front = Json::parse(run({"front", results, "--json"}).out, nullptr, false);
  EXPECT_EQ(front["points"], 8);
  EXPECT_EQ(front["front"].size(), 1u) << "sacks stay the same, so the lightest mill is best";
  const Answer other = run({"front", results, "--objective", "sacks:most", "--objective", "seconds", "--csv"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("sacks"));
}

TEST(MillParameters, NameItsPresets) {
  const Json json = Json::parse(run({"parameters", "--target", "mill", "--json"}).out, nullptr, false);
  EXPECT_EQ(json["presets"], Json({"mill-village"}));
  EXPECT_EQ(json["parameters"].size(), 3u);
  EXPECT_EQ(run({"parameters", "--target", "mill", "--preset", "nve-thesis"}).code, 1);
}

TEST(MillParameters, WhatHelpsMost) {
  const Answer answer = run({"sensitivity", sample("face_detection"), "--target", "mill", "--json"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("stones"));
}

/// The command line knows no target that traces: this one, too.
TEST(MillPrograms, AreTraced) {
  const std::string program = written(folder_of_test() + "/trace.mill", "mill program\nwait\ngrind wheat\ngrind rye\n");
  const Answer json = run({"trace", program, "--json", "--days", "2", "--from", "1", "--to", "5"});
  ASSERT_EQ(json.code, 0) << json.err;
  const Json trace = Json::parse(json.out);
  EXPECT_EQ(trace["target"], "mill");
  EXPECT_EQ(trace["cycles"], 6);
  ASSERT_EQ(trace["trace"].size(), 4u);
  EXPECT_EQ(trace["trace"][0]["instruction"], "grind wheat");
  EXPECT_EQ(trace["trace"][2]["units"][0]["text"], "there is no wind");
  const Answer csv = run({"trace", program, "--csv", "--block", "sacks"});
  EXPECT_EQ(csv.out, "cycle,sacks[0],sacks[1]\n0,0,0\n1,1,1\n2,2,2\n");
  EXPECT_EQ(run({"trace", program, "--strip", "1"}).code, 1) << "that is another target's option";
}

}  // namespace
}  // namespace convscope::house
