// Both executors keep the interface's promises.

#include <atomic>
#include <condition_variable>
#include <numeric>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "tests/core/engine/counting_target.h"

namespace convscope::engine::test {
namespace {

class ExecutorTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ExecutorTest, testing::ValuesIn(executor_kinds()),
                         [](const auto& kind) { return kind.param; });

TEST_P(ExecutorTest, RunsEachIndexOnce) {
  for (const int threads : {1, 2, 4}) {
    const auto executor = make_executor(GetParam(), threads);
    for (const int count : {0, 1, 3, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
      executor->parallel_for(count, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      for (const auto& run : runs) EXPECT_EQ(run, 1);
    }
  }
}

TEST_P(ExecutorTest, OneThreadRunsInAscendingOrder) {
  const auto executor = make_executor(GetParam(), 1);
  std::vector<int> order, ascending(50);
  std::iota(ascending.begin(), ascending.end(), 0);
  executor->parallel_for(50, [&](int i) { order.push_back(i); });
  EXPECT_EQ(order, ascending);
}

TEST_P(ExecutorTest, RethrowsTheSmallestIndexAfterTheRestFinished) {
  const auto executor = make_executor(GetParam(), 4);
  std::atomic<int> runs = 0;
  try {
    executor->parallel_for(100, [&](int i) {
      ++runs;
      if (i % 30 == 29) throw std::runtime_error(std::to_string(i));
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "29");
  }
  EXPECT_EQ(runs, 100);
}

TEST_P(ExecutorTest, NestsWithoutDeadlock) {
  const auto executor = make_executor(GetParam(), 2);
  std::atomic<int> runs = 0;
  executor->parallel_for(8, [&](int) { executor->parallel_for(8, [&](int) { ++runs; }); });
  EXPECT_EQ(runs, 64);
}

TEST_P(ExecutorTest, RunsBodiesAtTheSameTime) {
  const auto executor = make_executor(GetParam(), 2);
  std::mutex mutex;
  std::condition_variable met;
  int present = 0;
  executor->parallel_for(2, [&](int) {
    std::unique_lock lock(mutex);
    ++present;
    met.notify_all();
    EXPECT_TRUE(met.wait_for(lock, std::chrono::seconds(60), [&] { return present == 2; }));
  });
}

TEST_P(ExecutorTest, DestructorWaitsForPostedTasks) {
  std::atomic<int> runs = 0;
  {
    const auto executor = make_executor(GetParam(), 2);
    for (int i = 0; i < 20; ++i) {
      executor->post([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++runs;
      });
    }
  }
  EXPECT_EQ(runs, 20);
}

TEST_P(ExecutorTest, PostedTaskMayUseParallelFor) {
  std::atomic<int> runs = 0;
  {
    const auto executor = make_executor(GetParam(), 1);
    executor->post([&] { executor->parallel_for(5, [&](int) { ++runs; }); });
  }
  EXPECT_EQ(runs, 5);
}

TEST_P(ExecutorTest, ConcurrencyIsThatAskedFor) {
  EXPECT_EQ(make_executor(GetParam(), 3)->concurrency(), 3);
  EXPECT_GE(make_executor(GetParam(), 0)->concurrency(), 1);
}

}  // namespace
}  // namespace convscope::engine::test
