#include "core/cpu/run/guarded_buffer.h"

#include <algorithm>
#include <cstdint>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace convscope::cpu {
namespace {

// Strides of broken programs are large: one page behind would often be missed.
constexpr std::size_t guard_pages = 16;
constexpr std::byte pattern{0xa5};
/// Large buffers lie in pages of this size, where the system has them: a fault for every 4 KB of a tensor took longer
/// than the programs did.
constexpr std::size_t huge_page = std::size_t{2} << 20, large = std::size_t{64} << 10;

std::size_t up_to(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::size_t page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

GuardedBuffer::GuardedBuffer(std::string name, std::size_t floats) : name_(std::move(name)) {
  const std::size_t bytes = up_to(floats * sizeof(float), 64), unit = bytes >= large ? huge_page : page();
  const std::size_t guard = guard_pages * page();
  inside_ = up_to(std::max<std::size_t>(bytes, 1), unit);
  size_ = inside_ + 2 * guard + unit - page();
  void* base = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(base);
  const auto first = reinterpret_cast<std::uintptr_t>(base_ + guard);
  begin_ = base_ + guard + (up_to(first, unit) - first);
  if (mprotect(begin_, inside_, PROT_READ | PROT_WRITE) != 0) {
    munmap(base_, size_);
    throw std::bad_alloc();
  }
  if (bytes >= large) madvise(begin_, inside_, MADV_HUGEPAGE);  // where it isn't known nothing is lost
  slack_ = inside_ - bytes;
  std::fill_n(begin_, slack_, pattern);
  data_ = reinterpret_cast<float*>(begin_ + slack_);
}

GuardedBuffer::~GuardedBuffer() {
  munmap(base_, size_);
}

void GuardedBuffer::protect() {
  mprotect(begin_, inside_, PROT_READ);
}

bool GuardedBuffer::intact() const {
  return std::all_of(begin_, begin_ + slack_, [](std::byte value) { return value == pattern; });
}

bool GuardedBuffer::near(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return at >= base_ && at < base_ + size_;
}

}  // namespace convscope::cpu
