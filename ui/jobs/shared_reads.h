#pragma once
// What is read from files and kept: read once, however many jobs want it.

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

#include "core/base/cancellation.h"

namespace convscope::ui {

/// For any number of threads. Whoever wants first what is not known yet reads it, the others wait for him: a file that
/// never answers holds one thread, no matter how many jobs asked for it and were superseded.
template <typename Value>
class SharedReads {
 public:
  /// Nothing if `read` returns nothing; that is not kept, and those who waited read themselves. Throws Cancelled once
  /// stopped while waiting.
  std::optional<Value> get(const std::string& key, const std::function<std::optional<Value>()>& read,
                           const std::stop_token& stop) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return known_.contains(key) || !being_read_.contains(key); }))
        throw Cancelled();
      const auto found = known_.find(key);
      if (found != known_.end()) return found->second;
      being_read_.insert(key);
    }
    std::optional<Value> value;
    try {
      value = read();
    } catch (...) {
      done(key, std::nullopt);
      throw;
    }
    done(key, value);
    return value;
  }

 private:
  void done(const std::string& key, const std::optional<Value>& value) {
    const std::lock_guard lock(mutex_);
    being_read_.erase(key);
    if (value) known_.emplace(key, *value);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Value> known_;
  std::set<std::string> being_read_;
};

}  // namespace convscope::ui
