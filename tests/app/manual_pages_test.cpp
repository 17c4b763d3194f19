// Manual pages and completion that the programs write about themselves: complete, and accepted by who reads them.

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/manual/completion.h"
#include "app/manual/pages.h"
#include "tests/app/cli.h"

namespace convscope::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path programs = fs::path(CONVSCOPE_BINARY_DIR) / "bin";

bool shell_succeeds(const std::string& command) {
  return std::system(("( " + command + " ) > /dev/null 2>&1").c_str()) == 0;
}

bool there_is(const std::string& tool) {
  return shell_succeeds("command -v " + tool);
}

/// What a command prints, on both of its channels.
std::string output_of(const std::string& command) {
  const TemporaryFolder folder;
  const std::string file = folder.path("output");
  const int status = std::system(("( " + command + " ) > " + file + " 2>&1").c_str());
  return status == 0 ? file_content(file) : "failed: " + file_content(file);
}

/// Names of commands as --help lists them.
std::vector<std::string> commands_of_help() {
  const std::string help = run_cli({"--help"}).out;
  std::vector<std::string> names;
  std::istringstream lines(help.substr(help.find("Subcommands:") + 13));
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("  ", 0) == 0 && line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

class ManualPages : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(run_cli({"--describe", folder.path()}).exit_code, 0); }
  std::string page(const std::string& name) const { return file_content(folder.path("man/man1/" + name + ".1")); }

  const TemporaryFolder folder;
};

TEST_F(ManualPages, EveryCommandHasOneWithEveryOption) {
  const auto commands = commands_of_help();
  EXPECT_GE(commands.size(), 17u);
  for (const std::string& command : commands) {
    const std::string text = page("convscope-cli-" + command);
    std::istringstream lines(run_cli({command, "--help"}).out);
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("  --", 0) != 0) continue;
      const std::string option = line.substr(2, line.find_first_of(" ,", 2) - 2);
      EXPECT_THAT(text, HasSubstr(manual::groff(option))) << command;
    }
    EXPECT_THAT(page("convscope-cli"), HasSubstr(manual::groff("convscope-cli-" + command)));
  }
}

TEST_F(ManualPages, AreOfThisProgramAlone) {
  EXPECT_THAT(page("convscope-cli"), HasSubstr(".SH EXIT STATUS"));
  EXPECT_THAT(page("convscope-cli"), Not(HasSubstr("describe")));
  EXPECT_THAT(run_cli({"--help"}).out, Not(HasSubstr("describe")));
}

TEST_F(ManualPages, AreAcceptedByGroffAndMandoc) {
  const std::string sources = CONVSCOPE_SOURCE_DIR "/packaging/man";
  for (const char* program : {"convscope", "convscope-sweep-mpi"})
    if (fs::exists(programs / program)) {
      EXPECT_TRUE(shell_succeeds((programs / program).string() + " --describe " + folder.path())) << program;
    }
  for (const std::string& pages : {folder.path("man/man1"), sources}) {
    for (const auto& entry : fs::directory_iterator(pages)) {
      const std::string file = entry.path().string();
      if (there_is("groff")) {
        EXPECT_EQ(output_of("groff -man -ww -z -Tutf8 " + file), "") << file;
      }
      if (there_is("mandoc")) {
        EXPECT_EQ(output_of("mandoc -T lint -W warning " + file), "") << file;
      }
    }
  }
}

TEST_F(ManualPages, AFolderThatCantBeWrittenIsRefused) {
  const std::string file = folder.write("file", "");
  const CliResult result = run_cli({"--describe", file});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("error"));
}

TEST_F(ManualPages, BashCompletesCommandsOptionsAndValues) {
  if (!there_is("bash")) GTEST_SKIP() << "there is no bash";
  const auto completed = [&](const std::string& words, int current) {
    return output_of("bash -c 'source " + folder.path("bash-completion/completions/convscope-cli") + "; COMP_WORDS=(" +
                     words + "); COMP_CWORD=" + std::to_string(current) + "; _convscope_cli; echo ${COMPREPLY[@]}'");
  };
  EXPECT_EQ(completed("convscope-cli comp", 1), "compile compare\n");
  EXPECT_EQ(completed("convscope-cli report --targ", 2), "--target\n");
  EXPECT_EQ(completed("convscope-cli report --target n", 3), "nve nmp\n");
  EXPECT_EQ(completed("convscope-cli --threads 2 export --theme d", 5), "dark\n");
  EXPECT_EQ(completed("convscope-cli report " + folder.path("bash-c"), 2), folder.path("bash-completion") + "\n");
}

TEST_F(ManualPages, FishCompletesCommandsOptionsAndValues) {
  if (!there_is("fish")) GTEST_SKIP() << "there is no fish";
  const auto completed = [&](const std::string& line) {
    return output_of("HOME=" + folder.path() + " fish --no-config -c 'source " +
                     folder.path("fish/vendor_completions.d/convscope-cli.fish") + "; complete -C \"" + line + "\"'");
  };
  EXPECT_THAT(completed("convscope-cli comp"), HasSubstr("compare\t"));
  EXPECT_THAT(completed("convscope-cli report --targ"), HasSubstr("--target"));
  EXPECT_EQ(completed("convscope-cli report --target nv"), "nve\tMachine to compile for\n");
}

// zsh completes on a terminal alone; what our function hands to zsh's own is looked at.
TEST_F(ManualPages, ZshTakesTheCompletion) {
  if (!there_is("zsh")) GTEST_SKIP() << "there is no zsh";
  const std::string file = folder.path("zsh/vendor-completions/_convscope-cli");
  EXPECT_EQ(output_of("zsh -n " + file), "");
  const std::string handed = output_of(
      "zsh -fc '_arguments() { print -rl -- \"$@\"; state=argument; line=(report) }; f() { . " + file + " }; f'");
  EXPECT_THAT(handed, HasSubstr("(--target)--target[Machine to compile for]:TEXT:(nve nmp snowflake cpu)"));
  EXPECT_THAT(handed, HasSubstr("*--set[Set a parameter, NAME=VALUE; may be repeated]:NAME=VALUE:_files"));
}

TEST(ManualText, WhatGroffWouldTakeForCommandsIsWrittenOtherwise) {
  EXPECT_EQ(manual::groff(".br 'x' \\fB"), "\\&.br \\(aqx\\(aq \\efB");
  EXPECT_EQ(manual::groff("a\n.b"), "a\n.br\n\\&.b");
  EXPECT_EQ(manual::groff("\xE2\x80\xA6"), "\\[u2026]");
  EXPECT_EQ(manual::groff("\xC3"), "\\[u00C3]");
}

TEST(ManualText, ShellsGetWordsWithQuotesAsText) {
  manual::Argument option{{"-x", "--it's"}, "A:B", {}, "[it's] a \\ b", {}};
  const manual::Program program{"made-up", "Does it", {option}, {}, {}};
  EXPECT_THAT(manual::zsh_completion(program), HasSubstr("\\[it'\\''s\\] a \\\\ b]:A\\:B:_files'"));
  EXPECT_THAT(manual::fish_completion(program), HasSubstr("-r -d '[it\\'s] a \\\\ b'"));
}

}  // namespace
}  // namespace convscope::app
