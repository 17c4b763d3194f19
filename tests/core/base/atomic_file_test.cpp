#include "core/base/atomic_file.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cancellation.h"
#include "core/base/file_descriptor.h"

namespace convscope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A limit on the size of files stops the write in the middle, as a full disk does. Exits with 0 if that was refused.
[[noreturn]] void save_under_a_size_limit(const std::string& path) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{4096, 4096};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  Diagnostics diagnostics;
  const bool written = write_file_atomically(path, std::string(1 << 20, 'x'), diagnostics);
  std::_Exit(!written && diagnostics.has_errors() ? 0 : 1);
}

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "convscope-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string content(const std::string& name) { return read_file(path(name), diagnostics).value_or("(none)"); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  fs::path folder;
  Diagnostics diagnostics;
};

TEST_F(AtomicFile, WritesAndReadsBack) {
  const std::string bytes("a\0b\r\n\xff", 6);
  ASSERT_TRUE(write_file_atomically(path("new"), bytes, diagnostics));
  EXPECT_EQ(content("new"), bytes);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, ReplacesAnOldFileAndKeepsItsMode) {
  ASSERT_TRUE(write_file_atomically(path("f"), "old and longer", diagnostics));
  fs::permissions(path("f"), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  ASSERT_TRUE(write_file_atomically(path("f"), "new", diagnostics));
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(fs::status(path("f")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, WritesThroughALink) {
  ASSERT_TRUE(write_file_atomically(path("f"), "old", diagnostics));
  fs::create_symlink(path("f"), path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new", diagnostics));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("f"), "new");
}

TEST_F(AtomicFile, WritesANameAsLongAsTheFileSystemAllows) {
  EXPECT_TRUE(write_file_atomically(path(std::string(255, 'n')), "x", diagnostics)) << diagnostics.text();
}

TEST_F(AtomicFile, RefusesAMissingFolder) {
  EXPECT_FALSE(write_file_atomically(path("missing/f"), "x", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("cannot save"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(AtomicFile, RefusesAFolderAsTargetAndLeavesNothingBehind) {
  fs::create_directory(path("target"));
  std::ofstream(path("target/inside")) << "kept";
  EXPECT_FALSE(write_file_atomically(path("target"), "x", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("this is a folder"));
  EXPECT_EQ(content("target/inside"), "kept");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, RefusesANameThatIsTooLongAndLeavesNothingBehind) {
  EXPECT_FALSE(write_file_atomically(path(std::string(256, 'n')), "x", diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(files(), 0u);
}

TEST_F(AtomicFile, LeavesTheOldFileWhenTheDiskIsFull) {
  ASSERT_TRUE(write_file_atomically(path("f"), "old", diagnostics));
  EXPECT_EXIT(save_under_a_size_limit(path("f")), testing::ExitedWithCode(0), "");
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, WritesDevicesInPlace) {
  EXPECT_TRUE(write_file_atomically("/dev/null", "x", diagnostics));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_FALSE(write_file_atomically("/dev/full", "x", diagnostics));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFile, ReadsUpToTheCap) {
  ASSERT_TRUE(write_file_atomically(path("f"), std::string(1000, 'x'), diagnostics));
  EXPECT_EQ(read_file(path("f"), diagnostics, 1000)->size(), 1000u);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_FALSE(read_file(path("f"), diagnostics, 999));
  EXPECT_THAT(diagnostics.text(), HasSubstr("at most 999 bytes"));
}

// A limit on the size of files kills us in the middle of the write.
[[noreturn]] void die_while_saving(const std::string& path) {
  ::signal(SIGXFSZ, SIG_DFL);
  const rlimit limit{4096, 4096};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  Diagnostics diagnostics;
  write_file_atomically(path, std::string(1 << 20, 'x'), diagnostics);
  std::_Exit(0);
}

TEST_F(AtomicFile, AKilledProgramLeavesNothingBesideTheOldFile) {
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (unnamed < 0) GTEST_SKIP() << "this file system knows no files without a name";
  ::close(unnamed);
  ASSERT_TRUE(write_file_atomically(path("f"), "old", diagnostics));
  EXPECT_EXIT(die_while_saving(path("f")), testing::KilledBySignal(SIGXFSZ), "");
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, ReadsNoDevices) {
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/tty"}) EXPECT_FALSE(read_file(device, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("/dev/zero: error: this is a device; expected a file"));
}

/// Pipes that nobody writes to, or reads from, hold nobody up.
TEST_F(AtomicFile, WaitsForNobodyAtAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_file(path("pipe"), diagnostics));
  EXPECT_FALSE(read_file_or_pipe(path("pipe"), {}, diagnostics));
  EXPECT_FALSE(write_file_atomically(path("pipe"), "x", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("this is a pipe; expected a file"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("nobody writes to this pipe"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("nobody reads from this pipe"));
}

/// As shells make them of `<(…)`.
TEST_F(AtomicFile, ReadsAPipeToItsEnd) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const FileDescriptor out(ends[0]);
  std::thread writer([in = ends[1]] {
    const std::string block(1000, 'x');
    for (int i = 0; i < 200; ++i) EXPECT_EQ(::write(in, block.data(), block.size()), 1000);
    ::close(in);
  });
  const auto all = read_file_or_pipe("/dev/fd/" + std::to_string(out.get()), {}, diagnostics);
  writer.join();
  EXPECT_EQ(all, std::string(200'000, 'x')) << diagnostics.text();
}

TEST_F(AtomicFile, ReadsAPipeUpToTheCap) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const FileDescriptor held(::open(path("pipe").c_str(), O_RDWR));
  ASSERT_EQ(::write(held.get(), "0123456789", 10), 10);
  EXPECT_FALSE(read_file_or_pipe(path("pipe"), {}, diagnostics, 9));
  EXPECT_THAT(diagnostics.text(), HasSubstr("at most 9 bytes"));
}

TEST_F(AtomicFile, StopsReadingAPipeThatSaysNothing) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const FileDescriptor silent(::open(path("pipe").c_str(), O_RDWR));
  std::stop_source stop;
  std::thread impatient([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  EXPECT_THROW(read_file_or_pipe(path("pipe"), stop.get_token(), diagnostics), Cancelled);
  impatient.join();
}

TEST_F(AtomicFile, RefusesToReadFoldersAndMissingFiles) {
  EXPECT_FALSE(read_file(folder.string(), diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("this is a folder"));
  EXPECT_FALSE(read_file(path("missing"), diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("No such file"));
}

}  // namespace
}  // namespace convscope
