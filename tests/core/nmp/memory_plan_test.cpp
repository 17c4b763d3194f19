// Where maps lie over one another.

#include "core/nmp/link/memory_plan.h"

#include <gtest/gtest.h>

#include "random_problems.h"

namespace convscope::nmp {
namespace {

TEST(MemoryPlans, LayMapsOverOneAnother) {
  RandomProblems random(4);
  int at_bound = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Lifetime> lifetimes;
    for (int n = 1 + random.pick(20); n > 0; --n) {
      const int first = random.pick(12);
      lifetimes.push_back({1 + random.pick(5000), first, first + random.pick(4)});
    }
    const MemoryPlan plan = plan_memory(lifetimes, 128);
    for (std::size_t a = 0; a < lifetimes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const bool meet = lifetimes[a].first <= lifetimes[b].last && lifetimes[b].first <= lifetimes[a].last;
        const bool apart = plan.first_bytes[a] + lifetimes[a].bytes <= plan.first_bytes[b] ||
                           plan.first_bytes[b] + lifetimes[b].bytes <= plan.first_bytes[a];
        ASSERT_TRUE(!meet || apart) << i;
      }
    ASSERT_GE(plan.bytes, plan.bound);
    at_bound += plan.bytes == plan.bound ? 1 : 0;
  }
  EXPECT_GT(at_bound, 200);
}

}  // namespace
}  // namespace convscope::nmp
