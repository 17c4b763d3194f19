#include "core/figures/tso/tso_calibration.h"

#include <cmath>

#include "core/figures/tso/tso_networks.h"

namespace convscope::figures {
namespace {

using nmp::FittedRanges;

constexpr double stated_cas = 14;      // ns, section I
constexpr double free_cas = 50;        // ns: beyond any DRAM
constexpr double least_bandwidth = 4;  // GB/s: what CAS gives up, bandwidth must be able to take
constexpr double profile_cas[] = {0, 5, 10, 14, 20, 25};

FittedRanges fixed_at(const nmp::FittedValues& values) {
  FittedRanges ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i) ranges[i] = {values[i], values[i]};
  return ranges;
}

/// The preset's MAC efficiency, which was measured, and CAS latency, which is stated; the other two free.
FittedRanges stated_ranges(const nmp::FittedValues& preset, double cas) {
  FittedRanges ranges = physical_ranges();
  ranges[0] = {preset[0], preset[0]};
  ranges[nmp::fitted_cas] = {cas, cas};
  return ranges;
}

std::vector<CalibrationVariant> variants_of(const FittedRanges& wanted, const nmp::FittedValues& preset) {
  FittedRanges without_cas = stated_ranges(preset, stated_cas);
  without_cas[nmp::fitted_cas] = {0, free_cas};
  without_cas[1].low = least_bandwidth;
  return {{"preset", "preset nmp-board, nothing fitted", fixed_at(preset), {}, {}},
          {"stated", "MAC efficiency and CAS as the paper has them", stated_ranges(preset, stated_cas), {}, {}},
          {"ranges", "all four inside physical ranges", wanted, {}, {}},
          {"cas-free", "as 'stated', but any CAS and bandwidth", without_cas, {}, {}}};
}

bool anything_free(const FittedRanges& ranges) {
  for (const nmp::FittedRange& range : ranges)
    if (!range.fixed()) return true;
  return false;
}

std::optional<std::vector<nmp::Measurement>> measurements(const Environment& environment, Diagnostics& diagnostics) {
  std::vector<nmp::Measurement> found;
  for (const TsoNetwork& network : tso_networks(environment, diagnostics)) {
    const std::string& name = network.network->name;
    const auto seconds = environment.published->find("tso-table1-burst", name, "", "seconds");
    if (!seconds) {
      diagnostics.error({}, "Table I has no published time of network '" + name + "'");
      return std::nullopt;
    }
    found.push_back(nmp::measurement(name, network.convolutions, *seconds));
  }
  if (found.empty()) return std::nullopt;
  return found;
}

}  // namespace

double CalibrationVariant::left_out_mean() const {
  double sum = 0;
  for (const nmp::LeftOut& each : left_out) sum += std::abs(each.error);
  return left_out.empty() ? 0 : sum / static_cast<double>(left_out.size());
}

FittedRanges physical_ranges() {
  return {{{0.70, 0.80}, {10, 17.066}, {10, 20}, {0, 2000}}};
}

std::optional<CalibrationReport> calibrate_tso(const FittedRanges& ranges, const Environment& environment,
                                               Diagnostics& diagnostics) {
  const auto machine = tso_machine(environment, diagnostics);
  auto measured = measurements(environment, diagnostics);
  if (!machine || !measured) return std::nullopt;
  CalibrationReport report;
  for (const nmp::Measurement& each : *measured) {
    report.networks.push_back(each.name);
    report.published.push_back(each.seconds);
  }
  const auto parallel = [&](int count, const std::function<void(int)>& body) {
    environment.executor->parallel_for(count, body);
  };
  const nmp::FittedValues preset = nmp::fitted_values(*machine);
  report.variants = variants_of(ranges, preset);
  const double jobs = static_cast<double>(report.variants.size() + std::size(profile_cas));
  double done = 0;
  const auto progress = [&](double fraction, const std::string& activity) {
    if (environment.progress) environment.progress((done + fraction) / jobs, activity);
  };
  nmp::Calibration calibration(std::move(*measured), *machine, parallel, environment.stop, {});
  for (CalibrationVariant& variant : report.variants) {
    progress(0, variant.title);
    variant.fit = calibration.fit(variant.ranges);
    if (anything_free(variant.ranges)) variant.left_out = calibration.leave_one_out(variant.ranges);
    ++done;
  }
  for (const double cas : profile_cas) {
    progress(0, "CAS latency held");
    nmp::FittedRanges held = stated_ranges(preset, cas);
    held[1].low = least_bandwidth;
    report.profile.push_back({cas, calibration.fit(held)});
    ++done;
  }
  return report;
}

}  // namespace convscope::figures
