#include "core/analysis/unmapped.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/report_writing.h"

namespace convscope::analysis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Unmapped, LayersOfAKindAndAReasonAreOneThing) {
  UnmappedGroups groups;
  for (int i = 1; i <= 69; ++i) groups.add("Relu", "relu" + std::to_string(i), "maps convolutions", 0);
  groups.add("Add", "sum", "maps convolutions", 0);
  groups.add("Conv", "wide", "too wide", 1e6);
  const auto sorted = groups.sorted();
  ASSERT_EQ(sorted.size(), 3U);
  EXPECT_EQ(sorted[0].subject(), "wide is") << "what costs most comes first";
  EXPECT_EQ(sorted[1].subject(), "69 Relu layers (relu1, relu2, relu3 and 66 more) are");
  EXPECT_EQ(sorted[1].names.size(), 69U);
  EXPECT_EQ(sorted[2].text(), "sum");
}

TEST(Unmapped, FourNamesAreAllGiven) {
  UnmappedGroups groups;
  for (const char* name : {"a", "b", "c", "d"}) groups.add({}, name, "why", 0);
  EXPECT_EQ(groups.sorted().front().text(), "4 layers (a, b, c, d)");
}

TEST(Unmapped, LongNamesAreCut) {
  UnmappedGroups groups;
  groups.add("Conv", std::string(5'000'000, 'x'), "why", 0);
  EXPECT_LT(groups.sorted().front().text().size(), 100U);
}

TEST(Unmapped, AReportTellsGroups) {
  Report report = test::small_report();
  for (ReportLayer& each : report.layers) each.reason = "no unit";
  const std::string text = report_text(report);
  EXPECT_THAT(text, HasSubstr("3 Conv layers (L1, L2, L3) are not mapped: no unit\n"));
  report.layers[0].reason = report.layers[2].reason = "";
  EXPECT_THAT(report_text(report), AllOf(HasSubstr("L2 is not mapped: no unit\n"), Not(HasSubstr("layers ("))));
}

}  // namespace
}  // namespace convscope::analysis
