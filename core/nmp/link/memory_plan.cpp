#include "core/nmp/link/memory_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

bool meet(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

using Stretch = std::pair<std::int64_t, std::int64_t>;

/// The smallest gap between these that has room, or behind them.
std::int64_t best_place(std::vector<Stretch> taken, std::int64_t bytes) {
  std::sort(taken.begin(), taken.end());
  std::int64_t end = 0, best = -1, least = std::numeric_limits<std::int64_t>::max();
  for (const auto& [first, last] : taken) {
    const std::int64_t gap = first - end;
    if (gap >= bytes && gap < least) {
      best = end;
      least = gap;
    }
    end = std::max(end, last);
  }
  return best >= 0 ? best : end;
}

std::int64_t most_at_once(const std::vector<Lifetime>& lifetimes, const std::vector<std::int64_t>& sizes) {
  std::int64_t most = 0;
  for (const Lifetime& at : lifetimes) {  // the sum is greatest where something begins
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < lifetimes.size(); ++i)
      if (lifetimes[i].first <= at.first && at.first <= lifetimes[i].last) sum += sizes[i];
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

MemoryPlan plan_memory(const std::vector<Lifetime>& lifetimes, std::int64_t alignment) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(lifetimes.size());
  for (const Lifetime& lifetime : lifetimes) sizes.push_back(divide_up(lifetime.bytes, alignment) * alignment);
  std::vector<std::size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  MemoryPlan plan;
  plan.first_bytes.assign(lifetimes.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<Stretch> taken;
    for (std::size_t j = 0; j < i; ++j)
      if (meet(lifetimes[order[i]], lifetimes[order[j]]))
        taken.emplace_back(plan.first_bytes[order[j]], plan.first_bytes[order[j]] + sizes[order[j]]);
    plan.first_bytes[order[i]] = best_place(std::move(taken), sizes[order[i]]);
    plan.bytes = std::max(plan.bytes, plan.first_bytes[order[i]] + sizes[order[i]]);
  }
  plan.bound = most_at_once(lifetimes, sizes);
  return plan;
}

}  // namespace convscope::nmp
