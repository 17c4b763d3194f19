#include "core/cpu/stored/stored_peers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/stored/accepted_runs.h"
#include "records.h"

namespace convscope::cpu::test {
namespace {

PeerOutcome peer(const std::string& name, double seconds) {
  PeerOutcome one{name, "jit", 64, record("", seconds).outcome};
  one.outcome.gated = false;
  return one;
}

RunAnswer answer(double ours, std::vector<PeerOutcome> peers) {
  return {std::move(peers), {record("", ours).outcome}, true};
}

TEST(StoredPeers, AreThoseOfTheNewestRunFastestFirst) {
  const Folder folder;
  const auto store = opened(folder.file());
  Diagnostics diagnostics;
  EXPECT_TRUE(stored_peers(*store, problem(), "here").empty());
  ASSERT_TRUE(keep_peers(*store, record("6x2", 0), answer(1e-3, {peer("old", 1e-3)}), diagnostics));
  PeerOutcome wrong = peer("wrong", 1e-6);
  wrong.outcome.ending = Ending::wrong_result;
  ASSERT_TRUE(
      keep_peers(*store, record("6x2", 0), answer(2e-3, {peer("slow", 5e-3), wrong, peer("fast", 3e-3)}), diagnostics));
  add(*store, record("4x2", 1e-3));
  EXPECT_THAT(stored_peers(*store, problem(), "here"),
              testing::ElementsAre(StoredPeer{"fast", "jit", 3e-3}, StoredPeer{"slow", "jit", 5e-3}));
  EXPECT_TRUE(stored_peers(*store, problem(), "elsewhere").empty());
  EXPECT_TRUE(stored_peers(*store, problem(32), "here").empty());
}

TEST(StoredPeers, AreNeitherOurBestNorASearch) {
  const Folder folder;
  const auto store = opened(folder.file());
  Diagnostics diagnostics;
  add(*store, record("4x2", 4e-3, "here", "guided, max error up to 0.0001"));
  ASSERT_TRUE(keep_peers(*store, record("6x2", 0), answer(2e-3, {peer("fast", 1e-3)}), diagnostics));
  const auto best = store->best(problem(), "here");
  ASSERT_TRUE(best);
  EXPECT_EQ(best->outcome.minimum, 2e-3);
  EXPECT_EQ(*best->path.find("tile"), "6x2");
  EXPECT_EQ(Acceptance(*store, problem(), "here").asked().bound, 1e-4);
}

}  // namespace
}  // namespace convscope::cpu::test
