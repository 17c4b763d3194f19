#include "app/cli/child_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace convscope::cli {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> merged_environment(const std::vector<std::string>& additions) {
  std::vector<std::string> merged = additions;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::string name = text.substr(0, text.find('=') + 1);
    const auto overrides = [&](const std::string& addition) { return addition.starts_with(name); };
    if (std::none_of(additions.begin(), additions.end(), overrides)) merged.push_back(text);
  }
  return merged;
}

/// Process id, or -1 with errno set. The child must not inherit our blocked signals.
pid_t start(std::vector<std::string> arguments, std::vector<std::string> environment) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = -1;
  errno = posix_spawn(&child, arguments[0].c_str(), nullptr, &attributes, pointers(arguments).data(),
                      pointers(environment).data());
  const int failure = errno;
  posix_spawnattr_destroy(&attributes);
  errno = failure;
  return failure == 0 ? child : -1;
}

ChildResult ended(int status, bool stopped) {
  if (stopped) return {true, -1, "stopped"};
  if (WIFEXITED(status)) return {false, WEXITSTATUS(status), "exit code " + std::to_string(WEXITSTATUS(status))};
  return {false, -1, "signal " + std::to_string(WTERMSIG(status))};
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                      const std::stop_token& stop) {
  const pid_t child = start(arguments, merged_environment(environment));
  if (child < 0) return {false, -1, std::strerror(errno)};
  bool asked = false;
  for (;;) {
    int status = 0;
    const pid_t found = waitpid(child, &status, WNOHANG);
    if (found == child) return ended(status, asked);
    if (found < 0 && errno != EINTR) return {asked, -1, std::strerror(errno)};
    if (stop.stop_requested() && !asked) asked = kill(child, SIGTERM) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace convscope::cli
