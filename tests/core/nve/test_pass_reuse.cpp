// What a drag repeats: parameters that no schedule depends on bring no pass to run again.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/compile_layer.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve {
namespace {

/// Counts, by pass, what had to be computed.
class CountingCache : public target::PassCache {
 public:
  std::map<std::string, int> take_counts() { return std::exchange(counts_, {}); }

 protected:
  std::shared_ptr<const void> get_erased(std::string_view pass, const std::string& key,
                                         const std::function<std::shared_ptr<const void>()>& compute) override {
    auto& result = results_[std::string(pass) + key];
    if (result) return result;
    ++counts_[std::string(pass)];
    return result = compute();
  }

 private:
  std::map<std::string, std::shared_ptr<const void>> results_;
  std::map<std::string, int> counts_;
};

class PassReuse : public testing::Test {
 protected:
  /// Passes that compiling the second layer of the speed-sign network computes on the machine as it is.
  std::map<std::string, int> compile() {
    compile_layer(network_.layers[1], machine_, test::fusion, cache_, {});
    return cache_.take_counts();
  }

  Machine machine_;

 private:
  network::Network network_ = test::sample("speed_sign");
  CountingCache cache_;
};

const auto everything = testing::IsSupersetOf({testing::Key("nve.structure"), testing::Key("nve.verdict")});

TEST_F(PassReuse, SchedulesAndVerifiesOnce) {
  EXPECT_THAT(compile(), everything);
  EXPECT_THAT(compile(), testing::IsEmpty());
}

TEST_F(PassReuse, RunsNoPassAgainForClockCoresAndTransfers) {
  compile();
  machine_.clock_hz = 150e6;
  EXPECT_THAT(compile(), testing::IsEmpty());
  machine_.cores = 2;
  EXPECT_THAT(compile(), testing::IsEmpty());
  machine_.bandwidth = 500e6;
  machine_.transfer_mode = TransferMode::scatter_gather;
  EXPECT_THAT(compile(), testing::IsEmpty());
}

TEST_F(PassReuse, SchedulesAndVerifiesAgainForALatency) {
  compile();
  machine_.output_latency = 5;
  EXPECT_THAT(compile(), everything);
}

}  // namespace
}  // namespace convscope::nve
