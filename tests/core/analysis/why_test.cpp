// Why a slot is as it is: what stands there with its dependences, or why nothing does.

#include "core/analysis/why.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace convscope::analysis {
namespace {

using artifact::OperationClass;
using testing::Contains;
using testing::HasSubstr;

/// A loop of 4 cycles: a on X in cycle 0, b on Y in cycle 1, c on X in cycle 3.
artifact::TaskGraph graph() {
  artifact::TaskGraph graph;
  graph.resources = {"X", "Y"};
  graph.operations = {
      {1, "a", OperationClass::read, 0, 0}, {2, "b", OperationClass::read, 1, 1}, {3, "c", OperationClass::read, 0, 3}};
  graph.dependences = {{0, 1, 1, 0}, {1, 2, 1, 0}, {2, 0, 1, 1}};
  graph.initiation_interval = 4;
  return graph;
}

artifact::Timeline timeline() {
  return {{"X", "Y"},
          {{"steady state",
            4,
            9,
            0,
            0,
            {{0, 0, 1, 1, 0, OperationClass::read, "a"},
             {1, 1, 1, 2, 0, OperationClass::read, "b"},
             {0, 3, 1, 3, 0, OperationClass::read, "c"}}}}};
}

std::optional<SlotReason> reason(const std::string& resource, std::int64_t cycle) {
  const artifact::TaskGraph operations = graph();
  Diagnostics diagnostics;
  return slot_reason(timeline(), &operations, resource, cycle, {}, diagnostics);
}

TEST(Why, AnOperationSaysHowFarItCouldMoveAndWhatHoldsIt) {
  const auto slot = reason("Y", 9);
  ASSERT_TRUE(slot);
  EXPECT_EQ(slot->occupant, "b");
  EXPECT_EQ(slot->iteration, 2);
  EXPECT_THAT(slot->lines, Contains(HasSubstr("up to 1 cycle later")));
  EXPECT_THAT(slot->lines, Contains(HasSubstr("1 behind 'a'")));
  EXPECT_THAT(slot->lines, Contains(HasSubstr("'c' 1 later")));
}

TEST(Why, DependencesOnOtherIterationsAreTold) {
  const auto slot = reason("X", 4);
  ASSERT_TRUE(slot);
  EXPECT_EQ(slot->occupant, "a");
  EXPECT_THAT(slot->lines, Contains(HasSubstr("1 behind 'c' of 1 iteration before")));
}

TEST(Why, AnEmptySlotSaysWhatCouldStandThere) {
  const auto slot = reason("Y", 2);
  ASSERT_TRUE(slot);
  EXPECT_EQ(slot->occupant, "");
  EXPECT_THAT(slot->lines, Contains(HasSubstr("Y works in 1 of the loop's 4 cycles")));
  EXPECT_THAT(slot->lines, Contains(HasSubstr("let 'b' stand here")));
}

/// What the reason above says is true: b does fit there.
TEST(Why, WhatCouldStandThereDoes) {
  artifact::TaskGraph moved = graph();
  moved.operations[1].cycle = 2;
  for (const std::int64_t slack : artifact::slack(moved)) EXPECT_GE(slack, 0);
  moved.operations[1].cycle = 3;
  EXPECT_LT(artifact::slack(moved)[1], 0);
}

TEST(Why, RefusesSlotsThatAreNotThere) {
  const artifact::TaskGraph operations = graph();
  for (const auto& [resource, cycle] : {std::pair("Z", 0), std::pair("X", 36), std::pair("X", -1)}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(slot_reason(timeline(), &operations, resource, cycle, {}, diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
  }
}

TEST(Why, TextAndJsonSayTheSame) {
  Why why;
  why.layer = "L1";
  why.explanation.summary = "MEMA binds";
  why.explanation.bounds = {{{"MEMA", 10, true}, {1e-6, "s", Origin::derived}, "10 reads a loop"}};
  why.explanation.rejected = {{"other", true, {2e-6, "s", Origin::estimate}, "more loads"},
                              {"large", false, {}, "overruns the buffer"}};
  why.at_cycle = {*reason("Y", 2)};
  const std::string text = why_text(why);
  for (const char* part : {"L1: MEMA binds", "bound MEMA: 10 cycles, proven; 10 reads a loop", "instead other: 2 µs",
                           "instead large: overruns the buffer", "cycle 2, Y: nothing"})
    EXPECT_THAT(text, HasSubstr(part));
  const auto json = nlohmann::json::parse(why_json(why));
  EXPECT_EQ(json["bounds"][0]["cycles"], 10);
  EXPECT_EQ(json["rejected"].size(), 2u);
  EXPECT_FALSE(json["rejected"][1].contains("seconds"));
  EXPECT_EQ(json["slot"]["reasons"].size(), why.at_cycle[0].lines.size());
}

Why with_bounds(std::vector<std::pair<std::string, std::int64_t>> bounds) {
  Why why;
  why.cycles.value = 100;
  for (const auto& [kind, cycles] : bounds)
    why.explanation.bounds.push_back({{kind, cycles, true}, {0, "s", Origin::derived}, ""});
  return why;
}

TEST(Why, WhatWouldBindNextIsAnotherResource) {
  const Why why = with_bounds({{"DRAM", 90}, {"DRAM, everything once", 80}, {"MAC", 45}});
  ASSERT_NE(next_to_bind(why.explanation), nullptr);
  EXPECT_EQ(next_to_bind(why.explanation)->bound.kind, "MAC");
  EXPECT_THAT(why_text(why), HasSubstr("without DRAM: MAC would bind, with 45 cycles: 50.0 % fewer"));
  EXPECT_THAT(why_text(with_bounds({{"X", 9}, {"Y", 9}})), HasSubstr("Y would bind, with as many cycles"));
  for (const Why& none : {with_bounds({}), with_bounds({{"X", 9}}), with_bounds({{"X", 0}, {"Y", 0}})})
    EXPECT_EQ(next_to_bind(none.explanation), nullptr);
}

TEST(Why, LinesAreInTheOrderOfTellingWithWhatEachIsAbout) {
  Why why = with_bounds({{"X", 90}, {"Y", 45}});
  why.explanation.rejected = {{"other", false, {}, "too large"}};
  why.helps = {{"lanes", "16", "32", 0.25}};
  const artifact::TaskGraph operations = graph();
  why.operation = operation_reason(operations, 2);
  Diagnostics diagnostics;
  why.at_cycle = slot_reasons(timeline(), &operations, 9, {}, diagnostics);
  std::vector<WhyLine::Kind> kinds;
  for (const WhyLine& line : why_lines(why)) {
    kinds.push_back(line.kind);
    EXPECT_FALSE(line.words.empty());
  }
  using enum WhyLine::Kind;
  EXPECT_EQ(kinds, (std::vector{summary, takes, binding, bound, next, helps, operation, empty, taken, rejected}));
  EXPECT_EQ(why.at_cycle[1].operation, 2u);
  EXPECT_EQ(why.at_cycle[1].lines, why.operation->lines) << "an operation says the same wherever it is asked for";
  EXPECT_THAT(why_text(why), HasSubstr("helps: lanes: 32 instead of 16 saves 25.0 %"));
  EXPECT_FALSE(operation_reason(operations, 0));
  EXPECT_FALSE(operation_reason(operations, 99));
}

}  // namespace
}  // namespace convscope::analysis
