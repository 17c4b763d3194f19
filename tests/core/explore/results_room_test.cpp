// Tight disks, and runs that were killed: what a sweep leaves behind and how much room it takes.

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/sqlite.h"
#include "core/explore/results/results_front.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const ResultsIdentity identity{"test 1", "grid", {}};

std::shared_ptr<const Space> lanes(int count) {
  return space_of(space_xml("<parameter name='lanes' from='1' to='" + std::to_string(count) + "' step='1'/>"),
                  MadeUpSources());
}

PointResult row(std::uint64_t point) {
  PointResult result;
  result.point = point;
  result.total = figures_with(outcomes_of({}), {{"cycles", 1.0 + static_cast<double>(point)}});
  result.networks = {result.total};
  return result;
}

std::uintmax_t size_of(const std::string& path) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(path, missing);
  return missing ? 0 : size;
}

/// A file with so many points, each stored by itself, and finished. False if it can't be.
bool write_all(const std::string& path, const std::shared_ptr<const Space>& space, Diagnostics& diagnostics) {
  const auto file = ResultsFile::resume(path, space, identity, diagnostics);
  if (!file) return false;
  std::uint64_t next = file->points().size();
  try {
    for (; next < space->size(); ++next) file->add({row(next)});
  } catch (const SqlError&) {
    return false;
  }
  return file->finish(diagnostics);
}

/// Runs `work` in a child that may write no file beyond a size. Its exit code.
int under_a_limit(std::uintmax_t bytes, const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(work() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ResultsRoom, WhatIsWrittenAheadTakesNoMoreThanTheFile) {
  const Folder folder;
  const auto space = lanes(400);
  Diagnostics diagnostics;
  const std::string path = folder.path("results");
  {
    const auto file = ResultsFile::create(path, space, identity, diagnostics);
    ASSERT_TRUE(file) << diagnostics.text();
    for (std::uint64_t point = 0; point < space->size(); ++point) {
      file->add({row(point)});
      EXPECT_EQ(file->read(point / 2)->point, point / 2) << "a look at a row doesn't keep the log";
      ASSERT_LE(size_of(path + "-wal"), std::max<std::uintmax_t>(size_of(path), 16 * 4096) * 5 / 4 + 16 * 4096)
          << "after " << point << " points";
    }
  }
  EXPECT_EQ(size_of(path + "-wal"), 0u);
}

TEST(ResultsRoom, ASweepFitsWhereItsResultDoes) {
  const Folder folder;
  const auto space = lanes(400);
  Diagnostics diagnostics;
  ASSERT_TRUE(write_all(folder.path("whole"), space, diagnostics)) << diagnostics.text();
  const std::uintmax_t size = size_of(folder.path("whole"));
  EXPECT_EQ(under_a_limit(size + 2 * 4096,
                          [&] {
                            Diagnostics own;
                            return write_all(folder.path("tight"), space, own);
                          }),
            0);
  EXPECT_EQ(bytes_of(folder.path("tight")), bytes_of(folder.path("whole")));
}

/// As it was left by a run without bounds: everything in the log.
TEST(ResultsRoom, ALogThatAKilledRunLeftIsMovedIntoTheFile) {
  const Folder folder;
  const auto space = lanes(100);
  const std::string path = folder.path("results");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Diagnostics own;
    const auto file = ResultsFile::create(path, space, identity, own);
    for (std::uint64_t point = 0; point < 50; ++point) file->add({row(point)});
    std::ofstream(path + ".convscope-ordered") << "of a killed run";
    std::raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_GT(size_of(path + "-wal"), 0u);
  Diagnostics diagnostics;
  const auto file = ResultsFile::resume(path, space, identity, diagnostics);
  ASSERT_TRUE(file) << diagnostics.text();
  EXPECT_EQ(size_of(path + "-wal"), 0u);
  EXPECT_EQ(file->points().size(), 50u);
  EXPECT_FALSE(fs::exists(path + ".convscope-ordered"));
}

TEST(ResultsRoom, AFileThatCannotBeBegunLeavesNothing) {
  const Folder folder;
  const auto space = lanes(4);
  EXPECT_EQ(under_a_limit(2 * 4096,
                          [&] {
                            Diagnostics own;
                            return ResultsFile::create(folder.path("results"), space, identity, own) == nullptr &&
                                   own.text().find("room on the disk") != std::string::npos;
                          }),
            0);
  EXPECT_TRUE(fs::is_empty(folder.path("")));
  Diagnostics diagnostics;
  EXPECT_TRUE(ResultsFile::create(folder.path("results"), space, identity, diagnostics)) << diagnostics.text();
}

TEST(ResultsRoom, AnEmptyFileIsBegunAnew) {
  const Folder folder;
  std::ofstream(folder.path("results")).flush();
  Diagnostics diagnostics;
  EXPECT_TRUE(write_all(folder.path("results"), lanes(4), diagnostics)) << diagnostics.text();
  EXPECT_EQ(read_front(folder.path("results"), {}, diagnostics)->seen, 4u);
}

TEST(ResultsRoom, PipesAndForeignLocksAreLeftAlone) {
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  std::ofstream(folder.path("a.lock")) << "somebody's";
  Diagnostics diagnostics;
  EXPECT_FALSE(ResultsFile::resume(folder.path("pipe"), lanes(4), identity, diagnostics));
  EXPECT_FALSE(read_front(folder.path("pipe"), {}, diagnostics));
  EXPECT_FALSE(merge_results({folder.path("pipe"), folder.path("pipe")}, folder.path("merged"), diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("this is no plain file"));
  EXPECT_FALSE(ResultsFile::create(folder.path("a"), lanes(4), identity, diagnostics));
  EXPECT_EQ(bytes_of(folder.path("a.lock")), "somebody's");
}

}  // namespace
}  // namespace convscope::explore::test
