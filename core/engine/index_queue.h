#pragma once
// The indices of one parallel_for, handed out in ascending order to whoever has time.

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace convscope::engine {

class IndexQueue {
 public:
  IndexQueue(int count, const std::function<void(int)>& body) : count_(count), body_(body) {}

  /// Runs bodies until no index is left. Returns how many it ran. Exceptions are kept, never thrown from here.
  int run() {
    int ran = 0;
    for (int index = next_++; index < count_; index = next_++, ++ran) run_one(index);
    return ran;
  }

  /// Rethrows the exception of the smallest index, if there was one, and keeps no share in it. Only after all bodies
  /// finished.
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void run_one(int index) {
    try {
      body_(index);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_ || index < error_index_) {
        error_ = std::current_exception();
        error_index_ = index;
      }
    }
  }

  const int count_;
  const std::function<void(int)>& body_;  // alive as long as an index is left or running
  std::atomic<int> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;
  int error_index_ = 0;
};

}  // namespace convscope::engine
