// Folders for compiling: they go away with who made them, or, if that was killed, with the next one.

#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cpu/run/compile.h"

namespace convscope::cpu::test {
namespace {

namespace fs = std::filesystem;

class WorkspaceFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "convscope-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    setenv("TMPDIR", folder.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("TMPDIR");
    fs::remove_all(folder);
  }
  /// A folder that was made an hour ago.
  fs::path old(const std::string& name) const {
    fs::create_directories(folder / name / "inside");
    fs::last_write_time(folder / name, fs::file_time_type::clock::now() - std::chrono::hours(1));
    return folder / name;
  }
  fs::path folder;
};

TEST_F(WorkspaceFolder, GoesAway) {
  Diagnostics diagnostics;
  fs::path path;
  {
    const auto workspace = Workspace::create(diagnostics);
    ASSERT_TRUE(workspace) << diagnostics.text();
    path = workspace->path();
    EXPECT_TRUE(fs::is_directory(path));
    const auto second = Workspace::create(diagnostics);
    EXPECT_TRUE(fs::is_directory(path)) << "the first one is at work there";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(WorkspaceFolder, OfAKilledProgramGoesWithTheNextOne) {
  const fs::path dead = old("convscope-measure-dead00"), alive = old("convscope-measure-alive0");
  const fs::path foreign = old("convscope-other");
  fs::create_directories(folder / "convscope-measure-fresh0");
  const FileDescriptor held(open(alive.c_str(), O_RDONLY | O_DIRECTORY));
  ASSERT_EQ(flock(held.get(), LOCK_EX), 0);
  Diagnostics diagnostics;
  const auto workspace = Workspace::create(diagnostics);
  ASSERT_TRUE(workspace) << diagnostics.text();
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(alive));
  EXPECT_TRUE(fs::exists(foreign));
  EXPECT_TRUE(fs::exists(folder / "convscope-measure-fresh0"));
}

}  // namespace
}  // namespace convscope::cpu::test
