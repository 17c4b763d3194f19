#include "core/cpu/store/store.h"

#include <thread>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "records.h"

namespace convscope::cpu::test {
namespace {

TEST(Store, KeepsEverythingOfAMeasurement) {
  const Folder folder;
  const Record kept = record("6x2", 1e-3);
  add(*opened(folder.file()), kept);
  const auto found = opened(folder.file())->best(problem(), "here");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->problem, kept.problem);
  EXPECT_EQ(found->path, kept.path);
  EXPECT_EQ(found->source_hash, kept.source_hash);
  EXPECT_EQ(found->seed, 3U);
  EXPECT_EQ(found->outcome.median, kept.outcome.median);
  EXPECT_TRUE(found->outcome.gated);
  EXPECT_EQ(found->outcome.flags, "-O2");
  EXPECT_EQ(found->date.size(), 20U);
}

TEST(Store, TheBestIsTheFastestThatRanOnThatHost) {
  const Folder folder;
  const auto store = opened(folder.file());
  add(*store, record("6x2", 3e-3));
  add(*store, record("4x2", 2e-3));
  add(*store, record("8x1", 1e-3, "elsewhere"));
  Record wrong = record("2x2", 1e-6);
  wrong.outcome.ending = Ending::wrong_result;
  add(*store, wrong);
  EXPECT_EQ(*store->best(problem(), "here")->path.find("tile"), "4x2");
  EXPECT_EQ(*store->best(problem(), "elsewhere")->path.find("tile"), "8x1");
  EXPECT_EQ(store->best(problem(), "")->host, "elsewhere");
  EXPECT_FALSE(store->best(problem(), "nowhere"));
  EXPECT_FALSE(store->best(problem(17), "here"));
  EXPECT_EQ(store->runs(problem(), 100).size(), 4U);
  EXPECT_EQ(*store->runs(problem(), 1)[0].path.find("tile"), "2x2");
}

TEST(Store, FinalsStandAboveSearches) {
  const Folder folder;
  const auto store = opened(folder.file());
  add(*store, record("6x2", 1e-3));
  add(*store, record("4x2", 2e-3, "here", "final"));
  EXPECT_EQ(*store->best(problem(), "here")->path.find("tile"), "4x2");
}

TEST(Store, ASearchFindsItsOwnMeasurements) {
  const Folder folder;
  const auto store = opened(folder.file());
  const Record mine = record("6x2", 1e-3);
  add(*store, mine);
  SearchIdentity search{"here", "g++ 12", "-O2", "guided", 3};
  ASSERT_TRUE(store->find(problem(), mine.path, search));
  EXPECT_EQ(store->find(problem(), mine.path, search)->minimum, 1e-3);
  EXPECT_FALSE(store->find(problem(), record("4x2", 1).path, search));
  EXPECT_FALSE(store->find(problem(17), mine.path, search));
  for (std::string* part : {&search.host, &search.compiler, &search.flags, &search.algorithm}) {
    const std::string before = *part;
    *part = "another";
    EXPECT_FALSE(store->find(problem(), mine.path, search));
    *part = before;
  }
  search.seed = 4;
  EXPECT_FALSE(store->find(problem(), mine.path, search));
}

TEST(Store, ItsHashChangesWithTheBest) {
  const Folder folder;
  const auto store = opened(folder.file());
  const std::uint64_t none = store->content_hash();
  add(*store, record("6x2", 2e-3));
  const std::uint64_t first = store->content_hash();
  EXPECT_NE(first, none);
  EXPECT_EQ(opened(folder.file())->content_hash(), first);
  add(*store, record("4x2", 3e-3));
  EXPECT_EQ(store->content_hash(), first);
  add(*store, record("8x1", 1e-3));
  EXPECT_NE(store->content_hash(), first);
}

TEST(Store, HostsHaveTheirCalibration) {
  const Folder folder;
  const auto store = opened(folder.file());
  Host host;
  host.model = "Made-up 9000";
  host.features = "scalar avx2";
  host.l1 = 32768;
  EXPECT_FALSE(store->calibration(host.identity()));
  Diagnostics diagnostics;
  ASSERT_TRUE(store->add(host, {1, 2, 3, 4, 5, 6, 7, 8}, diagnostics));
  const auto roofs = store->calibration(host.identity());
  ASSERT_TRUE(roofs);
  EXPECT_EQ(roofs->flops_512, 3);
  EXPECT_EQ(roofs->dram, 7);
  EXPECT_EQ(roofs->clock, 8);
  ASSERT_EQ(store->hosts().size(), 1U);
  EXPECT_EQ(store->hosts()[0].model, host.model);
}

TEST(Store, TwoProcessesWriteAtOnce) {
  const Folder folder;
  const auto write = [&](const std::string& host) {
    Diagnostics diagnostics;
    const auto store = Store::open(folder.file(), diagnostics);
    bool good = store != nullptr;
    for (int i = 0; good && i < 50; ++i) good = store->add(record(std::to_string(i) + "x1", 1e-3, host), diagnostics);
    return good;
  };
  const pid_t child = fork();
  if (child == 0) _exit(write("child") ? 0 : 1);
  EXPECT_TRUE(write("parent"));
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(opened(folder.file())->runs(problem(), 1000).size(), 100U);
}

}  // namespace
}  // namespace convscope::cpu::test
