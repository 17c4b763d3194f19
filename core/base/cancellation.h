#pragma once
// Cancelling: long work polls a std::stop_token at least every few milliseconds.

#include <exception>
#include <functional>
#include <stop_token>
#include <string>

namespace convscope {

/// Thrown by long work that was asked to stop; caught where the work was started, never shown as an error.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

inline void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Cancelled();
}

/// Receives how far a job is: a fraction in [0, 1] and what is being done. Called on the worker's thread.
using ProgressCallback = std::function<void(double fraction, const std::string& activity)>;

}  // namespace convscope
