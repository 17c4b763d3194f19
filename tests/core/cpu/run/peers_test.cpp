#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/run/measure.h"
#include "programs.h"

namespace convscope::cpu::test {
namespace {

RunAnswer with_peers(const Problem& problem, const std::string& body = "") {
  Diagnostics diagnostics;
  RunOptions options;
  options.sampling = {3, 0.02, false};
  const auto laboratory = Laboratory::open(problem, find_availability(), options, {}, diagnostics);
  if (!laboratory) return {};
  Outcome failure;
  const auto ours = laboratory->compile(plain_program(problem, body), {}, failure);
  if (!ours) return {};
  return laboratory->run_with_peers({*ours}, find_peers(), options, {});
}

class EachProblem : public testing::TestWithParam<const char*> {};

TEST_P(EachProblem, PeersComputeItToo) {
  if (find_peers().empty()) GTEST_SKIP() << "convscope-peers is not built here";
  Diagnostics diagnostics;
  const auto problem = parse_problem(GetParam(), diagnostics);
  ASSERT_TRUE(problem) << diagnostics.text();
  const RunAnswer answer = with_peers(*problem);
  ASSERT_TRUE(answer.complete);
  ASSERT_EQ(answer.programs.size(), 1U);
  EXPECT_TRUE(answer.programs[0].ran()) << answer.programs[0].message;
  ASSERT_GE(answer.peers.size(), 2U);
  for (const PeerOutcome& peer : answer.peers) {
    EXPECT_TRUE(peer.outcome.ran()) << peer.name << ": " << peer.outcome.message;
    EXPECT_GT(peer.outcome.ratio, 0);
    EXPECT_GT(peer.outcome.minimum, 0);
    EXPECT_FALSE(peer.implementation.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachProblem,
                         testing::Values("9x7x5 -> 6, 3x3", "8x8x16 -> 24, 1x1", "13x11x8 -> 16, 3x3, stride 2",
                                         "13x11x8 -> 8, 3x3, dilation 2", "9x9x8 -> 12, 3x3, groups 4",
                                         "9x9x8 -> 8, 3x3, stride 2, groups 8", "9x9x6 -> 4, 3x3, pad 0 0 1 2",
                                         "8x8x16 -> 24, 1x1, stride 2"));

TEST(Peers, AProgramThatCrashesBesideThemIsAnOutcome) {
  if (find_peers().empty()) GTEST_SKIP() << "convscope-peers is not built here";
  const RunAnswer answer = with_peers(small_problem(), "*(volatile int*)0 = 1;");
  EXPECT_FALSE(answer.complete);
  ASSERT_EQ(answer.programs.size(), 1U);
  EXPECT_EQ(answer.programs[0].ending, Ending::crash);
}

}  // namespace
}  // namespace convscope::cpu::test
