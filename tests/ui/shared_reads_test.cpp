// Reads that several jobs want.

#include "ui/jobs/shared_reads.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace convscope::ui::test {
namespace {

using namespace std::chrono_literals;

class SharedReadsTest : public testing::Test {
 protected:
  /// A read that lasts until it is let go.
  std::function<std::optional<int>()> slow(std::optional<int> answer) {
    return [this, answer] {
      ++begun;
      while (!let_go) std::this_thread::sleep_for(1ms);
      return answer;
    };
  }
  void wait_for_begin() {
    while (begun == 0) std::this_thread::sleep_for(1ms);
  }

  SharedReads<int> reads;
  std::atomic<int> begun{0};
  std::atomic<bool> let_go{false};
};

TEST_F(SharedReadsTest, ReadsOnceForAll) {
  std::atomic<int> sum{0};
  {
    std::vector<std::jthread> jobs;
    for (int job = 0; job < 4; ++job) jobs.emplace_back([&] { sum += reads.get("a", slow(7), {}).value_or(0); });
    wait_for_begin();
    let_go = true;
  }
  EXPECT_EQ(sum, 28);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(reads.get("a", [] { return std::optional(8); }, {}), 7) << "it is kept";
}

TEST_F(SharedReadsTest, AKeyThatNeverAnswersHoldsBackNoOtherAndWhoWaitsCanBeStopped) {
  std::jthread reader([&] { reads.get("a", slow(7), {}); });
  wait_for_begin();
  EXPECT_EQ(reads.get("b", [] { return std::optional(2); }, {}), 2);
  std::stop_source stop;
  std::atomic<bool> cancelled{false};
  std::jthread waits([&] {
    try {
      reads.get("a", slow(7), stop.get_token());
    } catch (const Cancelled&) {
      cancelled = true;
    }
  });
  stop.request_stop();
  waits.join();
  EXPECT_TRUE(cancelled);
  let_go = true;
}

TEST_F(SharedReadsTest, WhatFailsIsReadAnew) {
  EXPECT_EQ(reads.get("a", [] { return std::optional<int>(); }, {}), std::nullopt);
  const auto stopped = []() -> std::optional<int> { throw Cancelled(); };
  EXPECT_THROW(reads.get("a", stopped, {}), Cancelled);
  EXPECT_EQ(reads.get("a", [] { return std::optional(7); }, {}), 7);
}

}  // namespace
}  // namespace convscope::ui::test
