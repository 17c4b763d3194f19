#include "core/cpu/run/host_caches.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace convscope::cpu {
namespace {

class HostCaches : public testing::Test {
 protected:
  HostCaches() { std::filesystem::create_directories(folder_); }
  ~HostCaches() override { std::filesystem::remove_all(folder_); }

  void cache(int index, const std::string& level, const std::string& type, const std::string& size) const {
    const std::filesystem::path one = folder_ / ("index" + std::to_string(index));
    std::filesystem::create_directories(one);
    std::ofstream(one / "level") << level << '\n';
    std::ofstream(one / "type") << type << '\n';
    std::ofstream(one / "size") << size << '\n';
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("convscope_caches_" + std::to_string(getpid()));
};

TEST_F(HostCaches, AreThoseOfTheKernel) {
  cache(0, "1", "Data", "48K");
  cache(1, "1", "Instruction", "64K");
  cache(2, "2", "Unified", "2M");
  cache(3, "3", "Unified", "98304K");
  const CacheSizes sizes = host_caches(folder_.string());
  EXPECT_EQ(sizes.l1, 48 << 10);
  EXPECT_EQ(sizes.l2, 2 << 20);
  EXPECT_EQ(sizes.l3, 96 << 20);
}

TEST_F(HostCaches, AreThereWhereTheKernelKnowsNone) {
  cache(0, "1", "Data", "much");
  for (const std::string& folder : {folder_.string(), (folder_ / "none").string()}) {
    const CacheSizes sizes = host_caches(folder);
    EXPECT_GE(sizes.l1, 8 << 10);
    EXPECT_GT(sizes.l2, sizes.l1);
    EXPECT_GE(sizes.l3, 1 << 20);
    EXPECT_LE(sizes.l3, 32 << 20);
  }
}

}  // namespace
}  // namespace convscope::cpu
