#pragma once
// A queue in one piece of memory that grows when it must; nothing is allocated in the steady state.

#include <cstddef>
#include <utility>
#include <vector>

namespace convscope::snowflake::simulation {

template <typename T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_[(head_ + i) & mask_]; }
  const T& operator[](std::size_t i) const { return items_[(head_ + i) & mask_]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push(const T& item) {
    if (size_ == items_.size()) grow();
    ++size_;
    back() = item;
  }
  void pop() {
    head_ = (head_ + 1) & mask_;
    --size_;
  }

 private:
  void grow() {
    std::vector<T> larger(items_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = (*this)[i];
    items_ = std::move(larger);
    mask_ = items_.size() - 1;
    head_ = 0;
  }

  std::vector<T> items_ = std::vector<T>(16);  ///< a power of two
  std::size_t mask_ = items_.size() - 1, head_ = 0, size_ = 0;
};

}  // namespace convscope::snowflake::simulation
