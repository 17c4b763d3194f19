// What `cmake --install` puts where, and that the program finds its data from there, whatever folder it is started in.

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;

const fs::path build = CONVSCOPE_BINARY_DIR;

bool succeeds(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

/// A prefix of its own, with a blank in its name.
class Installation : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"convscope-cli", "convscope-sweep-mpi"}) {
      if (!fs::exists(build / "bin" / program)) GTEST_SKIP() << program << " is not built";
    }
    if (has_window() && !fs::exists(build / "bin" / "convscope")) GTEST_SKIP() << "the window is not built";
    ASSERT_TRUE(succeeds("cmake --install " + quoted(build) + " --prefix " + quoted(prefix)));
  }
  static bool has_window() { return fs::exists(build / "ui"); }

  const TemporaryFolder folder;
  const fs::path prefix = folder.path("installed here");
};

TEST_F(Installation, EverythingIsWhereDesktopsLookForIt) {
  for (const char* file : {"bin/convscope-cli", "bin/convscope-sweep-mpi", "share/convscope/resources/presets",
                           "share/convscope/resources/published", "share/convscope/samples/networks"}) {
    EXPECT_TRUE(fs::exists(prefix / file)) << file;
  }
  for (const char* file :
       {"bin/convscope", "share/applications/convscope.desktop", "share/icons/hicolor/scalable/apps/convscope.svg",
        "share/mime/packages/convscope-mime.xml"}) {
    EXPECT_EQ(fs::exists(prefix / file), has_window()) << file;
  }
}

TEST_F(Installation, TheProgramReadsWhatIsInstalledWithIt) {
  const fs::path presets = prefix / "share/convscope/resources/presets";
  fs::copy_file(presets / "nmp-peak.xml", presets / "only-here.xml");
  const std::string arguments =
      " report " + quoted(prefix / "share/convscope/samples/networks/lenet.xml") + " --target nmp --preset only-here";
  const std::string elsewhere = "cd / && unset CONVSCOPE_DATA && ";
  EXPECT_TRUE(succeeds(elsewhere + quoted(prefix / "bin/convscope-cli") + arguments));
  EXPECT_FALSE(succeeds(elsewhere + quoted(build / "bin/convscope-cli") + arguments));
}

}  // namespace
}  // namespace convscope::app
