#include <csignal>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/sqlite.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

const char* const grid_of_60 =
    "<parameter name='lanes'>1 2 4 8 16 32</parameter><parameter name='bandwidth' from='10' to='100' step='10'/>"
    "<constraint reason='too lean'>bandwidth > lanes</constraint>";

struct Outcome {
  SweepEnd end = SweepEnd::failed;
  SweepState state;
  std::vector<std::shared_ptr<const PointResult>> results;
};

std::unique_ptr<ResultsFile> open_file(const std::string& path, const std::shared_ptr<const Space>& space,
                                       const StrategyOptions& options = {}) {
  Diagnostics diagnostics;
  auto file = ResultsFile::resume(path, space, {"test 1", strategy_text(options), options.shard}, diagnostics);
  EXPECT_TRUE(file) << diagnostics.text();
  return file;
}

Outcome run(const std::shared_ptr<const Space>& space, ResultsFile* file, const StrategyOptions& options = {},
            int threads = 2, const std::stop_token& stop = {}, const SweepListener& listener = {}) {
  Sweep sweep(space, make_strategy(options, space), file);
  sweep.keep_results();
  const auto executor = engine::make_thread_executor(threads);
  const auto cache = make_sweep_cache();
  Diagnostics diagnostics;
  const SweepEnd end = sweep.run(*executor, *cache, stop, listener, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  return {end, sweep.state(), sweep.results_from(0)};
}

/// Runs to the end and finishes the file.
void complete(const std::string& path, const std::shared_ptr<const Space>& space, const StrategyOptions& options = {},
              int threads = 2) {
  const auto file = open_file(path, space, options);
  ASSERT_EQ(run(space, file.get(), options, threads).end, SweepEnd::finished);
  Diagnostics diagnostics;
  ASSERT_TRUE(file->finish(diagnostics)) << diagnostics.text();
}

TEST(Sweep, ComputesEachPassOnceForAllMachinesThatShareIt) {
  const MadeUpSources sources;
  const auto space = space_of(space_xml(grid_of_60), sources);
  const Outcome all = run(space, nullptr);
  EXPECT_EQ(all.end, SweepEnd::finished);
  EXPECT_EQ(sources.counting->schedules(), 6 * 3) << "lanes x layers: bandwidth reschedules nothing";
  EXPECT_EQ(sources.counting->transfers(), 10 * 3);
  EXPECT_EQ(all.state.seen, 60u);
  EXPECT_EQ(all.state.share(), 1);
  EXPECT_EQ(all.state.removed.at("too lean"), 1u + 3u);
}

TEST(Sweep, ItsFrontIsThatOfAllItsResults) {
  const auto space = space_of(space_xml(grid_of_60), MadeUpSources());
  const Outcome all = run(space, nullptr);
  Front front;
  for (const auto& result : all.results)
    if (const auto vector = objective_vector(*result, *space)) front.add(result->point, *vector);
  EXPECT_EQ(all.state.front, front.members());
  ASSERT_FALSE(front.members().empty());
}

TEST(Sweep, TheSameSpaceGivesTheSameBytesWhateverTheThreadsAndShards) {
  const Folder folder;
  const auto space = space_of(space_xml(grid_of_60), MadeUpSources());
  complete(folder.path("one"), space, {}, 1);
  complete(folder.path("four"), space, {}, 4);
  EXPECT_EQ(bytes_of(folder.path("one")), bytes_of(folder.path("four")));
  std::vector<std::string> parts;
  for (std::uint64_t part = 0; part < 3; ++part) {
    parts.insert(parts.begin(), folder.path("part" + std::to_string(part)));
    complete(parts.front(), space, {StrategyKind::grid, 0, 1, {part, 3}});
  }
  Diagnostics diagnostics;
  ASSERT_TRUE(merge_results(parts, folder.path("merged"), diagnostics)) << diagnostics.text();
  EXPECT_EQ(bytes_of(folder.path("one")), bytes_of(folder.path("merged")));
  EXPECT_FALSE(bytes_of(folder.path("one")).empty());
}

/// Points whose program our own verifier refuses are told and stored as what they are: neither mapped nor removed.
TEST(Sweep, NamesItsOwnFaults) {
  const Folder folder;
  const MadeUpSources sources;
  sources.counting->faulty_layer = 1;
  sources.counting->faulty_lanes = 8;
  const auto space = space_of(space_xml(grid_of_60), sources);
  const std::string reason = "internal error: layer 'L2': a made-up verifier refuses it";
  {
    const auto file = open_file(folder.path("results"), space);
    const Outcome all = run(space, file.get());
    EXPECT_EQ(all.end, SweepEnd::finished);
    EXPECT_EQ(all.state.failed, (std::map<std::string, std::uint64_t>{{reason, 10}}));
    EXPECT_EQ(all.state.removed.count(reason), 0u);
  }
  const auto file = open_file(folder.path("results"), space);
  const Outcome resumed = run(space, file.get());
  EXPECT_EQ(resumed.state.compiled, 0u);
  EXPECT_EQ(resumed.state.failed.at(reason), 10u);
  Diagnostics diagnostics;
  ASSERT_TRUE(file->finish(diagnostics)) << diagnostics.text();
  const Database database(folder.path("results"), Database::Access::read);
  EXPECT_EQ(database.integer("SELECT count(*) FROM points WHERE status = 'failed' AND cycles IS NULL"), 10);
  EXPECT_EQ(database.text("SELECT reason FROM points WHERE status = 'failed'"), reason);
}

TEST(Sweep, StopsAtOnceAndGoesOnWhereItStopped) {
  const Folder folder;
  const MadeUpSources sources;
  sources.counting->pass_time = 1ms;
  const auto space = space_of(space_xml(grid_of_60), sources);
  std::stop_source stop;
  std::set<std::uint64_t> told;
  {
    const auto file = open_file(folder.path("results"), space);
    const Outcome stopped = run(space, file.get(), {}, 2, stop.get_token(),
                                {[&](const auto& result) {
                                   told.insert(result->point);
                                   if (told.size() == 20) stop.request_stop();
                                 },
                                 {}});
    EXPECT_EQ(stopped.end, SweepEnd::cancelled);
    EXPECT_EQ(stopped.state.seen, told.size());
    EXPECT_LT(told.size(), 25u);
  }
  const auto file = open_file(folder.path("results"), space);
  EXPECT_EQ(file->points(), std::vector<std::uint64_t>(told.begin(), told.end()));
  const Outcome resumed = run(space, file.get());
  EXPECT_EQ(resumed.end, SweepEnd::finished);
  EXPECT_EQ(resumed.state.seen, 60u);
  EXPECT_EQ(resumed.state.compiled, 60u - told.size());
  Diagnostics diagnostics;
  ASSERT_TRUE(file->finish(diagnostics));
  complete(folder.path("whole"), space);
  EXPECT_EQ(bytes_of(folder.path("results")), bytes_of(folder.path("whole")));
}

/// Sweeps in a child that kills itself, without any chance to tidy up, as soon as `after` points were told.
void sweep_and_die(const std::string& path, const std::shared_ptr<const Space>& space, int after) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto file = open_file(path, space);
    int told = 0;
    run(space, file.get(), {}, 2, {},
        {[&](const auto&) {
           if (++told == after) raise(SIGKILL);
         },
         {}});
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(Sweep, KillingItLosesAtMostThePointsInFlight) {
  const Folder folder;
  const auto space = space_of(space_xml(grid_of_60), MadeUpSources());
  const std::string path = folder.path("results");
  std::size_t stored = 0;
  // Points that an earlier run stored are told again, so each round dies further on.
  for (const int after : {1, 7, 30, 55}) {
    sweep_and_die(path, space, after);
    const auto file = open_file(path, space);
    EXPECT_GE(file->points().size(), static_cast<std::size_t>(after)) << "whatever was told is stored";
    EXPECT_GE(file->points().size(), stored);
    stored = file->points().size();
  }
  complete(path, space);
  complete(folder.path("whole"), space);
  EXPECT_EQ(bytes_of(path), bytes_of(folder.path("whole")));
}

TEST(Sweep, RefinementGoesOnAsIfItHadNeverStopped) {
  const Folder folder;
  const auto space = space_of(space_xml("<parameter name='lanes' from='1' to='40'/>"
                                        "<parameter name='bandwidth' from='10' to='500' step='10'/>"),
                              MadeUpSources());
  const StrategyOptions refine{StrategyKind::refine, 200, 1, {}};
  complete(folder.path("whole"), space, refine);
  std::stop_source stop;
  {
    const auto file = open_file(folder.path("results"), space, refine);
    int told = 0;
    run(space, file.get(), refine, 2, stop.get_token(),
        {[&](const auto&) {
           if (++told == 15) stop.request_stop();
         },
         {}});
  }
  complete(folder.path("results"), space, refine, 3);
  EXPECT_EQ(bytes_of(folder.path("results")), bytes_of(folder.path("whole")));
}

TEST(Sweep, ReadsBackWhatItWrote) {
  const Folder folder;
  const MadeUpSources sources;
  sources.counting->unmapped = {1};
  const auto space = space_of(
      "<space name='two'><network file='3'/><network file='2' weight='0.5'/>"
      "<machines target='counting'>" +
          std::string(grid_of_60) + "</machines></space>",
      sources);
  const auto file = open_file(folder.path("results"), space);
  const Outcome all = run(space, file.get());
  for (const auto& result : all.results) EXPECT_EQ(file->read(result->point), *result);
  const auto& compiled = *std::find_if(all.results.begin(), all.results.end(),
                                       [](const auto& r) { return r->status == PointStatus::done; });
  EXPECT_LT(compiled->total.coverage, 1);
  EXPECT_EQ(compiled->reason, "layer 'L2': too odd");
  EXPECT_TRUE(all.state.front.empty()) << "machines that can't run the networks are not compared";
}

TEST(Sweep, NeedsNothingButSqliteToBeRead) {
  const Folder folder;
  const auto space = space_of(space_xml(grid_of_60), MadeUpSources());
  complete(folder.path("results"), space);
  const Database database(folder.path("results"), Database::Access::read);
  EXPECT_EQ(database.integer("SELECT count(*) FROM points"), 60);
  EXPECT_EQ(database.integer("SELECT count(*) FROM points_counting WHERE lanes = 4 AND status = 'done'"), 10);
  EXPECT_EQ(database.text("SELECT reason FROM points WHERE status = 'removed'"), "too lean");
  EXPECT_EQ(database.text("SELECT cycles_origin FROM points WHERE point = 0"), "derived");
  EXPECT_EQ(database.text("SELECT DISTINCT program FROM points"), "test 1");
  EXPECT_EQ(database.text("SELECT DISTINCT inputs FROM points"), space->hash);
  EXPECT_EQ(database.text("SELECT varies FROM parameters WHERE name = 'lanes'"), "range");
  EXPECT_EQ(database.integer("SELECT \"counting.bandwidth\" FROM points WHERE point = 1"), 20);
}

}  // namespace
}  // namespace convscope::explore::test
