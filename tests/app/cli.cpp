#include "tests/app/cli.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

namespace convscope::app {
namespace {

pid_t start(std::vector<std::string> arguments, const std::string& out, const std::string& err) {
  arguments.insert(arguments.begin(), CONVSCOPE_CLI);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = -1;
  if (posix_spawn(&child, CONVSCOPE_CLI, &actions, nullptr, pointers.data(), environ) != 0) child = -1;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

}  // namespace

CliResult run_cli(const std::vector<std::string>& arguments, const std::string& interrupt_when) {
  const TemporaryFolder folder;
  const std::string out = folder.path("out"), err = folder.path("err");
  const pid_t child = start(arguments, out, err);
  if (child < 0) return {};
  bool pending = !interrupt_when.empty();
  int status = 0;
  while (waitpid(child, &status, pending ? WNOHANG : 0) == 0) {
    pending = file_content(err).find(interrupt_when) == std::string::npos;
    if (!pending) kill(child, SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_content(out), file_content(err)};
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "convscope-XXXXXX").string();
  path_ = mkdtemp(pattern.data()) != nullptr ? pattern : "";
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::path(const std::string& name) const {
  return name.empty() ? path_ : path_ + "/" + name;
}

std::string TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::string sample(const std::string& name) {
  return CONVSCOPE_SOURCE_DIR "/samples/networks/" + name + ".xml";
}

std::string file_content(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

}  // namespace convscope::app
