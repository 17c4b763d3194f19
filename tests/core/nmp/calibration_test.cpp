#include "core/nmp/calibration/calibration.h"

#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "core/nmp/search/solution.h"
#include "networks.h"

namespace convscope::nmp {
namespace {

/// The paper's way to charge border tiles.
Machine paper_machine() {
  Machine machine;
  machine.borders = Borders::full;
  return machine;
}

void one_by_one(int count, const std::function<void(int)>& body) {
  for (int i = 0; i < count; ++i) body(i);
}

std::vector<Convolution> convolutions(const PaperNetwork& network) {
  std::vector<Convolution> found;
  std::string reason;
  for (const network::Layer& layer : network.layers) found.push_back(*convolution_of(layer, reason));
  return found;
}

double seconds(const std::vector<Convolution>& all, const Machine& machine) {
  target::NoCache cache;
  double sum = 0;
  for (const Convolution& each : all) sum += solve(each, machine, {}, cache, {})->seconds.total();
  return sum;
}

/// A board whose times are known because they are ours.
class KnownBoard : public testing::Test {
 protected:
  KnownBoard() {
    for (const std::size_t index : {1, 2, 4}) {
      const PaperNetwork network = paper_networks()[index];
      const auto all = convolutions(network);
      measured_.push_back(measurement(network.name, all, seconds(all, with_values(paper_machine(), truth_))));
    }
  }

  Calibration calibration(ParallelFor parallel = one_by_one, std::stop_token stop = {}) {
    return {measured_, paper_machine(), std::move(parallel), std::move(stop), {}};
  }

  FittedValues truth_{0.75, 13, 14, 430};
  FittedRanges ranges_{{{0.75, 0.75}, {10, 17.066}, {14, 14}, {0, 2000}}};
  std::vector<Measurement> measured_;
};

TEST_F(KnownBoard, IsFoundAgain) {
  const Fit fit = calibration().fit(ranges_);
  EXPECT_NEAR(fit.values[1], truth_[1], 0.01 * truth_[1]);
  EXPECT_NEAR(fit.values[3], truth_[3], 0.01 * truth_[3]);
  EXPECT_EQ(fit.values[0], truth_[0]);
  EXPECT_EQ(fit.values[2], truth_[2]);
  EXPECT_LT(fit.largest_error(), 0.002);
}

TEST_F(KnownBoard, ForetellsNetworksThatWereLeftOut) {
  const auto left_out = calibration().leave_one_out(ranges_);
  ASSERT_EQ(left_out.size(), measured_.size());
  for (const LeftOut& each : left_out) EXPECT_LT(std::abs(each.error), 0.05);
}

TEST_F(KnownBoard, EqualConvolutionsAreCountedNotRepeated) {
  const auto all = convolutions(paper_networks()[2]);
  const Measurement once = measurement("MobileNetV2", all, 1);
  EXPECT_EQ(once.parts.size(), 30u);
  int count = 0;
  for (const auto& part : once.parts) count += part.count;
  EXPECT_EQ(count, 52);
}

TEST_F(KnownBoard, ErrorsAreThoseOfASearchAtTheValues) {
  const FittedValues values{0.8, 16, 10, 100};
  const Fit fit = calibration().evaluate(values);
  const Machine machine = with_values(paper_machine(), values);
  EXPECT_NEAR(fitted_values(machine)[3], values[3], 1e-9);
  for (std::size_t i = 0; i < measured_.size(); ++i) {
    double sum = 0;
    for (const auto& part : measured_[i].parts) sum += part.count * seconds({part.convolution}, machine);
    EXPECT_NEAR(fit.errors[i], sum / measured_[i].seconds - 1, 1e-12);
  }
}

TEST_F(KnownBoard, IsTheSameFitForAnyNumberOfThreads) {
  const auto two = [](int count, const std::function<void(int)>& body) {
    std::jthread other([&] {
      for (int i = 1; i < count; i += 2) body(i);
    });
    for (int i = 0; i < count; i += 2) body(i);
  };
  const Fit alone = calibration().fit(ranges_), shared = calibration(two).fit(ranges_);
  EXPECT_EQ(alone.values, shared.values);
  EXPECT_EQ(alone.errors, shared.errors);
}

TEST_F(KnownBoard, ARangeThatExcludesTheTruthEndsAtItsLimit) {
  ranges_[1] = {14, 17.066};
  const Fit fit = calibration().fit(ranges_);
  EXPECT_EQ(fit.values[1], 14);
  EXPECT_GT(fit.root_mean_square, 0);
}

TEST_F(KnownBoard, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  Calibration stopped = calibration(one_by_one, source.get_token());
  EXPECT_THROW(stopped.fit(ranges_), Cancelled);
}

}  // namespace
}  // namespace convscope::nmp
