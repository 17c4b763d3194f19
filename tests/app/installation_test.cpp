// What `cmake --install` puts where, and that the programs find their data from there, whatever becomes of the folder.

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path build = CONVSCOPE_BINARY_DIR;
// Nothing of the machine that tests run on is found by chance.
const std::string elsewhere =
    "cd / && unset CONVSCOPE_DATA && export XDG_DATA_HOME=/nowhere XDG_DATA_DIRS=/nowhere && ";

bool succeeds(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

std::string in_quotes(const fs::path& path) {
  return "'" + path.string() + "'";
}

/// Lists the parameters of a machine with a preset that only exists in the installed copy.
std::string with_preset_of_its_own(const fs::path& program) {
  return in_quotes(program) + " parameters --target nmp --preset only-here";
}

/// A prefix of its own, with a blank in its name.
class Installation : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"convscope-cli", "convscope-run-generated"}) {
      if (!fs::exists(build / "bin" / program)) GTEST_SKIP() << program << " is not built";
    }
    install("cli");
    const fs::path presets = prefix / "share/convscope/resources/presets";
    fs::copy_file(presets / "nmp-peak.xml", presets / "only-here.xml");
  }
  void install(const std::string& component) const {
    ASSERT_TRUE(succeeds("cmake --install " + in_quotes(build) + " --component " + component + " --prefix " +
                         in_quotes(prefix)));
  }
  std::string errors_of(const std::string& command) const {
    EXPECT_FALSE(succeeds("(" + elsewhere + command + " 2> " + in_quotes(folder.path("errors")) + ")"));
    return file_content(folder.path("errors"));
  }

  const TemporaryFolder folder;
  const fs::path prefix = folder.path("installed here");
};

TEST_F(Installation, TheCommandLineComesWithItsHelperAndAllData) {
  for (const char* file :
       {"bin/convscope-cli", "bin/convscope-run-generated", "share/convscope/resources/presets",
        "share/convscope/resources/published", "share/convscope/samples/networks", "share/convscope/samples/spaces",
        "share/doc/convscope/docs/report-json.md", "share/doc/convscope/CITATION.cff"}) {
    EXPECT_TRUE(fs::exists(prefix / file)) << file;
  }
  EXPECT_FALSE(fs::exists(prefix / "bin/convscope"));
  EXPECT_FALSE(fs::exists(prefix / "share/applications"));
}

/// With the window, if that is built.
class DesktopInstallation : public Installation {
 protected:
  void SetUp() override {
    if (!fs::exists(build / "bin/convscope")) GTEST_SKIP() << "the window is not built";
    Installation::SetUp();
    install("window");
  }
};

TEST_F(DesktopInstallation, EverythingIsWhereDesktopsLookForIt) {
  for (const char* file :
       {"bin/convscope", "share/applications/convscope.desktop", "share/icons/hicolor/scalable/apps/convscope.svg",
        "share/mime/packages/convscope-mime.xml", "share/metainfo/example.convscope.convscope.metainfo.xml",
        "share/convscope/resources/icons/convscope.svg", "share/doc/convscope/docs/pictures/window.png"}) {
    EXPECT_TRUE(fs::exists(prefix / file)) << file;
  }
}

TEST_F(DesktopInstallation, DesktopsAcceptTheEntryAndTheDescription) {
  const std::string entry = in_quotes(prefix / "share/applications/convscope.desktop");
  const std::string description = in_quotes(prefix / "share/metainfo/example.convscope.convscope.metainfo.xml");
  if (succeeds("command -v desktop-file-validate")) {
    EXPECT_TRUE(succeeds("desktop-file-validate " + entry));
  }
  if (succeeds("command -v appstreamcli")) {
    EXPECT_TRUE(succeeds("appstreamcli validate --no-net " + description));
  }
}

