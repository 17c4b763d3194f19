#pragma once
// The calibration of preset nmp-board: which parameters were fitted to Table I's TSO column, how well other networks
// are foretold, and what five times can't tell apart.

#include <optional>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/nmp/calibration/calibration.h"

namespace convscope::figures {

/// One choice of what is free. Without free parameters nothing is fitted, and nothing left out.
struct CalibrationVariant {
  std::string name, title;
  nmp::FittedRanges ranges;
  nmp::Fit fit;
  std::vector<nmp::LeftOut> left_out;  ///< for each network
  double left_out_mean() const;        ///< mean size of the errors of networks that were left out
};

/// Bandwidth and cost of a command fitted again with the CAS latency held.
struct CalibrationProfile {
  double cas = 0;
  nmp::Fit fit;
};

struct CalibrationReport {
  std::vector<std::string> networks;
  std::vector<double> published;  ///< seconds
  std::vector<CalibrationVariant> variants;
  std::vector<CalibrationProfile> profile;
};

/// Ranges that hardware allows: the MAC roof that the paper measured, +- 5 points; bandwidth up to DDR3-2133's peak;
/// CAS latencies of DDR3; up to 2 us a command.
nmp::FittedRanges physical_ranges();

/// `ranges` are those of the variant in which all parameters may be free. Nothing, with diagnostics, if a sample, the
/// preset or a published time is missing. Throws Cancelled.
std::optional<CalibrationReport> calibrate_tso(const nmp::FittedRanges& ranges, const Environment& environment,
                                               Diagnostics& diagnostics);

/// What the numbers say about what can't be told from them, one sentence each.
std::vector<std::string> calibration_findings(const CalibrationReport& report);
std::string calibration_text(const CalibrationReport& report);
/// { "schema": "convscope-calibration", "version": 1, … }: docs/nmp-calibration.md.
std::string calibration_json(const CalibrationReport& report);

}  // namespace convscope::figures
