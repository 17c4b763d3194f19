#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

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

void report(Diagnostics& diagnostics, const std::string& path, const char* action) {
  diagnostics.error({path, 0, {}}, fmt::format("cannot {}: {}", action, std::strerror(errno)), "a writable place",
                    "check the folder, its permissions and the free space; an existing file was left as it was");
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
  std::string temporary = path + ".XXXXXX";
  Descriptor file(::mkstemp(temporary.data()));
  if (!file.valid()) {
    report(diagnostics, path, "create a file in this folder");
    return false;
  }
  // mkstemp makes files private; saved files get the mode that a plain open would have given.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool written = write_all(file.get(), content) && ::fchmod(file.get(), 0666 & ~mask) == 0 &&
                       ::fsync(file.get()) == 0 && file.close() && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!written) {
    report(diagnostics, path, "save");
    ::unlink(temporary.c_str());
  }
  return written;
}

}  // namespace convscope
