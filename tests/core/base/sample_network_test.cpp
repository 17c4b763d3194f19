#include "core/base/sample_network.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "core/base/resources.h"

namespace convscope {
namespace {

TEST(SampleNetwork, ItsNameMeansItsFileWhereThereIsNoOther) {
  ::unsetenv("CONVSCOPE_DATA");
  const std::string lenet = sample_path("networks/lenet.xml");
  EXPECT_EQ(network_path("lenet"), lenet);
  EXPECT_EQ(network_path("lenet.xml"), lenet);
}

TEST(SampleNetwork, AnyOtherNameStaysWhatItIs) {
  for (const char* name : {"", ".", "..", "./lenet", "../networks/lenet", "no such network", "/etc/passwd"})
    EXPECT_EQ(network_path(name), name);
}

}  // namespace
}  // namespace convscope
