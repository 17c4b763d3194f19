#include "core/base/resources.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace convscope {
namespace {

TEST(Resources, LieBesideTheSourceInABuildTree) {
  ::unsetenv("CONVSCOPE_DATA");
  EXPECT_EQ(data_folder(), CONVSCOPE_SOURCE_DIR);
  EXPECT_EQ(resource_path("presets/x.xml"), std::string(CONVSCOPE_SOURCE_DIR) + "/resources/presets/x.xml");
}

TEST(Resources, FollowTheEnvironment) {
  ::setenv("CONVSCOPE_DATA", "/elsewhere", 1);
  EXPECT_EQ(sample_path("networks/n.xml"), "/elsewhere/samples/networks/n.xml");
  ::setenv("CONVSCOPE_DATA", "", 1);
  EXPECT_EQ(data_folder(), CONVSCOPE_SOURCE_DIR);
  ::unsetenv("CONVSCOPE_DATA");
}

}  // namespace
}  // namespace convscope
