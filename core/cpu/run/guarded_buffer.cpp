#include "core/cpu/run/guarded_buffer.h"

#include <algorithm>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace convscope::cpu {
namespace {

// Strides of broken programs are large: one page behind would often be missed.
constexpr std::size_t guard_pages = 16;
constexpr std::byte pattern{0xa5};

std::size_t up_to(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::size_t page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

GuardedBuffer::GuardedBuffer(std::string name, std::size_t floats) : name_(std::move(name)) {
  const std::size_t bytes = up_to(floats * sizeof(float), 64), inside = up_to(std::max<std::size_t>(bytes, 1), page());
  const std::size_t guard = guard_pages * page();
  size_ = inside + 2 * guard;
  void* base = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(base);
  if (mprotect(base_ + guard, inside, PROT_READ | PROT_WRITE) != 0) {
    munmap(base_, size_);
    throw std::bad_alloc();
  }
  slack_ = inside - bytes;
  std::fill_n(base_ + guard, slack_, pattern);
  data_ = reinterpret_cast<float*>(base_ + guard + slack_);
}

GuardedBuffer::~GuardedBuffer() {
  munmap(base_, size_);
}

void GuardedBuffer::protect() {
  const std::size_t guard = guard_pages * page();
  mprotect(base_ + guard, size_ - 2 * guard, PROT_READ);
}

bool GuardedBuffer::intact() const {
  const std::byte* begin = base_ + guard_pages * page();
  return std::all_of(begin, begin + slack_, [](std::byte value) { return value == pattern; });
}

bool GuardedBuffer::near(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return at >= base_ && at < base_ + size_;
}

}  // namespace convscope::cpu
