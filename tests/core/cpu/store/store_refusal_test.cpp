#include <csignal>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "core/base/sqlite.h"
#include "records.h"

namespace convscope::cpu::test {
namespace {

using testing::HasSubstr;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

/// Refused with this reason, and nothing of the file changed.
void expect_refused(const std::string& path, const std::string& reason) {
  const std::string before = content(path);
  Diagnostics diagnostics;
  EXPECT_FALSE(Store::open(path, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr(reason));
  EXPECT_EQ(content(path), before);
}

TEST(StoreRefusal, WhatIsNoDatabase) {
  const Folder folder;
  std::ofstream(folder.file()) << std::string(5000, 'x');
  expect_refused(folder.file(), "not a database");
}

TEST(StoreRefusal, DatabasesOfOtherPrograms) {
  const Folder folder;
  Database(folder.file(), Database::Access::create).run("CREATE TABLE songs(title TEXT)");
  expect_refused(folder.file(), "another program");
}

TEST(StoreRefusal, NewerOnes) {
  const Folder folder;
  opened(folder.file());
  Database(folder.file(), Database::Access::write).run("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99");
  expect_refused(folder.file(), "newer ConvScope (version 99");
}

TEST(StoreRefusal, BrokenOnes) {
  const Folder folder;
  {
    const auto store = opened(folder.file());
    for (int i = 0; i < 500; ++i) add(*store, record(std::to_string(i) + "x1", 1e-3));
  }
  Database(folder.file(), Database::Access::write).run("PRAGMA journal_mode = DELETE");
  std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096);
  file << std::string(12000, '\xff');
  file.close();
  expect_refused(folder.file(), "store");
}

TEST(StoreRefusal, FoldersThatCannotBeWritten) {
  expect_refused("/proc/nowhere/store.sqlite", "can't be used");
}

TEST(StoreRefusal, AFullDiskIsToldAndWhatWasThereStays) {
  const Folder folder;
  const auto store = opened(folder.file());
  add(*store, record("6x2", 1e-3));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{200'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  Diagnostics diagnostics;
  bool kept = true;
  for (int i = 0; kept && i < 1000; ++i) kept = store->add(record("full", 1e-3), diagnostics);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(kept);
  EXPECT_THAT(diagnostics.text(), HasSubstr("can't be kept"));
  EXPECT_TRUE(store->best(problem(), "here"));
  add(*store, record("4x2", 1e-4));
}

}  // namespace
}  // namespace convscope::cpu::test
