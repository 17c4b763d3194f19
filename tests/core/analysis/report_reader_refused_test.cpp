// Reports that are none: refused with a diagnostic that says where, without a crash, a hang or much memory.

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/analysis/report_reader.h"
#include "tests/core/analysis/report_writing.h"

namespace convscope::analysis {
namespace {

using testing::HasSubstr;
using ReadJson = nlohmann::json;

std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_report(text, "report.json", {}, diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

std::string changed(const std::function<void(ReadJson&)>& change) {
  ReadJson json = ReadJson::parse(report_json(test::small_report()));
  change(json);
  return json.dump();
}

TEST(ReportReaderRefuses, WhatIsNoJson) {
  for (const char* text : {"", "{", "[1,", "\x80", "{\"schema\": \"convscope-report\"", "nul"})
    EXPECT_THAT(refusal(text), HasSubstr("malformed JSON"));
  EXPECT_THAT(refusal("{\n\n  \"a\": ,\n}"), HasSubstr("report.json:3:"));
}

TEST(ReportReaderRefuses, OtherSchemasAndVersions) {
  for (const char* text : {"1", "null", "[]", "{}", "{\"schema\": 1}", "{\"schema\": \"convscope-comparison\"}"})
    EXPECT_THAT(refusal(text), HasSubstr("this is no report")) << text;
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["version"] = 2; })), HasSubstr("another version"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json.erase("version"); })), HasSubstr("another version"));
}

TEST(ReportReaderRefuses, MissingAndMistypedMembersByName) {
  for (const char* key : {"network", "target", "level", "layers", "total"})
    EXPECT_THAT(refusal(changed([&](ReadJson& json) { json.erase(key); })), HasSubstr(key));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["layers"] = "many"; })), HasSubstr("layers"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["layers"][1] = 5; })), HasSubstr("layers"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["layers"][1].erase("cycles"); })), HasSubstr("layer 'L2'"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["layers"][1]["cycles"] = "ten"; })), HasSubstr("L2' cycles"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["layers"][0]["mapped"] = 1; })), HasSubstr("true or false"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["parameters"] = 1; })), HasSubstr("parameters"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["layers"][0]["toy"] = 1; })), HasSubstr("an object"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["layers"][0]["toy"]["x"] = nullptr; })), HasSubstr("a number"));
}

TEST(ReportReaderRefuses, FiguresThatAreNone) {
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["total"]["seconds"] = -1; })), HasSubstr("total seconds"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["total"]["macs"] = 1e300; })), HasSubstr("too large"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["total"]["origin"] = "guessed"; })),
              HasSubstr("unknown origin"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) {
                json["layers"][0]["shape"]["in"] = {1, 2};
              })),
              HasSubstr("L1' shape in"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) {
                json["layers"][0]["shape"]["in"] = {1, 2, -3};
              })),
              HasSubstr("negative"));
  EXPECT_THAT(refusal(changed([](ReadJson& json) { json["layers"][0]["shape"]["groups"] = 1e10; })),
              HasSubstr("groups"));
  EXPECT_THAT(refusal("{\"schema\":\"convscope-report\",\"version\":1,\"coverage\":1e999}"),
              HasSubstr("malformed JSON"));
}

TEST(ReportReaderRefuses, HostileSizes) {
  EXPECT_THAT(refusal(std::string(1000000, '[')), HasSubstr("nest too deeply"));
  std::string too_many = "[";
  for (int i = 0; i < 4100000; ++i) too_many += "1,";
  EXPECT_THAT(refusal(too_many + "1]"), HasSubstr("too many values"));
  EXPECT_THAT(refusal(std::string(largest_report + 1, ' ')), HasSubstr("too large"));
}

TEST(ReportReaderRefuses, WithFewDiagnosticsHoweverManyMistakes) {
  const std::string text = changed([](ReadJson& json) {
    for (int i = 0; i < 1000; ++i) json["layers"].push_back(ReadJson::object());
  });
  Diagnostics diagnostics;
  EXPECT_FALSE(read_report(text, "report.json", {}, diagnostics));
  EXPECT_LE(diagnostics.items().size(), 100u);
}

TEST(ReportReader, PassesOverWhatLaterVersionsMayAdd) {
  const std::string text = changed([](ReadJson& json) {
    json["new"] = {1, 2};
    json["layers"][0]["new"] = "figure";
  });
  Diagnostics diagnostics;
  EXPECT_TRUE(read_report(text, "report.json", {}, diagnostics)) << diagnostics.text();
}

}  // namespace
}  // namespace convscope::analysis
