#include "core/labs/check.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/catalogue/standard.h"
#include "core/explore/sweep/callers_thread.h"
#include "core/labs/links.h"
#include "core/labs/outcome_json.h"
#include "core/labs/try_lab.h"

namespace convscope::labs {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

/// A folder with a lab in it.
class LabCheck : public testing::Test {
 protected:
  LabCheck() {
    fs::create_directories(folder);
    write("net.xml", R"(<layer_list name="n"><input name="i" maps="1" height="20" width="20"/>
      <conv name="c" maps="1" kernel="3"/></layer_list>)");
  }
  ~LabCheck() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  void write_lab_with(const std::string& inner, const std::string& network = "net.xml") const {
    write("lab.xml", "<lab name=\"x\" title=\"X\" network=\"" + network + "\">" + inner + "</lab>");
  }
  OpenLabPointer open(Diagnostics& diagnostics) const {
    return open_lab(folder.string(), *catalogue::standard(), diagnostics);
  }
  Outcome outcome(const Submission& submission) const {
    Diagnostics diagnostics;
    const auto lab = open(diagnostics);
    EXPECT_TRUE(lab) << diagnostics.text();
    explore::CallersThread executor;
    const auto cache = engine::make_memory_cache();
    return lab ? check(*lab, submission, "s.xml", {executor, *cache, {}}) : Outcome{};
  }

  const fs::path folder = fs::path(testing::TempDir()) / ("labs_" + std::to_string(::getpid()));
};

const char* const machine = R"(<machine target="nve" level="modulo"/><allow parameter="lanes" to="32"/>)";

TEST_F(LabCheck, FiguresAreThoseOfTheStudentsMachineAndOfTheLabs) {
  write_lab_with(std::string(machine) + R"(<task name="t" title="T" points="3">
    <require>cycles &lt; start.cycles and lanes = 32 and start.lanes = 16</require>
    <require>cycles('c') = cycles and mac_units = lanes and verified('c') and mapped</require></task>)");
  const Outcome faster = outcome({.lab = "x", .parameters = {{"lanes", "32"}}});
  EXPECT_TRUE(faster.passed()) << ::testing::PrintToString(faster.tasks.front().reasons);
  EXPECT_EQ(faster.points(), 3);
  const Outcome same = outcome({.lab = "x"});
  EXPECT_FALSE(same.passed());
  EXPECT_THAT(same.tasks.front().reasons, Contains(HasSubstr("does not hold: cycles is ")));
}

TEST_F(LabCheck, WhatIsLockedOrOutOfRangeIsRefused) {
  write_lab_with(std::string(machine) + R"(<task name="t" title="T"><require>verified</require></task>)");
  const auto refusal = [&](Submission submission) {
    const Outcome refused_one = outcome(submission);
    EXPECT_FALSE(refused_one.passed());
    return testing::PrintToString(refused_one.refusals);
  };
  EXPECT_THAT(refusal({.lab = "y"}), HasSubstr("it is for the lab"));
  EXPECT_THAT(refusal({.lab = "x", .level = "optimal"}), HasSubstr("is not open"));
  EXPECT_THAT(refusal({.lab = "x", .parameters = {{"clock", "200"}}}), HasSubstr("is locked"));
  EXPECT_THAT(refusal({.lab = "x", .parameters = {{"lanes", "64"}}}), HasSubstr("expected to 32"));
  EXPECT_THAT(refusal({.lab = "x", .parameters = {{"lanes", "1e999"}}}), HasSubstr("lanes"));
  EXPECT_THAT(refusal({.lab = "x", .parameters = {{"wings", "2"}}}), HasSubstr("wings"));
  EXPECT_TRUE(outcome({.lab = "x", .parameters = {{"clock", "100"}}}).passed()) << "what the lab says is no change";
}

TEST_F(LabCheck, AWrongAnswerIsNotToldTheRightOne) {
  write_lab_with(std::string(machine) + R"(<question name="q"><text>?</text></question>
    <task name="t" title="T"><require>near(answer('q'), macs, 0)</require></task>)");
  const auto reason = [&](const char* answer) {
    const Outcome asked = outcome({.lab = "x", .answers = {{"q", answer}}});
    return testing::PrintToString(asked.tasks.front().reasons);
  };
  EXPECT_EQ(reason("2916"), "{}");
  EXPECT_THAT(reason("2917"), testing::AllOf(HasSubstr("is not 2917"), testing::Not(HasSubstr("2916"))));
  EXPECT_THAT(reason("many"), HasSubstr("is no number"));
  EXPECT_THAT(reason(""), HasSubstr("not answered"));
}

TEST_F(LabCheck, LeavingALayerOutMakesNothingFaster) {
  write_lab_with(R"(<machine target="nve" level="modulo"/><allow parameter="instruction_buffer"/>
    <allow parameter="local_buffer"/><task name="t" title="T"><require>cycles &lt; 1e9</require></task>)");
  write("net.xml", R"(<layer_list name="n"><input name="i" maps="64" height="20" width="20"/>
      <conv name="c" maps="1" kernel="11"/></layer_list>)");
  const Outcome small = outcome({.lab = "x", .parameters = {{"instruction_buffer", "64"}, {"local_buffer", "64"}}});
  EXPECT_FALSE(small.passed());
  EXPECT_THAT(small.tasks.front().reasons, Contains(HasSubstr("cycles has no value: layer 'c' is not mapped")));
}

TEST_F(LabCheck, NamesThatNobodyKnowsAreToldBeforeAnybodyWorks) {
  const auto mistakes = [&](const std::string& inner, const std::string& network = "net.xml") {
    write_lab_with(inner, network);
    Diagnostics diagnostics;
    EXPECT_FALSE(open(diagnostics));
    return diagnostics.text();
  };
  const auto with = [](const std::string& requirement) {
    return std::string(machine) + "<program name=\"p\" layer=\"c\"/><task name=\"t\" title=\"T\"><require>" +
           requirement + "</require></task>";
  };
  EXPECT_THAT(mistakes(with("speed > 1")), HasSubstr("'speed' is no figure"));
  EXPECT_THAT(mistakes(with("cycles('L9') > 1")), HasSubstr("no layer 'L9'"));
  EXPECT_THAT(mistakes(with("program.speed('p') > 1")), HasSubstr("no figure of a program"));
  EXPECT_THAT(mistakes(with("verified"), "../net.xml"), HasSubstr("there is no network"));
  EXPECT_THAT(mistakes(with("verified"), "/etc/passwd"), HasSubstr("there is no network"));
  const std::string task = "<task name=\"t\" title=\"T\"><require>verified</require></task>";
  EXPECT_THAT(mistakes("<machine target=\"abacus\"/>" + task), HasSubstr("no target 'abacus'"));
  EXPECT_THAT(mistakes("<machine target=\"nve\" level=\"x\"/>" + task), HasSubstr("no level 'x'"));
  EXPECT_THAT(mistakes("<machine target=\"nve\" preset=\"../x\"/>" + task), HasSubstr("no preset"));
  EXPECT_THAT(mistakes("<machine target=\"nve\"/><allow parameter=\"wings\"/>" + task), HasSubstr("'wings'"));
  EXPECT_THAT(mistakes("<machine target=\"nve\"/><program name=\"p\" layer=\"d\"/>" + task), HasSubstr("no layer 'd'"));
}

TEST_F(LabCheck, ATeacherIsToldOfFiguresWithoutAValue) {
  write_lab_with(std::string(machine) + R"(<task name="t" title="T">
    <require>interval_bound &lt; cycles and interval_bound('c') &lt; 99</require></task>)");
  Diagnostics diagnostics;
  const auto lab = open(diagnostics);
  ASSERT_TRUE(lab) << diagnostics.text();
  explore::CallersThread executor;
  const auto cache = engine::make_memory_cache();
  try_lab(*lab, {executor, *cache, {}}, diagnostics);
  ASSERT_EQ(diagnostics.items().size(), 1u) << diagnostics.text();
  EXPECT_THAT(diagnostics.text(), HasSubstr("lab.xml:2: warning: task 't': interval_bound has no value"));
}

TEST_F(LabCheck, OutcomesComeBackFromAnotherProcess) {
  write_lab_with(std::string(machine) + R"(<task name="t" title="T"><require>verified</require></task>)");
  Diagnostics diagnostics;
  const auto lab = open(diagnostics);
  ASSERT_TRUE(lab);
  const Outcome failed{"A\"da", {}, {"n"}, {{"t", false, 0, {"r\n", "\xff"}, 3}}};
  const auto back = read_check_json(lab->lab, check_json(lab->lab, {{"f", failed}}));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->by, failed.by);
  EXPECT_EQ(back->tasks.front().reasons.front(), "r\n");
  EXPECT_EQ(back->tasks.front().hints, 3);
  EXPECT_FALSE(read_check_json(lab->lab, "{}"));
  EXPECT_FALSE(read_check_json(lab->lab, ""));
}

