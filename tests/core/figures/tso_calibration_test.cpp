#include "core/figures/tso/tso_calibration.h"

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "figures_fixture.h"

namespace convscope::figures {
namespace {

using testing::HasSubstr;

class TsoCalibration : public FiguresFixture {
 protected:
  // Efficiency and CAS held, so that the variant of all four takes no longer than the others.
  std::optional<CalibrationReport> quick() {
    nmp::FittedRanges ranges = physical_ranges();
    ranges[0] = {0.75, 0.75};
    ranges[nmp::fitted_cas] = {12, 12};
    return calibrate_tso(ranges, environment_, diagnostics_);
  }
};

TEST_F(TsoCalibration, FitsTheColumnAndForetellsWhatWasLeftOut) {
  const auto report = quick();
  ASSERT_TRUE(report) << diagnostics_.text();
  ASSERT_EQ(report->networks.size(), 5u);
  ASSERT_EQ(report->variants.size(), 4u);
  const CalibrationVariant& preset = report->variants[0];
  EXPECT_TRUE(preset.left_out.empty());
  EXPECT_LE(preset.fit.mean_error(), 0.075);
  EXPECT_LE(preset.fit.largest_error(), 0.18);
  for (std::size_t v = 1; v < report->variants.size(); ++v) {
    const CalibrationVariant& variant = report->variants[v];
    EXPECT_EQ(variant.left_out.size(), 5u) << variant.name;
    for (std::size_t p = 0; p < variant.ranges.size(); ++p) {
      EXPECT_GE(variant.fit.values[p], variant.ranges[p].low);
      EXPECT_LE(variant.fit.values[p], variant.ranges[p].high);
    }
  }
  // What is fitted is no worse than the preset by what is fitted.
  EXPECT_LE(report->variants[1].fit.root_mean_square, preset.fit.root_mean_square + 1e-9);
  // A fit to four networks can't fit the five better than the fit to five.
  EXPECT_GE(report->variants[1].left_out_mean(), report->variants[1].fit.mean_error());
}

TEST_F(TsoCalibration, SaysThatTheColumnDoesNotIdentifyCas) {
  const auto report = quick();
  ASSERT_TRUE(report);
  EXPECT_LT(report->variants[3].fit.values[nmp::fitted_cas], 7);  // half of what is stated
  EXPECT_THAT(calibration_text(*report), HasSubstr("Left free, the CAS latency goes to"));
  EXPECT_THAT(calibration_text(*report), HasSubstr("does not identify it"));
}

TEST_F(TsoCalibration, PrintsJsonThatReadsBack) {
  const auto report = quick();
  ASSERT_TRUE(report);
  const auto json = nlohmann::json::parse(calibration_json(*report));
  EXPECT_EQ(json["schema"], "convscope-calibration");
  ASSERT_EQ(json["fits"].size(), 4u);
  EXPECT_EQ(json["fits"][0]["values"]["command_cost"].get<double>(), 630);
  EXPECT_EQ(json["fits"][1]["left_out"].size(), 5u);
  EXPECT_EQ(json["profile"].size(), report->profile.size());
  EXPECT_EQ(json["findings"].size(), calibration_findings(*report).size());
}

TEST_F(TsoCalibration, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  environment_.stop = source.get_token();
  EXPECT_THROW(quick(), Cancelled);
}

TEST_F(TsoCalibration, NeedsThePublishedTimes) {
  const analysis::PublishedTables none;
  environment_.published = &none;
  EXPECT_FALSE(quick());
  EXPECT_TRUE(diagnostics_.has_errors());
}

}  // namespace
}  // namespace convscope::figures
