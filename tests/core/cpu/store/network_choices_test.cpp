// Which stored program a network runs.
#include <set>

#include <gtest/gtest.h>

#include "core/cpu/network/choices.h"
#include "core/cpu/stored/stored_peers.h"
#include "core/cpu/tree/tree.h"
#include "records.h"

namespace convscope::cpu::test {
namespace {

/// Drawn ones that take rows of pixels and give them.
std::vector<Path> paths_of_pixels(std::size_t count) {
  Diagnostics diagnostics;
  const Weights weights = *standard_weights(diagnostics);
  TreeMachine machine{{Family::avx2}, 1 << 20, 1};
  machine.methods = Methods::direct;
  std::vector<Path> paths;
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 1; seed < 5000 && paths.size() < count; ++seed) {
    const auto path = draw(problem(), machine, weights, Drawing::weighted, seed);
    if (!path || !path->find("image") || *path->find("image") != "HWC" || *path->find("output") != "HWM") continue;
    if (describe(problem(), *path, diagnostics) && seen.insert(hash(*path)).second) paths.push_back(*path);
  }
  EXPECT_EQ(paths.size(), count);
  return paths;
}

class NetworkChoices : public testing::Test {
 protected:
  void ran(const Path& path, double seconds, std::string_view algorithm = "guided") {
    Record one = record("", seconds, "here", std::string(algorithm));
    one.path = path;
    one.outcome.flags = algorithm;
    add(*store_, one);
  }
  /// For these layouts, from the records alone.
  ProgramChoice chosen() {
    const auto choices = choices_of(problem(), *store_, "here", Machine{});
    EXPECT_EQ(choices.size(), 1U);
    return choices.empty() ? ProgramChoice{} : choices.front();
  }

  Folder folder_;
  std::unique_ptr<Store> store_ = opened(folder_.file());
  const std::vector<Path> paths_ = paths_of_pixels(3);
};

TEST_F(NetworkChoices, AreTheFastestInTurnWithOthers) {
  ran(paths_[0], .8);
  ran(paths_[0], 1.2, "final");
  ran(paths_[1], 1.0);
  ran(paths_[1], 1.1, beside_peers);
  EXPECT_EQ(chosen().path, paths_[1]);
  EXPECT_DOUBLE_EQ(chosen().seconds, 1.1);
  EXPECT_EQ(chosen().flags, beside_peers);
}

TEST_F(NetworkChoices, TakeWhatRanAloneForSlowerThanItWas) {
  ran(paths_[0], .8);
  ran(paths_[0], 1.2, "compilers");
  ran(paths_[2], .9);
  EXPECT_EQ(chosen().path, paths_[0]) << "the other is reckoned as 1.35";
  ran(paths_[2], .7);
  EXPECT_EQ(chosen().path, paths_[2]);
  EXPECT_DOUBLE_EQ(chosen().seconds, .7 * 1.2 / .8);
}

TEST_F(NetworkChoices, AreTheFastestAloneWhereNothingRanInTurn) {
  ran(paths_[0], .8);
  ran(paths_[1], .7);
  EXPECT_EQ(chosen().path, paths_[1]);
  EXPECT_DOUBLE_EQ(chosen().seconds, .7);
}

}  // namespace
}  // namespace convscope::cpu::test