// What a desktop looks up at a double click: the sort of the file, then the program for that sort.
TEST_F(DesktopInstallation, ADoubleClickOnASessionOrALabOpensTheWindow) {
  for (const char* tool : {"update-mime-database", "update-desktop-database"}) {
    if (!succeeds(std::string("command -v ") + tool)) GTEST_SKIP() << "there is no " << tool;
  }
  ASSERT_TRUE(succeeds("update-mime-database " + in_quotes(prefix / "share/mime")));
  ASSERT_TRUE(succeeds("update-desktop-database " + in_quotes(prefix / "share/applications")));
  EXPECT_THAT(file_content((prefix / "share/mime/globs2").string()),
              HasSubstr(":application/x-convscope-session:*.convscope\n"));
  EXPECT_THAT(file_content((prefix / "share/mime/globs2").string()),
              HasSubstr(":application/x-convscope-lab:lab.xml\n"));
  for (const char* sort : {"session", "lab"})
    EXPECT_THAT(file_content((prefix / "share/applications/mimeinfo.cache").string()),
                HasSubstr(std::string("application/x-convscope-") + sort + "=convscope.desktop;\n"));
  EXPECT_THAT(file_content((prefix / "share/applications/convscope.desktop").string()),
              HasSubstr("\nExec=convscope %f\n"));
}

TEST_F(Installation, TheProgramReadsWhatIsInstalledWithItWhereverItIsMoved) {
  EXPECT_TRUE(succeeds(elsewhere + with_preset_of_its_own(prefix / "bin/convscope-cli")));
  EXPECT_FALSE(succeeds(elsewhere + with_preset_of_its_own(build / "bin/convscope-cli")));
  const fs::path moved = folder.path("moved");
  fs::rename(prefix, moved);
  EXPECT_TRUE(succeeds(elsewhere + with_preset_of_its_own(moved / "bin/convscope-cli")));
  const fs::path link = folder.path("link");
  fs::create_symlink(moved / "bin/convscope-cli", link);
  EXPECT_TRUE(succeeds(elsewhere + with_preset_of_its_own(link)));
}

TEST_F(Installation, AProgramWithoutItsPrefixFindsWhatTheEnvironmentNames) {
  const fs::path alone = folder.path("alone");
  fs::rename(prefix / "bin/convscope-cli", alone);
  const std::string command = with_preset_of_its_own(alone);
  EXPECT_TRUE(succeeds(elsewhere + "CONVSCOPE_DATA=" + in_quotes(prefix / "share/convscope") + " " + command));
  EXPECT_TRUE(succeeds(elsewhere + "XDG_DATA_DIRS=/nowhere:" + in_quotes(prefix / "share") + " " + command));
  EXPECT_TRUE(succeeds(elsewhere + "XDG_DATA_HOME=" + in_quotes(prefix / "share") + " " + command));
}

TEST_F(Installation, AProgramWithoutResourcesSaysWhereItLooked) {
  fs::create_directories(folder.path("lonely/bin"));
  const fs::path alone = folder.path("lonely/bin/convscope-cli");
  fs::rename(prefix / "bin/convscope-cli", alone);
  const std::string errors = errors_of(with_preset_of_its_own(alone));
  EXPECT_THAT(errors, HasSubstr("no resources were found for this program; expected a folder 'resources' in " +
                                folder.path("lonely/share/convscope") + " or /nowhere/convscope"));
  EXPECT_THAT(errors_of("CONVSCOPE_DATA=/wrong " + with_preset_of_its_own(alone)),
              HasSubstr("CONVSCOPE_DATA: error: it names a folder without resources"));
  EXPECT_TRUE(succeeds(elsewhere + in_quotes(alone) + " --help"));
}

TEST_F(Installation, SourceAndBuildCanBeMovedTogether) {
  const fs::path inside = fs::relative(build, CONVSCOPE_SOURCE_DIR);
  if (*inside.begin() == "..") GTEST_SKIP() << "the build is not inside the source";
  const fs::path tree = folder.path("tree");
  fs::create_directories(tree / inside / "bin");
  fs::create_directories(tree / inside / "share");
  fs::rename(prefix / "share/convscope/resources", tree / "resources");
  fs::copy_symlink(build / "share/convscope", tree / inside / "share/convscope");
  fs::rename(prefix / "bin/convscope-cli", tree / inside / "bin/convscope-cli");
  EXPECT_TRUE(succeeds(elsewhere + with_preset_of_its_own(tree / inside / "bin/convscope-cli")));
  const fs::path moved = folder.path("moved");
  fs::rename(tree, moved);
  EXPECT_TRUE(succeeds(elsewhere + with_preset_of_its_own(moved / inside / "bin/convscope-cli")));
}

}  // namespace
}  // namespace convscope::app
