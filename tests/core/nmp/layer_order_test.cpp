// What lies between layers orders all that must be ordered, whatever bytes they touch: paths through posts and barriers
// are followed here one by one.

#include "core/nmp/link/layer_order.h"

#include <gtest/gtest.h>

#include "random_problems.h"

namespace convscope::nmp {
namespace {

bool any_meet(const std::vector<ByteRange>& a, const std::vector<ByteRange>& b) {
  for (const ByteRange& one : a)
    for (const ByteRange& two : b)
      if (one.begin < two.end && two.begin < one.end) return true;
  return false;
}

/// Which crossings of which TLEs come after the end of a TLE's layer: those behind their waits.
class Followers {
 public:
  Followers(const std::vector<Crossing>& crossings, int tles, int layer, int tle)
      : crossings_(crossings), posted_(crossings.size(), std::vector<bool>(static_cast<std::size_t>(tles))) {
    passed_ = posted_;
    for (int c = layer; c < static_cast<int>(crossings.size()); ++c) cross(c, layer, tle, tles);
  }

  /// The layer of a TLE starts behind one of these crossings.
  bool include_start(int layer, int tle) const {
    for (int c = 0; c < layer; ++c)
      if (passed_[at(c)][at(tle)]) return true;
    return false;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void cross(int c, int layer, int tle, int tles) {
    const Crossing& crossing = crossings_[at(c)];
    if (crossing.kind == Crossing::Kind::none) return;
    for (int t = 0; t < tles; ++t) posted_[at(c)][at(t)] = (t == tle && c >= layer) || include_start(c, t);
    for (int t = 0; t < tles; ++t) {
      bool passes = posted_[at(c)][at(t)];
      for (int from = 0; from < tles; ++from) {
        if (crossing.kind == Crossing::Kind::barrier) {
          passes = passes || posted_[at(c)][at(from)];
          continue;
        }
        const bool now = (crossing.tles[at(from)].tells_now >> t & 1U) != 0;
        passes = passes || (now && posted_[at(c)][at(from)]);
        const bool before = c > 0 && crossings_[at(c - 1)].kind == Crossing::Kind::semaphores &&
                            (crossings_[at(c - 1)].tles[at(from)].tells_next >> t & 1U) != 0;
        passes = passes || (before && posted_[at(c - 1)][at(from)]);
      }
      passed_[at(c)][at(t)] = passes;
    }
  }

  const std::vector<Crossing>& crossings_;
  std::vector<std::vector<bool>> posted_, passed_;
};

std::vector<ByteRange> some_ranges(RandomProblems& random, int tle, int spread) {
  const std::int64_t begin = 10 * tle - random.pick(spread);
  return {{begin, begin + 1 + random.pick(10 + spread)}};
}

TEST(LayerOrder, OrdersAllThatTouchTheSameBytes) {
  RandomProblems random(11);
  int semaphores = 0, before = 0, barriers = 0, none = 0;
  for (int i = 0; i < 400; ++i) {
    const int tles = 1 + random.pick(6), layers = 2 + random.pick(12), spread = 1 + random.pick(12);
    std::vector<TouchedByTles> touched(static_cast<std::size_t>(layers));
    for (TouchedByTles& layer : touched)
      for (int tle = 0; tle < tles; ++tle) {
        const std::int64_t other = 1000 * random.pick(3);
        layer.push_back(
            {some_ranges(random, tle, spread), {{other + 10 * tle, other + 10 * tle + 1 + random.pick(9)}}});
      }
    const std::vector<Crossing> crossings = order_layers(touched, true);
    ASSERT_EQ(crossings.size(), touched.size() - 1);
    for (int a = 0; a < layers; ++a)
      for (int s = 0; s < tles; ++s) {
        const Followers followers(crossings, tles, a, s);
        for (int b = a + 1; b < layers; ++b)
          for (int k = 0; k < tles; ++k) {
            const TouchedBytes& one = touched[static_cast<std::size_t>(a)][static_cast<std::size_t>(s)];
            const TouchedBytes& two = touched[static_cast<std::size_t>(b)][static_cast<std::size_t>(k)];
            const bool must = any_meet(one.written, two.read) || any_meet(one.read, two.written) ||
                              any_meet(one.written, two.written);
            ASSERT_TRUE(!must || followers.include_start(b, k))
                << i << ": layer " << a << " TLE " << s << ", layer " << b << " TLE " << k;
          }
      }
    for (const Crossing& crossing : crossings) {
      semaphores += crossing.kind == Crossing::Kind::semaphores ? 1 : 0;
      barriers += crossing.kind == Crossing::Kind::barrier ? 1 : 0;
      none += crossing.kind == Crossing::Kind::none ? 1 : 0;
      for (const Crossing::OfTle& tle : crossing.tles) before += tle.waits_before;
    }
  }
  EXPECT_GT(semaphores, 100);
  EXPECT_GT(barriers, 50);
  EXPECT_GT(none, 50);
  EXPECT_GT(before, 50);
}

TEST(LayerOrder, IsByBarriersAloneInLockstep) {
  const std::vector<TouchedByTles> touched(3, {{{}, {{0, 4}}}, {{}, {{4, 8}}}});
  for (const Crossing& crossing : order_layers(touched, false)) EXPECT_EQ(crossing.kind, Crossing::Kind::barrier);
  for (const Crossing& crossing : order_layers(touched, true)) {
    EXPECT_EQ(crossing.kind, Crossing::Kind::semaphores);
    for (const Crossing::OfTle& tle : crossing.tles) EXPECT_EQ(tle.waits_now + tle.waits_before, 0);
  }
}

}  // namespace
}  // namespace convscope::nmp
