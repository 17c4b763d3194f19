#pragma once
// Where background work waits while the user waits for something else.

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace convscope::ui {

class Gate {
 public:
  void set_open(bool open);
  /// Returns once it is open; throws Cancelled if stopped before.
  void pass(const std::stop_token& stop);

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool open_ = true;
};

}  // namespace convscope::ui
