#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "core/base/key.h"
#include "core/engine/engine.h"

namespace convscope::engine {
namespace {

using Value = std::shared_ptr<const void>;

/// A computation under way, which others may wait for.
struct Flight {
  enum class State { running, landed, failed };

  std::thread::id owner = std::this_thread::get_id();
  State state = State::running;
  Value value;
  std::condition_variable over;
};

/// Everything is under one mutex, which is never held while a pass computes: passes take milliseconds, look-ups
/// microseconds.
class MemoryCache : public target::PassCache {
 public:
  explicit MemoryCache(std::size_t entries) : budget_(entries) {}

 protected:
  Value get_erased(std::string_view pass, const std::string& key, const std::function<Value()>& compute) override {
    const std::string name = KeyBuilder().add(pass).add(std::string_view(key)).take();
    std::unique_lock lock(mutex_);
    while (true) {
      if (auto value = find(name)) return *value;
      const auto found = flights_.find(name);
      if (found == flights_.end()) return compute_and_keep(name, compute, lock);
      const std::shared_ptr<Flight> flight = found->second;
      if (would_wait_for_itself(*flight)) {
        lock.unlock();
        return compute();
      }
      wait(*flight, lock);
      if (flight->state == Flight::State::landed) return flight->value;  // even if it was dropped meanwhile
    }
  }

 private:
  struct Entry {
    std::string name;
    Value value;
  };

  std::optional<Value> find(const std::string& name) {
    const auto found = index_.find(name);
    if (found == index_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->value;
  }

  Value compute_and_keep(const std::string& name, const std::function<Value()>& compute,
                         std::unique_lock<std::mutex>& lock) {
    const auto flight = std::make_shared<Flight>();
    flights_.emplace(name, flight);
    lock.unlock();
    try {
      Value value = compute();
      lock.lock();
      keep(name, value);
      land(name, *flight, Flight::State::landed, value);
      return value;
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      land(name, *flight, Flight::State::failed, nullptr);
      throw;
    }
  }

  void land(const std::string& name, Flight& flight, Flight::State state, Value value) {
    flight.state = state;
    flight.value = std::move(value);
    flights_.erase(name);
    flight.over.notify_all();
  }

  void keep(const std::string& name, const Value& value) {
    entries_.push_front({name, value});
    index_.emplace(name, entries_.begin());
    while (entries_.size() > budget_) {
      index_.erase(entries_.back().name);
      entries_.pop_back();
    }
  }

  void wait(Flight& flight, std::unique_lock<std::mutex>& lock) {
    waiting_.emplace(std::this_thread::get_id(), &flight);
    flight.over.wait(lock, [&] { return flight.state != Flight::State::running; });
    waiting_.erase(std::this_thread::get_id());
  }

  /// Whether waiting for the flight would close a circle of threads, as when a scheduler runs a second task on the
  /// stack of a computation. Then computing twice is right and waiting is a deadlock.
  bool would_wait_for_itself(const Flight& flight) const {
    std::thread::id owner = flight.owner;
    while (owner != std::this_thread::get_id()) {
      const auto found = waiting_.find(owner);
      if (found == waiting_.end()) return false;
      owner = found->second->owner;
    }
    return true;
  }

  const std::size_t budget_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
  std::unordered_map<std::string, std::shared_ptr<Flight>> flights_;
  std::unordered_map<std::thread::id, const Flight*> waiting_;  // who waits for what
};

}  // namespace

std::unique_ptr<target::PassCache> make_memory_cache(std::size_t entries) {
  return std::make_unique<MemoryCache>(entries);
}

}  // namespace convscope::engine
