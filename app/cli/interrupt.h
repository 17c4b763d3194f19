#pragma once
// SIGINT and SIGTERM as a stop token: the first asks to stop, the second ends the program at once.

#include <stop_token>
#include <thread>

namespace convscope::cli {

/// Made before any other thread, so that all inherit the blocked signals and one thread alone takes them.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  bool requested() const { return stop_.stop_requested(); }

 private:
  std::stop_source stop_;
  std::thread waiter_;
};

}  // namespace convscope::cli
