#include "core/target/pass.h"

#include <gtest/gtest.h>

#include "tests/core/target/counting_cache.h"

namespace convscope::target {
namespace {

struct Part {
  int lanes = 16;
};
struct Machine : Part {
  double clock_hz = 1e8;
};

int doubled(const PassRun&, int value) {
  return 2 * value;
}
constexpr Pass doubling{"doubling", doubled};

int lanes_of(const PassRun&, const Part& part, const std::string&) {
  return part.lanes;
}
constexpr Pass lanes{"lanes", lanes_of};

std::string written(const PassRun& run, const Remembered<int>& number) {
  return std::to_string(*number + *doubling(run, 1));
}
constexpr Pass writing{"writing", written};

int stopped(const PassRun&, int) {
  throw std::runtime_error("stopped");
}
constexpr Pass stopping{"stopping", stopped};

class Passes : public testing::Test {
 protected:
  CountingCache cache;
  std::stop_token stop;
  PassRun run{cache, stop};
};

TEST_F(Passes, RunOnceForEqualInputs) {
  EXPECT_EQ(*doubling(run, 3), 6);
  EXPECT_EQ(doubling(run, 3).pointer(), doubling(run, 3).pointer());
  EXPECT_EQ(*doubling(run, 4), 8);
  EXPECT_EQ(cache.count("doubling"), 2);
}

TEST_F(Passes, TakeTheirPartOfAMachineAlone) {
  Machine machine;
  EXPECT_EQ(*lanes(run, machine, "a"), 16);
  machine.clock_hz = 2e8;
  lanes(run, machine, "a");
  EXPECT_EQ(cache.count("lanes"), 1);
  lanes(run, machine, "b");
  machine.lanes = 32;
  EXPECT_EQ(*lanes(run, machine, "b"), 32);
  EXPECT_EQ(cache.count("lanes"), 3);
}

TEST_F(Passes, TakeWhatOthersReturned) {
  EXPECT_EQ(*writing(run, doubling(run, 3)), "8");
  EXPECT_EQ(*writing(run, doubling(run, 3)), "8");
  EXPECT_EQ(*writing(run, doubling(run, 4)), "10");
  EXPECT_EQ(cache.count("writing"), 2);
}

TEST_F(Passes, LetThroughWhatIsThrown) {
  EXPECT_THROW(stopping(run, 1), std::runtime_error);
}

}  // namespace
}  // namespace convscope::target
