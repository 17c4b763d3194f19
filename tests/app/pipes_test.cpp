// Pipes and devices in the place of files hold no command up, and a pipe that says nothing is left on SIGTERM.

#include <cstdlib>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using testing::HasSubstr;

/// Exit code of a shell's command with the program in $CLI; ends after ten seconds.
int shell(const std::string& command) {
  setenv("CLI", CONVSCOPE_CLI, 1);
  const int status = std::system(("exec 2>&1 >/dev/null; " + command).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class Pipes : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0); }
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe");
};

TEST_F(Pipes, NobodyIsWaitedFor) {
  const std::string network = sample("filter_3x3"), space = folder.write("space.xml", "<space/>");
  const std::string xml = folder.path("pipe.xml"), session = folder.path("pipe.convscope");
  ASSERT_EQ(mkfifo(xml.c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(session.c_str(), 0600), 0);
  const std::vector<std::vector<std::string>> commands{
      {"report", pipe},
      {"report", session},
      {"report", network, "--preset", xml},
      {"report", network, "--simulate", "--image", pipe},
      {"compile", pipe, "-o", folder.path("programs")},
      {"compile", network, "-o", pipe},
      {"simulate", pipe},
      {"verify", pipe},
      {"trace", pipe},
      {"why", pipe, "--layer", "L1"},
      {"measure", pipe},
      {"export", pipe, "--view", "schedule", "-o", folder.path("picture.svg")},
      {"compare", pipe, pipe},
      {"parameters", "--preset", xml},
      {"sweep", pipe, "-o", folder.path("results.db")},
      {"sweep", space, "--resume", "-o", pipe},
      {"merge", pipe, pipe, "-o", folder.path("merged.db")},
      {"front", pipe},
      {"sensitivity", pipe}};
  for (const auto& command : commands) {
    const CliResult result = run_cli(command);
    EXPECT_EQ(result.exit_code, 1) << command[0] << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr("error: ")) << command[0];
  }
}

TEST_F(Pipes, OnesThatSayNothingAreLeftOnSigterm) {
  const int silent = open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(silent, 0);
  for (const std::string command : {"verify", "simulate", "trace", "compare"}) {
    const std::string twice = command == "compare" ? " '" + pipe + "'" : "";
    EXPECT_EQ(shell("timeout --preserve-status -k 9 -s TERM 0.3 \"$CLI\" " + command + " '" + pipe + "'" + twice), 3)
        << command;
  }
  close(silent);
}

TEST_F(Pipes, WhatComesOutOfOneIsRead) {
  const std::string report = folder.path("report.json");
  ASSERT_EQ(shell("\"$CLI\" report '" + sample("filter_3x3") + "' --json > '" + report + "'"), 0);
  EXPECT_EQ(shell("cat '" + report + "' | \"$CLI\" compare '" + report + "' /dev/stdin"), 0);
}

}  // namespace
}  // namespace convscope::app
