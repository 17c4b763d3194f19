#pragma once
// Memory of a tensor between two pages that nobody may touch.

#include <cstddef>
#include <string>

namespace convscope::cpu {

/// Begins at a multiple of 64 bytes and ends, filled up to one, exactly where the guard page behind it begins. Bytes
/// between the guard page before and the first element hold a pattern.
class GuardedBuffer {
 public:
  /// Address space that one takes besides its tensor, at most: huge pages filled up and aligned, guard pages.
  static constexpr std::size_t most_besides = std::size_t{6} << 20;

  /// Throws std::bad_alloc.
  GuardedBuffer(std::string name, std::size_t floats);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  const std::string& name() const { return name_; }
  float* data() const { return data_; }
  void protect();  ///< nothing may be written any more
  /// Whether the pattern before the first element is still there.
  bool intact() const;
  /// Whether an address lies in a guard page, or in the buffer itself.
  bool near(const void* address) const;

 private:
  std::string name_;
  std::byte* base_;
  std::size_t size_;  ///< of everything, guard pages included
  std::byte* begin_ = nullptr;
  std::size_t inside_;  ///< bytes between the guard pages
  std::size_t slack_;   ///< of them before the first element
  float* data_;
};

}  // namespace convscope::cpu
