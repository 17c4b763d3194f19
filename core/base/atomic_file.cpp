#include "core/base/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace convscope {
namespace {

// Owns a descriptor so that every early return closes it.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  bool valid() const { return fd_ >= 0; }
  int get() const { return fd_; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void report(Diagnostics& diagnostics, const std::string& path) {
  diagnostics.error({path, 0, {}}, fmt::format("cannot save: {}", std::strerror(errno)), "a writable place",
                    "check the folder, its permissions and the free space; an existing file was left as it was");
}

// A link stays a link: what it points to is replaced.
std::filesystem::path target_of(const std::string& path) {
  std::error_code error;
  std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? std::filesystem::path(path) : target;
}

// A device or pipe can't be replaced: renaming over /dev/full as root would make a plain file of it.
bool write_special(const std::string& path, std::string_view content) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.valid() && write_all(file.get(), content) && file.close();
}

// Like mkstemp, but with the mode that a plain open gives: the umask can't be read without changing it for all threads.
int create_beside(const std::filesystem::path& target, std::string& temporary) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary = target.parent_path() / fmt::format(".convscope-{}-{}.tmp", ::getpid(), attempt);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

// Without it, a crash soon after may forget the rename; some file systems can't, and the file itself is safe.
void sync_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.valid()) ::fsync(descriptor.get());
}

bool replace(const std::filesystem::path& target, std::optional<mode_t> mode, std::string_view content) {
  std::string temporary;
  Descriptor file(create_beside(target, temporary));
  if (!file.valid()) return false;
  const bool written = write_all(file.get(), content) && (!mode || ::fchmod(file.get(), *mode & 07777) == 0) &&
                       ::fsync(file.get()) == 0 && file.close() && ::rename(temporary.c_str(), target.c_str()) == 0;
  if (written) {
    sync_folder(target.parent_path());
  } else {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
  }
  return written;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics, std::size_t cap) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    diagnostics.error({path, 0, {}}, "this is a folder", "a file");
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    diagnostics.error({path, 0, {}}, fmt::format("cannot open: {}", std::strerror(errno)), "a readable file");
    return std::nullopt;
  }
  std::string content;
  char block[1 << 16];
  while (stream.read(block, sizeof block) || stream.gcount() > 0) {
    content.append(block, static_cast<std::size_t>(stream.gcount()));
    if (content.size() > cap) {
      diagnostics.error({path, 0, {}}, "the file is too large", fmt::format("at most {} bytes", cap));
      return std::nullopt;
    }
  }
  if (stream.bad()) {
    diagnostics.error({path, 0, {}}, "reading stopped with an error", "a readable file");
    return std::nullopt;
  }
  return content;
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
