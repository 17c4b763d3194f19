#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

std::shared_ptr<const Space> sample_space(const std::string& name) {
  Diagnostics diagnostics;
  auto space = read_space_file(sample_path("spaces/" + name + ".xml"), catalogue::standard(), diagnostics);
  EXPECT_TRUE(space) << diagnostics.text();
  return space ? std::make_shared<const Space>(std::move(*space)) : nullptr;
}

TEST(SampleSpaces, AreAllAccepted) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(sample_path("spaces"))) {
    ++found;
    EXPECT_TRUE(sample_space(entry.path().stem().string())) << entry.path();
  }
  EXPECT_GE(found, 3);
}

TEST(SampleSpaces, EqualMachinesAreEqual) {
  const auto space = sample_space("equal_machines");
  ASSERT_TRUE(space);
  std::vector<int> left(space->families.size(), 0);
  for (std::uint64_t i = 0; i < space->size(); ++i) {
    const Point point = space->point(i);
    if (!point.removed.empty()) continue;
    ++left[point.family];
    const target::Target& target = *space->families[point.family].target;
    EXPECT_EQ(resource_value(target, point.machine, "mac_units"), 64);
    EXPECT_NEAR(*resource_value(target, point.machine, "on_chip_bits"), 1048576, 104858);
  }
  for (const int machines : left) EXPECT_GE(machines, 10);
}

}  // namespace
}  // namespace convscope::explore::test
