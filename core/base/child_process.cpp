#include "core/base/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file_descriptor.h"

namespace convscope {
namespace {

using Clock = std::chrono::steady_clock;
using End = ChildResult::End;

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

/// Everything the child needs before exec. It runs in our memory until then, so that it must not allocate or change it.
struct Launch {
  char* const* arguments;
  char* const* environment;
  const ChildLimits* limits;
  int input, output, errors;  ///< -1: inherited
  int parent;
};

void limit(__rlimit_resource resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

void apply(const ChildLimits& limits) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (limits.cpu_seconds > 0) limit(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_seconds));
  if (limits.address_space > 0) limit(RLIMIT_AS, limits.address_space);
  if (limits.no_files) limit(RLIMIT_FSIZE, 0);
}

/// The child must not inherit our blocked or ignored signals, and ends when we do.
void settle(const Launch& launch) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch.parent) _exit(127);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  if (launch.input >= 0) dup2(launch.input, STDIN_FILENO);
  if (launch.output >= 0) dup2(launch.output, STDOUT_FILENO);
  if (launch.errors >= 0) dup2(launch.errors, STDERR_FILENO);
  apply(*launch.limits);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Nothing interrupts this thread while it lives.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

/// Process id, or -1 with errno set. The report pipe closes by itself when the program has begun.
pid_t start(const Launch& launch) {
  std::array<int, 2> report{};
  if (pipe2(report.data(), O_CLOEXEC) != 0) return -1;
  const SignalsBlocked blocked;  // their handlers would run in the child, on our memory
  // With fork() each page that we write to afterwards is copied: on virtual machines that took longer than the child.
  // posix_spawn() sets no limits. On Linux the child has descriptors, limits and signals of its own, which is all that
  // settle() changes.
  const pid_t child = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (child == 0) {
    settle(launch);  // NOLINT(clang-analyzer-unix.Vfork)
    execve(launch.arguments[0], launch.arguments, launch.environment);
    const int failure = errno;
    if (write(report[1], &failure, sizeof failure) < 0) _exit(126);  // NOLINT(clang-analyzer-unix.Vfork)
    _exit(127);
  }
  int failure = errno;
  close(report[1]);
  const bool failed = child < 0 || read(report[0], &failure, sizeof failure) == sizeof failure;
  close(report[0]);
  if (failed && child > 0) waitpid(child, nullptr, 0);
  errno = failure;
  return failed ? -1 : child;
}

struct Pipe {
  FileDescriptor read, write;
};

std::optional<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// What arrives on a pipe, up to a cap.
struct Capture {
  FileDescriptor source;
  std::string* text;
  std::size_t cap;

  /// False if there was more than the cap.
  bool drain() {
    std::array<char, 65536> buffer;
    for (;;) {
      const ssize_t got = source ? ::read(source.get(), buffer.data(), buffer.size()) : -1;
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) source.reset();
      if (got <= 0) return true;
      const std::size_t room = cap - text->size();
      text->append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
      if (static_cast<std::size_t>(got) > room) return false;
    }
  }
};

/// A child that runs: waits for its end, for output, for the limit and for the stop.
class Watch {
 public:
  Watch(pid_t child, const ChildRequest& request, const std::stop_token& stop)
      : child_(child),
        request_(request),
        stop_(stop),
        bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        ended_(static_cast<int>(syscall(SYS_pidfd_open, child, 0))) {
    if (request.limits.wall.count() > 0) deadline_ = Clock::now() + request.limits.wall;
  }

  void capture(FileDescriptor output, FileDescriptor errors, ChildResult& result) {
    captures_[0] = {std::move(output), &result.output, request_.limits.output};
    captures_[1] = {std::move(errors), &result.errors, request_.limits.output};
  }

  End run() {
    const std::stop_callback ring(stop_, [this] {
      const std::uint64_t one = 1;
      if (write(bell_.get(), &one, sizeof one) < 0) return;  // it rings already
    });
    End why = End::exited;
    while (!has_ended() && why == End::exited) {
      wait_for_events();
      why = reason_to_end(why);
    }
    kill(-child_, SIGKILL);
    if (!drain() && why == End::exited) why = End::too_much_output;
    return terminated_ ? End::stopped : why;
  }

 private:
  bool has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child_;
  }

  bool drain() {
    bool all = true;
    for (Capture& capture : captures_) all = (!capture.source || capture.drain()) && all;
    return all;
  }

  End reason_to_end(End why) {
    if (!drain()) return End::too_much_output;
    const bool late = deadline_ && Clock::now() >= *deadline_;
    if (late) return terminated_ ? End::stopped : End::timed_out;
    if (!stop_.stop_requested() || terminated_) return why;
    if (request_.grace.count() == 0) return End::stopped;
    kill(-child_, SIGTERM);
    terminated_ = true;
    deadline_ = Clock::now() + request_.grace;
    return why;
  }

  void wait_for_events() {
    // Without a descriptor of the process (old kernels) we look again every 2 ms.
    std::array<pollfd, 4> events{{{ended_.get(), POLLIN, 0},
                                  {terminated_ ? -1 : bell_.get(), POLLIN, 0},
                                  {captures_[0].source.get(), POLLIN, 0},
                                  {captures_[1].source.get(), POLLIN, 0}}};
    int patience = ended_ ? -1 : 2;
    if (deadline_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now()).count();
      const int remaining = static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
      patience = patience < 0 ? remaining : std::min(patience, remaining);
    }
    poll(events.data(), events.size(), patience);
  }

  const pid_t child_;
  const ChildRequest& request_;
  const std::stop_token stop_;
  FileDescriptor bell_, ended_;
  std::array<Capture, 2> captures_{};
  std::optional<Clock::time_point> deadline_;
  bool terminated_ = false;
};

/// Collects the child's status; `why` is what we ended it for, `exited` if it ended by itself.
void reap(pid_t child, End why, ChildResult& result) {
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  result.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.peak_bytes = static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
  result.end = why == End::exited && WIFSIGNALED(status) ? End::signalled : why;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
}

std::string described(const ChildResult& result) {
  switch (result.end) {
    case End::exited:
      return "exit code " + std::to_string(result.exit_code);
    case End::signalled:
      return "signal " + std::to_string(result.signal);
    case End::stopped:
      return "stopped";
    case End::timed_out:
      return "did not end in time";
    case End::too_much_output:
      return "wrote too much";
    case End::not_started:
      break;
  }
  return "not started";
}

ChildResult not_started(int error) {
  ChildResult result;
  result.failure = std::strerror(error);
  return result;
}

}  // namespace

ChildResult run_child(const ChildRequest& request, const std::stop_token& stop) {
  auto output = request.captured ? make_pipe() : std::optional<Pipe>(Pipe{});
  auto errors = request.captured ? make_pipe() : std::optional<Pipe>(Pipe{});
  FileDescriptor nothing;
  if (request.captured && request.input < 0) nothing = FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!output || !errors) return not_started(errno);
  std::vector<std::string> arguments = request.arguments, environment = merged_environment(request.environment);
  const std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  const pid_t child =
      start({argv.data(), envp.data(), &request.limits, request.input >= 0 ? request.input : nothing.get(),
             output->write.get(), errors->write.get(), getpid()});
  if (child < 0) return not_started(errno);
  output->write.reset();
  errors->write.reset();
  ChildResult result;
  Watch watch(child, request, stop);
  watch.capture(std::move(output->read), std::move(errors->read), result);
  reap(child, watch.run(), result);
  result.failure = described(result);
  return result;
}

}  // namespace convscope