TEST_F(LabCheck, LinksOfTheTextActOrAreToldWithTheirLine) {
  write_lab_with(std::string(R"(<machine target="nve" level="modulo"/><allow level="fusion"/>)") +
                 R"(<allow parameter="lanes" to="32"/><task name="t" title="T"><require>verified</require></task>)");
  write("lab.md",
        "[a](action:view?id=schedule)\n[b](action:layer?name=c) [c](action:level?name=fusion)\n"
        "[d](action:set?lanes=32) [e](http://elsewhere) (action:no link)\n");
  Diagnostics fine;
  const auto lab = open(fine);
  ASSERT_TRUE(lab) << fine.text();
  const auto link = [&](const char* target) {
    Diagnostics diagnostics;
    return read_link(*lab, target, {}, diagnostics);
  };
  EXPECT_EQ(link("action:set?lanes=32"), (Link{Link::Kind::set, "lanes", "32"}));
  EXPECT_EQ(link("action:layer?name=%63"), (Link{Link::Kind::layer, "c", {}}));
  EXPECT_EQ(link("action:view?id=no%20view%2"), (Link{Link::Kind::view, "no view%2", {}}));
  for (const char* wrong :
       {"", "action:", "action:view", "action:view?", "action:view?id=", "action:run?id=rm", "http://elsewhere",
        "action:layer?name=d", "action:level?name=optimal", "action:level?name=none at all", "action:set?wings=2",
        "action:set?lanes=1e999", "action:set?lanes=", "action:set?clock=200", "action:set?=", "%%%"})
    EXPECT_FALSE(link(wrong)) << wrong;
  write("lab.md", "fine\n\n[a](action:layer?name=d)\n[b](action:burn?id=1)\n[c](action:set?clock=200");
  Diagnostics refused_links;
  EXPECT_FALSE(open(refused_links));
  const std::string told = refused_links.text();
  EXPECT_THAT(told, HasSubstr("lab.md:3: error: link: there is no layer 'd'"));
  EXPECT_THAT(told, HasSubstr("lab.md:4: error: link"));
  EXPECT_THAT(told, HasSubstr("lab.md:5: error: link: parameter 'clock' is locked"));
}

}  // namespace
}  // namespace convscope::labs
