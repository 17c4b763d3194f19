#include "core/cpu/run/sandbox.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <memory>
#include <span>

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace convscope::cpu {
namespace {

void (*reporter)(const Incident&) = nullptr;
int memory_pages = -1;            // /proc/self/statm, opened while that is allowed
std::uint64_t address_limit = 0;  // bytes; 0: none

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

std::uint64_t mapped_bytes() {
  std::array<char, 64> text{};
  if (memory_pages < 0 || pread(memory_pages, text.data(), text.size() - 1, 0) <= 0) return 0;
  std::uint64_t pages = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') break;
    pages = pages * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Little room is left: what failed then failed for want of memory.
bool memory_is_full() {
  return address_limit > 0 && mapped_bytes() > address_limit - address_limit / 4;
}

constexpr std::array network_calls = {SCMP_SYS(socket),  SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind),
                                      SCMP_SYS(listen),  SCMP_SYS(accept),     SCMP_SYS(accept4), SCMP_SYS(sendto),
                                      SCMP_SYS(sendmsg), SCMP_SYS(recvfrom),   SCMP_SYS(recvmsg), SCMP_SYS(sendmmsg)};

constexpr std::array file_calls = {
    SCMP_SYS(open),       SCMP_SYS(openat), SCMP_SYS(openat2),   SCMP_SYS(creat),        SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),   SCMP_SYS(rename), SCMP_SYS(renameat),  SCMP_SYS(renameat2),    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),    SCMP_SYS(rmdir),  SCMP_SYS(truncate),  SCMP_SYS(ftruncate),    SCMP_SYS(write),
    SCMP_SYS(pwrite64),   SCMP_SYS(writev), SCMP_SYS(link),      SCMP_SYS(linkat),       SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),  SCMP_SYS(chmod),  SCMP_SYS(fchmod),    SCMP_SYS(fchmodat),     SCMP_SYS(stat),
    SCMP_SYS(newfstatat), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(readlink),     SCMP_SYS(readlinkat),
    SCMP_SYS(chdir),      SCMP_SYS(mknod),  SCMP_SYS(mknodat),   SCMP_SYS(memfd_create), SCMP_SYS(read),
    SCMP_SYS(fstat),      SCMP_SYS(close),  SCMP_SYS(lseek)};

/// Key of the Ending that a forbidden call stands for.
const char* kind_of_call(int number) {
  const auto is_one_of = [number](std::span<const int> calls) {
    return std::find(calls.begin(), calls.end(), number) != calls.end();
  };
  if (is_one_of(network_calls)) return "network";
  if (is_one_of(file_calls)) return "file";
  return number == SCMP_SYS(mmap) || number == SCMP_SYS(mremap) ? "memory" : "forbidden";
}

/// Within a signal handler: "signal 11".
const char* numbered(const char* word, int number) {
  static std::array<char, 40> text;
  std::size_t length = 0;
  for (const char* c = word; *c != 0 && length < 24; ++c) text[length++] = *c;
  std::array<char, 12> digits{};
  std::size_t count = 0;
  do digits[count++] = static_cast<char>('0' + number % 10);
  while ((number /= 10) > 0 && count < digits.size());
  while (count > 0) text[length++] = digits[--count];
  text[length] = 0;
  return text.data();
}

void end(const Incident& incident) {
  if (reporter != nullptr) reporter(incident);
  _exit(1);
}

void handle(int signal, siginfo_t* info, void*) {
  Incident incident{"crash", "", nullptr};
  if (signal == SIGSYS) {
    incident.kind = kind_of_call(info->si_syscall);
    incident.what = numbered("system call ", info->si_syscall);
  } else {
    incident.what = numbered("signal ", signal);
    if (signal == SIGSEGV || signal == SIGBUS) incident.address = info->si_addr;
    if (signal == SIGXCPU) incident.kind = "timeout";
    if (memory_is_full()) incident.kind = "memory";
  }
  end(incident);
}

/// Calls that computing needs: memory, threads, time, the end.
constexpr std::array computing = {SCMP_SYS(munmap),
                                  SCMP_SYS(mprotect),
                                  SCMP_SYS(madvise),
                                  SCMP_SYS(brk),
                                  SCMP_SYS(futex),
                                  SCMP_SYS(clock_gettime),
                                  SCMP_SYS(gettimeofday),
                                  SCMP_SYS(time),
                                  SCMP_SYS(nanosleep),
                                  SCMP_SYS(clock_nanosleep),
                                  SCMP_SYS(getrusage),
                                  SCMP_SYS(sched_yield),
                                  SCMP_SYS(exit),
                                  SCMP_SYS(exit_group),
                                  SCMP_SYS(rt_sigreturn),
                                  SCMP_SYS(rt_sigprocmask),
                                  SCMP_SYS(getpid),
                                  SCMP_SYS(gettid),
                                  SCMP_SYS(getcpu),
                                  SCMP_SYS(set_robust_list),
                                  SCMP_SYS(rseq),
                                  SCMP_SYS(sigaltstack),
                                  SCMP_SYS(restart_syscall),
                                  SCMP_SYS(pread64),
                                  SCMP_SYS(sched_getaffinity),
                                  SCMP_SYS(sched_setaffinity),
                                  SCMP_SYS(getrandom)};

