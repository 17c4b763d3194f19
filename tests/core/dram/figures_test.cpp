// Our simulator against the bandwidths that another one measured.

#include "figures.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/dram/simulate/simulate.h"

namespace convscope::dram {
namespace {

Simulation simulate_figure(const Parameters& p, const Figure& figure, bool write) {
  std::size_t next = 1;
  Lines lines(figure.patterns.front(), p.organization.line_bytes());
  std::uint64_t last = ~std::uint64_t{0};
  return simulate(p, [&](Request& request) {
    for (;;) {
      if (lines.done()) {
        if (next == figure.patterns.size()) return false;
        lines = Lines(figure.patterns[next++], p.organization.line_bytes());
        continue;
      }
      request = {lines.address(), write, false};
      lines.next();
      if (request.address == last) continue;
      last = request.address;
      return true;
    }
  });
}

TEST(DramFigures, AreMetWithinThreePercentOnAverageAndEightAtMost) {
  const auto memories = measured_memories();
  if (memories.empty()) GTEST_SKIP() << "no DRAM figures at " << CONVSCOPE_DRAM_FIGURES;
  struct Errors {
    double sum = 0, worst = 0;
    int count = 0;
  };
  std::map<std::string, Errors> all;
  for (const Figure& figure : measured_figures()) {
    const Parameters& p = memories.at(figure.memory);
    ASSERT_EQ(contradiction(p), "") << figure.memory;
    if (figure.run_bytes < p.organization.line_bytes()) continue;
    for (const bool write : {false, true}) {
      const double seconds = static_cast<double>(simulate_figure(p, figure, write).cycles) / p.organization.clock_hz;
      const double measured = write ? figure.write : figure.read;
      const double error = std::abs(static_cast<double>(figure.useful_bytes()) / seconds / measured - 1);
      EXPECT_LT(error, 0.08) << figure.memory << ", " << figure.what << (write ? ", writes" : ", reads");
      Errors& errors = all[figure.memory + (write ? " writes" : " reads")];
      errors.sum += error;
      errors.worst = std::max(errors.worst, error);
      ++errors.count;
    }
  }
  EXPECT_EQ(all.size(), 10U);
  for (const auto& [name, errors] : all) {
    EXPECT_GT(errors.count, 10) << name;
    EXPECT_LT(errors.sum / errors.count, 0.03) << name;
    RecordProperty(name + " worst", std::to_string(errors.worst));
  }
}

// A kind is what was measured but for the refresh interval, which the other simulator didn't read from two files.
TEST(DramFigures, HaveTheirMemoriesAmongTheKinds) {
  const auto memories = measured_memories();
  if (memories.empty()) GTEST_SKIP() << "no DRAM figures at " << CONVSCOPE_DRAM_FIGURES;
  for (auto [name, measured] : memories) {
    Parameters ours = kind(name);
    EXPECT_NEAR(ours.organization.clock_hz, measured.organization.clock_hz, 1e5) << name;
    measured.organization.clock_hz = ours.organization.clock_hz;
    if (measured.timings.tREFI == 7800) measured.timings.tREFI = ours.timings.tREFI;
    EXPECT_EQ(ours, measured) << name;
  }
}

}  // namespace
}  // namespace convscope::dram
