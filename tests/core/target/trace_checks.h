// What holds for the trace of any target.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/target/trace.h"

namespace convscope::target {

inline std::vector<artifact::CycleChanges> all_changes(const Trace& trace) {
  std::vector<artifact::CycleChanges> all;
  trace.visit(0, trace.cycles(),
              [&](const artifact::CycleChanges& changes) {
                all.push_back(changes);
                return true;
              },
              {});
  return all;
}

/// Searches from random cycles, predicates in turn, find what looking at every cycle finds.
inline void expect_searches_find(const Trace& trace, const std::vector<artifact::CycleChanges>& all,
                                 const std::vector<TracePredicate>& predicates, int searches) {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<std::int64_t> any(0, trace.cycles() - 1);
  for (int i = 0; i < searches; ++i) {
    const TracePredicate& predicate = predicates[static_cast<std::size_t>(i) % predicates.size()];
    const std::int64_t from = any(random);
    std::optional<std::int64_t> behind, before;
    for (const artifact::CycleChanges& changes : all) {
      if (!predicate.holds(changes)) continue;
      if (changes.cycle < from) before = changes.cycle;
      if (changes.cycle > from && !behind) behind = changes.cycle;
    }
    EXPECT_EQ(trace.next(predicate, from, Direction::forwards), behind);
    EXPECT_EQ(trace.next(predicate, from, Direction::backwards), before);
  }
}

}  // namespace convscope::target
