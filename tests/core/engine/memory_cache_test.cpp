// The cache computes once, forgets the least recently used, and never deadlocks.

#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "core/engine/engine.h"
#include "remembered.h"

namespace convscope::engine {
namespace {

using IntPointer = std::shared_ptr<const int>;

/// Counts its computations.
struct Counter {
  target::PassCache& cache;
  std::atomic<int> computed = 0;

  int get(const std::string& key, int value = 0, const std::string& pass = "pass") {
    return *remembered<int>(cache, pass, key, [&]() -> IntPointer {
      ++computed;
      return std::make_shared<const int>(value);
    });
  }
};

TEST(MemoryCache, RemembersByPassAndKey) {
  const auto cache = make_memory_cache();
  Counter counter{*cache};
  EXPECT_EQ(counter.get("a", 1), 1);
  EXPECT_EQ(counter.get("a", 2), 1);
  EXPECT_EQ(counter.get("b", 3), 3);
  EXPECT_EQ(counter.get("a", 4, "other pass"), 4);
  EXPECT_EQ(counter.computed, 3);
}

TEST(MemoryCache, PassAndKeyDoNotRunTogether) {
  const auto cache = make_memory_cache();
  Counter counter{*cache};
  EXPECT_EQ(counter.get("bc", 1, "a"), 1);
  EXPECT_EQ(counter.get("c", 2, "ab"), 2);
}

TEST(MemoryCache, DropsTheLeastRecentlyUsed) {
  const auto cache = make_memory_cache(2);
  Counter counter{*cache};
  counter.get("a");
  counter.get("b");
  counter.get("a");  // b is now the oldest
  counter.get("c");
  EXPECT_EQ(counter.computed, 3);
  counter.get("a");
  counter.get("c");
  EXPECT_EQ(counter.computed, 3);
  counter.get("b");
  EXPECT_EQ(counter.computed, 4);
}

TEST(MemoryCache, DroppedValuesLiveOnWithTheirUsers) {
  const auto cache = make_memory_cache(1);
  const auto kept = remembered<int>(*cache, "pass", "a", [] { return std::make_shared<const int>(7); });
  Counter{*cache}.get("b");
  EXPECT_EQ(*kept, 7);
}

TEST(MemoryCache, AFailureLeavesNothingBehind) {
  const auto cache = make_memory_cache();
  Counter counter{*cache};
  EXPECT_THROW(remembered<int>(*cache, "pass", "a", []() -> IntPointer { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(counter.get("a", 5), 5);
  EXPECT_EQ(counter.computed, 1);
}

TEST(MemoryCache, OthersWaitForTheOneThatComputes) {
  const auto cache = make_memory_cache();
  std::atomic<int> computed = 0;
  std::latch start(8);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        for (int key = 0; key < 20; ++key) {
          const auto value = remembered<int>(*cache, "pass", std::to_string(key), [&]() -> IntPointer {
            ++computed;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return std::make_shared<const int>(key);
          });
          EXPECT_EQ(*value, key);
        }
      });
    }
  }
  EXPECT_EQ(computed, 20);
}

TEST(MemoryCache, AWaiterTakesOverAfterAFailure) {
  const auto cache = make_memory_cache();
  std::latch computing(1);
  std::jthread failing([&] {
    EXPECT_THROW(remembered<int>(*cache, "pass", "a",
                                 [&]() -> IntPointer {
                                   computing.count_down();
                                   std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                   throw std::runtime_error("no");
                                 }),
                 std::runtime_error);
  });
  computing.wait();
  Counter counter{*cache};
  EXPECT_EQ(counter.get("a", 9), 9);
  EXPECT_EQ(counter.computed, 1);
}

TEST(MemoryCache, PassesMayNest) {
  const auto cache = make_memory_cache();
  Counter counter{*cache};
  const auto outer =
      remembered<int>(*cache, "outer", "a", [&] { return std::make_shared<const int>(counter.get("a", 3) + 1); });
  EXPECT_EQ(*outer, 4);
}

TEST(MemoryCache, AThreadDoesNotWaitForItself) {
  const auto cache = make_memory_cache();
  Counter counter{*cache};
  const auto outer =
      remembered<int>(*cache, "pass", "a", [&] { return std::make_shared<const int>(counter.get("a", 3) + 1); });
  EXPECT_EQ(*outer, 4);
  EXPECT_EQ(counter.get("a"), 4);
}

TEST(MemoryCache, TwoThreadsDoNotWaitForEachOther) {
  // Each computes its own key and, on the same stack, asks for the other's, as stolen tasks can.
  const auto cache = make_memory_cache();
  std::latch both_compute(2);
  const auto ask = [&](const std::string& own, const std::string& other) {
    remembered<int>(*cache, "pass", own, [&]() -> IntPointer {
      both_compute.arrive_and_wait();
      remembered<int>(*cache, "pass", other, [] { return std::make_shared<const int>(1); });
      return std::make_shared<const int>(2);
    });
  };
  std::jthread one([&] { ask("a", "b"); });
  std::jthread two([&] { ask("b", "a"); });
}

}  // namespace
}  // namespace convscope::engine
