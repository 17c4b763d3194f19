#include "core/base/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cancellation.h"
#include "core/base/file_descriptor.h"
#include "core/base/resources.h"

namespace convscope {
namespace {

constexpr int most_names = 1000;               // tried for a file beside another
constexpr int poll_milliseconds = 20;          // between two looks at a stop token
constexpr int patience_milliseconds = 10'000;  // with somebody who reads a pipe

// ---- writing

bool close_file(FileDescriptor& file) {
  return ::close(file.release()) == 0;
}

/// Waits for room in a pipe; others always have it.
bool wait_for_room(int fd) {
  pollfd event{fd, POLLOUT, 0};
  const int ready = ::poll(&event, 1, patience_milliseconds);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0;
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN && wait_for_room(fd)) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void report(Diagnostics& diagnostics, const std::string& path) {
  const std::string reason = errno == ENXIO ? "nobody reads from this pipe" : std::strerror(errno);
  diagnostics.error({path, 0, {}}, fmt::format("cannot save: {}", reason), "a writable place",
                    "check the folder, its permissions and the free space; an existing file was left as it was");
}

// A link stays a link: what it points to is replaced.
std::filesystem::path target_of(const std::string& path) {
  std::error_code error;
  std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? std::filesystem::path(path) : target;
}

// A device or pipe can't be replaced: renaming over /dev/full as root would make a plain file of it. A pipe without a
// reader would hold us until there is one.
bool write_special(const std::string& path, std::string_view content) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
  return file && write_all(file.get(), content) && close_file(file);
}

std::string folder_of(const std::filesystem::path& target) {
  const std::string folder = target.parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Runs `make` with names beside the target until one is free; -1 as `make` then.
template <typename Make>
int with_free_name(const std::filesystem::path& target, std::string& name, const Make& make) {
  for (int attempt = 0; attempt < most_names; ++attempt) {
    name = target.parent_path() / fmt::format(".convscope-{}-{}.tmp", ::getpid(), attempt);
    const int result = make(name.c_str());
    if (result >= 0 || errno != EEXIST) return result;
  }
  return -1;
}

// Without it, a crash soon after may forget the rename; some file systems can't, and the file itself is safe.
void sync_folder(const std::filesystem::path& target) {
  const FileDescriptor descriptor(::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor) ::fsync(descriptor.get());
}

bool fill(int file, std::optional<mode_t> mode, std::string_view content) {
  return write_all(file, content) && (!mode || ::fchmod(file, *mode & 07777) == 0) && ::fsync(file) == 0;
}

bool rename_or_remove(const std::string& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return true;
  const int reason = errno;
  ::unlink(from.c_str());
  errno = reason;
  return false;
}

/// Gives a whole file its name, through another one if there is a file of that name.
bool name_it(int file, const std::filesystem::path& target) {
  const std::string unnamed = fmt::format("/proc/self/fd/{}", file);
  const auto link = [&](const char* name) {
    return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
  };
  if (link(target.c_str()) == 0) return true;
  if (errno != EEXIST) return false;
  std::string temporary;
  return with_free_name(target, temporary, link) == 0 && rename_or_remove(temporary, target);
}

// Like mkstemp, but with the mode that a plain open gives: the umask can't be read without changing it for all threads.
bool replace_by_named(const std::filesystem::path& target, std::optional<mode_t> mode, std::string_view content) {
  std::string temporary;
  FileDescriptor file(with_free_name(
      target, temporary, [](const char* name) { return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }));
  if (!file) return false;
  if (fill(file.get(), mode, content) && close_file(file)) return rename_or_remove(temporary, target);
  const int reason = errno;
  ::unlink(temporary.c_str());
  errno = reason;
  return false;
}

bool replace(const std::filesystem::path& target, std::optional<mode_t> mode, std::string_view content) {
  const FileDescriptor file(::open(folder_of(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  const bool fine = file && ::access("/proc/self/fd", X_OK) == 0
                        ? fill(file.get(), mode, content) && name_it(file.get(), target)
                        : replace_by_named(target, mode, content);
  if (fine) sync_folder(target);
  return fine;
}

// ---- reading

std::nullopt_t refuse_reading(Diagnostics& diagnostics, const std::string& path, std::string what, std::string expected,
                              std::string hint = {}) {
  diagnostics.error({path, 0, {}}, std::move(what), std::move(expected), std::move(hint));
  return std::nullopt;
}

std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

/// Waits until there is something to read, or nobody writes any more.
void wait_for_bytes(int fd, const std::stop_token& stop) {
  pollfd event{fd, POLLIN, 0};
  while (::poll(&event, 1, poll_milliseconds) == 0) throw_if_stopped(stop);
  throw_if_stopped(stop);
}

std::optional<std::string> read_all(int fd, const std::string& path, const std::stop_token& stop,
                                    Diagnostics& diagnostics, std::size_t cap) {
  std::string content;
  char block[1 << 16];
  for (;;) {
    const ssize_t count = ::read(fd, block, sizeof block);
    if (count == 0) return content;
    if (count < 0 && errno == EAGAIN) wait_for_bytes(fd, stop);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count < 0)
      return refuse_reading(diagnostics, path, fmt::format("reading stopped: {}", std::strerror(errno)),
                            "a readable file");
    content.append(block, static_cast<std::size_t>(count));
    if (content.size() > cap)
      return refuse_reading(diagnostics, path, "the file is too large", fmt::format("at most {} bytes", cap));
  }
}

enum class Pipes { refused, read };

std::optional<std::string> read_bytes(const std::string& path, Pipes pipes, const std::stop_token& stop,
                                      Diagnostics& diagnostics, std::size_t cap) {
  // Opening a pipe, or a device such as a tape, may wait for somebody who never comes.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) {
    const std::string reason = std::strerror(errno);
    return refuse_reading(diagnostics, path, "cannot open: " + reason, "a readable file", data_hint(path));
  }
  const bool pipe = S_ISFIFO(status.st_mode);
  if (!S_ISREG(status.st_mode) && !(pipe && pipes == Pipes::read))
    return refuse_reading(diagnostics, path, fmt::format("this is {}", kind_of(status.st_mode)), "a file",
                          pipe ? "save what it would say in a file" : "");
  auto content = read_all(file.get(), path, stop, diagnostics, cap);
  if (pipe && content && content->empty())
    return refuse_reading(diagnostics, path, "nobody writes to this pipe",
                          "a file, or a pipe that something comes out of");
  return content;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics, std::size_t cap) {
  return read_bytes(path, Pipes::refused, {}, diagnostics, cap);
}

std::optional<std::string> read_file_or_pipe(const std::string& path, const std::stop_token& stop,
                                             Diagnostics& diagnostics, std::size_t cap) {
  return read_bytes(path, Pipes::read, stop, diagnostics, cap);
}

bool write_file_atomically(const std::string& path, std::string_view content, Diagnostics& diagnostics) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) {
    diagnostics.error({path, 0, {}}, "cannot save: this is a folder", "the name of a file");
    return false;
  }
  const bool special = exists && !S_ISREG(old.st_mode);
  const bool written = special ? write_special(path, content)
                               : replace(target_of(path), exists ? std::optional(old.st_mode) : std::nullopt, content);
  if (!written) report(diagnostics, path);
  return written;
}

}  // namespace convscope
