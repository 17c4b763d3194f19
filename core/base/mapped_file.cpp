#include "core/base/mapped_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/resources.h"

namespace convscope {
namespace {

std::optional<MappedFile> refuse(Diagnostics& diagnostics, const std::string& path, std::string what,
                                 std::string hint = {}) {
  diagnostics.error({path, 0, {}}, std::move(what), "a readable file", std::move(hint));
  return std::nullopt;
}

}  // namespace

std::optional<MappedFile> MappedFile::open(const std::string& path, Diagnostics& diagnostics, std::size_t cap) {
  // O_NONBLOCK: a pipe would block before it could be refused.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    const std::string reason = std::strerror(errno);
    return refuse(diagnostics, path, "cannot open: " + reason, data_hint(path));
  }
  struct stat status {};
  const bool regular = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = static_cast<std::size_t>(regular ? status.st_size : 0);
  void* data = regular && size > 0 && size <= cap ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  ::close(file);
  if (!regular) return refuse(diagnostics, path, "this is not a regular file");
  if (size > cap) return refuse(diagnostics, path, fmt::format("the file has {} bytes, more than {}", size, cap));
  if (data == MAP_FAILED) return refuse(diagnostics, path, "the file cannot be mapped");
  MappedFile result;
  result.size_ = size;
  const auto* bytes = static_cast<const char*>(data);
  result.data_ = std::shared_ptr<const char>(bytes, [size](const char* mapped) {
    if (mapped != nullptr) ::munmap(const_cast<char*>(mapped), size);
  });
  return result;
}

}  // namespace convscope
