// What a drag repeats: parameters that no schedule depends on bring no pass to run again.
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/compile_layer.h"
#include "core/nve/nve_target.h"
#include "tests/core/nve/layers.h"
#include "tests/core/target/looked_at.h"

namespace convscope::nve {
namespace {

using testing::Pair;
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
  target::CountingCache cache_;
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

TEST(PassKeys, HoldWhatProgramsDependOnAndNoMore) {
  const std::set<std::string> scheduling = {"lanes",        "weight_registers",   "image_extension", "port_width",
                                            "local_buffer", "instruction_buffer", "memory",          "write_to_read",
                                            "read_to_set",  "set_to_use",         "output_latency",  "loop",
                                            "accumulators", "bias_shift"};
  network::Network network;
  network.layers = {test::make_layer(3, 3, 1, {16, 16}, {{0}, {0}}, 1)};
  const auto passes = target::looked_at(*make_nve_target(), network, 0, "fusion");
  EXPECT_THAT(passes, testing::UnorderedElementsAre(Pair("nve.body", scheduling), Pair("nve.body_schedule", scheduling),
                                                    Pair("nve.structure", scheduling), Pair("nve.fusion", scheduling),
                                                    Pair("nve.verdict", scheduling)));
}

}  // namespace
}  // namespace convscope::nve
