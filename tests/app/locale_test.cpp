// The command line under a locale with a decimal comma: samples, published tables and pictures are as in any other.

#include <clocale>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A locale made for the test, in the environment of the programs that it runs: not every machine has German installed.
class CommaLocale : public testing::Test {
 protected:
  void SetUp() override {
    const std::string source =
        folder.write("comma",
                     "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
                     "grouping 3;3\nEND LC_NUMERIC\n");
    const std::string make = "localedef -c -i '" + source + "' '" + folder.path("xx_XX") + "' >/dev/null 2>&1";
    if (std::system(make.c_str()) == -1 || !fs::exists(folder.path("xx_XX"))) GTEST_SKIP() << "no localedef";
  }
  void TearDown() override { leave(); }
  void enter() const {
    setenv("LOCPATH", folder.path().c_str(), 1);
    setenv("LC_NUMERIC", "xx_XX", 1);
    ASSERT_NE(std::setlocale(LC_NUMERIC, "xx_XX"), nullptr);
    EXPECT_EQ(std::strtod("0,5", nullptr), 0.5) << "the locale has no decimal comma";
    std::setlocale(LC_NUMERIC, "C");
  }
  static void leave() {
    unsetenv("LC_NUMERIC");
    unsetenv("LOCPATH");
  }

  /// The same answer in both; of a file that is written, the same content.
  void expect_same(const std::vector<std::string>& command, const std::string& file = {}) const {
    const CliResult plain = run_cli(command);
    const std::string plain_file = file_content(file);
    EXPECT_EQ(plain.exit_code, 0) << command[0] << ": " << plain.err;
    fs::remove(file);
    enter();
    const CliResult comma = run_cli(command);
    leave();
    EXPECT_EQ(comma.exit_code, 0) << command[0] << ": " << comma.err;
    EXPECT_EQ(comma.err, plain.err) << command[0];
    EXPECT_EQ(comma.out, plain.out) << command[0];
    EXPECT_EQ(file_content(file), plain_file) << command[0];
  }

  const TemporaryFolder folder;
};

std::string sample_file(const std::string& name) {
  return CONVSCOPE_SOURCE_DIR "/samples/networks/" + name;
}

TEST_F(CommaLocale, SamplesAndPublishedTables) {
  expect_same({"networks", "--json"});
  expect_same({"figure", "nve-table1", "--json"});
  expect_same({"report", sample_file("yolov2_tiny.xml"), "--target", "nmp", "--level", "volume", "--json", "--set",
               "bandwidth=8.5"});
}

/// The window's program takes the locale of its environment.
TEST_F(CommaLocale, Pictures) {
  if (!fs::exists(fs::path(CONVSCOPE_CLI).parent_path() / "convscope")) GTEST_SKIP() << "the window is not built";
  for (const char* name : {"yolov2_tiny.xml", "squeezenet_1_0.xml"}) {
    const std::string csv = folder.path("picture.csv");
    expect_same({"export", sample_file(name), "--target", "nmp", "--level", "volume", "--view", "roofline", "--set",
                 "bandwidth=8.5", "--scale", "1.5", "-o", csv},
                csv);
  }
}

}  // namespace
}  // namespace convscope::app
