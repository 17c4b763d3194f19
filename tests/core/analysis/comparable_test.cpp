#include "core/analysis/comparable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/published_reader.h"
#include "report_writing.h"
#include "tests/core/analysis/shipped_tables.h"

namespace convscope::analysis {
namespace {

using testing::HasSubstr;

/// Two convolutions of 1 and 2 us, and a third layer that isn't mapped: a Softmax.
Report lenet() {
  Report report = test::small_report(1, "nmp");
  report.network = "LeNet";
  report.layers[2].layer.operator_name = "Softmax";
  return report;
}

TEST(Comparable, TotalsOfTheSameOperatorsStandBesideOurs) {
  Report report = lenet();
  add_published(shipped(), true, report);
  EXPECT_DOUBLE_EQ(report.total_published.at("tso-table1-burst").at("seconds"), 199e-6);
  EXPECT_TRUE(report.parts.empty());
  EXPECT_FALSE(report.total_published.contains("eyeriss-alexnet"));
}

TEST(Comparable, TotalsOfOtherOperatorsStandBesideThoseTheyCount) {
  Report report = lenet();
  report.layers[1].layer.operator_name = "Gemm";
  add_published(shipped(), true, report);
  EXPECT_FALSE(report.total_published.contains("tso-table1-burst"));
  ASSERT_EQ(report.parts.size(), 1U);
  EXPECT_EQ(report.parts[0].operators, "Conv");
  EXPECT_DOUBLE_EQ(report.parts[0].sums.at("seconds"), 1e-6);
  EXPECT_DOUBLE_EQ(report.parts[0].published.at("tso-table1-ks").at("seconds"), 202e-6);
  const std::string text = report_text(report);
  EXPECT_THAT(text, HasSubstr("all Conv"));
  EXPECT_THAT(text, HasSubstr("is not compared with tso-table1-burst and 7 more: its totals count Conv alone, the one "
                              "here Gemm too"));
  EXPECT_EQ(report_json(report).find("tso-table1-burst"), std::string::npos);
}

TEST(Comparable, WhatIsntMappedOfThemIsSaid) {
  Report report = lenet();
  report.layers[1].reason = "it is too large";
  add_published(shipped(), true, report);
  EXPECT_TRUE(report.parts.empty());
  EXPECT_THAT(report_text(report), HasSubstr("of which some aren't mapped here"));
}

TEST(Comparable, APartOfTheNetworkHasNoTotal) {
  Report report = lenet();
  add_published(shipped(), false, report);
  EXPECT_TRUE(report.total_published.empty());
  EXPECT_TRUE(report.not_compared.empty());
}

TEST(Comparable, FiguresOfSeveralImagesStandBesideNone) {
  Report report = lenet();
  report.network = "AlexNet";
  report.layers[0].layer.name = "CONV1";
  add_published(shipped(), true, report);
  EXPECT_FALSE(report.layers[0].published.contains("eyeriss-alexnet"));
  EXPECT_FALSE(report.total_published.contains("eyeriss-alexnet"));
  EXPECT_THAT(report_text(report), HasSubstr("eyeriss-alexnet: its figures are of 4 images together"));
}

TEST(Comparable, SourcesSayHowManyImages) {
  PublishedContent content;
  Diagnostics diagnostics;
  const auto read = [&](const std::string& attributes) {
    content = {};
    diagnostics = {};
    read_published("<published><source id='a' title='t' citation='c' " + attributes + "/></published>", "p.xml",
                   content, diagnostics);
  };
  read("counts='Conv Gemm' images='4'");
  ASSERT_EQ(content.sources.size(), 1U) << diagnostics.text();
  EXPECT_EQ(content.sources[0].counts, (std::vector<std::string>{"Conv", "Gemm"}));
  EXPECT_EQ(content.sources[0].images, 4);
  for (const char* wrong : {"images='0'", "images='four'", "images=''", "images='99999999999'", "counts=''"}) {
    read(wrong);
    EXPECT_TRUE(diagnostics.has_errors()) << wrong;
  }
}

}  // namespace
}  // namespace convscope::analysis