/// And those that loading a library needs, besides opening it for reading.
constexpr std::array loading = {
    SCMP_SYS(read),       SCMP_SYS(close),      SCMP_SYS(newfstatat),      SCMP_SYS(stat),    SCMP_SYS(lseek),
    SCMP_SYS(access),     SCMP_SYS(readlink),   SCMP_SYS(getcwd),          SCMP_SYS(uname),   SCMP_SYS(statx),
    SCMP_SYS(sysinfo),    SCMP_SYS(seccomp),    SCMP_SYS(prctl),           SCMP_SYS(fcntl),   SCMP_SYS(prlimit64),
    SCMP_SYS(getdents64), SCMP_SYS(arch_prctl), SCMP_SYS(set_tid_address), SCMP_SYS(geteuid), SCMP_SYS(getuid),
    SCMP_SYS(getgid),     SCMP_SYS(getegid)};

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_TRAP), seccomp_release) {}

  void allow(std::span<const int> calls) {
    for (const int call : calls) add(SCMP_ACT_ALLOW, call, {});
  }
  /// Calls that the processor's architecture doesn't have are no failure: they can't be made.
  void add(std::uint32_t action, int call, std::initializer_list<scmp_arg_cmp> conditions) {
    if (!context_) return;
    const int code = seccomp_rule_add_array(context_.get(), action, call, static_cast<unsigned>(conditions.size()),
                                            conditions.size() > 0 ? conditions.begin() : nullptr);
    good_ = good_ && (code == 0 || code == -EDOM || code == -EINVAL || call < 0);
  }
  bool load() { return context_ && good_ && seccomp_load(context_.get()) == 0; }

 private:
  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  bool good_ = true;
};

scmp_arg_cmp masked(unsigned argument, std::uint64_t mask, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}
scmp_arg_cmp equal(unsigned argument, int value) {
  return {argument, SCMP_CMP_EQ, static_cast<scmp_datum_t>(value), 0};
}

bool load_filter(int output, std::uint64_t largest_mapping, bool may_load) {
  Filter filter;
  filter.allow(computing);
  if (may_load) filter.allow(loading);
  for (const int file : {STDOUT_FILENO, STDERR_FILENO, output})
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(write), {equal(0, file)});
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(mmap), {{1, SCMP_CMP_LE, largest_mapping, 0}});
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(mremap), {{2, SCMP_CMP_LE, largest_mapping, 0}});
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill), {equal(0, getpid())});
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(clone), {masked(0, CLONE_THREAD, CLONE_THREAD)});
  // Libraries of threads set handlers of two signals of their own; nobody may change those of ours.
  for (const int signal : {32, 33}) filter.add(SCMP_ACT_ALLOW, SCMP_SYS(rt_sigaction), {equal(0, signal)});
  // Whoever prints wants to know what stdout is.
  filter.add(SCMP_ACT_ALLOW, SCMP_SYS(fstat), {});
  if (!may_load) filter.add(SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), {equal(3, AT_EMPTY_PATH)});
  filter.add(SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), {});
  filter.add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), {});  // its flags can't be seen; libraries fall back to clone
  if (may_load) filter.add(SCMP_ACT_ALLOW, SCMP_SYS(openat), {masked(2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY)});
  return filter.load();
}

}  // namespace

bool can_filter() {
  return seccomp_api_get() >= 1;
}

void limit_resources(int cpu_seconds, std::uint64_t more_bytes) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_FSIZE, &none);
  const auto seconds = static_cast<rlim_t>(cpu_seconds);
  const rlimit cpu{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &cpu);
  memory_pages = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (sanitized) return;  // shadow memory takes terabytes of address space
  address_limit = mapped_bytes() + more_bytes;
  const rlimit memory{address_limit, address_limit};
  setrlimit(RLIMIT_AS, &memory);
}

void report_incidents(void (*report)(const Incident&)) {
  reporter = report;
  constexpr std::size_t size = 64 << 10;
  static std::array<char, size> stack;
  const stack_t own{stack.data(), 0, size};
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGXCPU, SIGTRAP})
    sigaction(signal, &action, nullptr);
}

bool filter_for_loading(int output, std::uint64_t largest_mapping) {
  return load_filter(output, largest_mapping, true);
}
bool filter_for_running(int output, std::uint64_t largest_mapping) {
  return load_filter(output, largest_mapping, false);
}

}  // namespace convscope::cpu
