#include "ui/jobs/threads.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

namespace convscope::ui {
namespace {

constexpr std::chrono::seconds patience_at_the_end{3};

struct Running {
  std::mutex mutex;
  std::condition_variable none;
  std::list<std::stop_source> stops;
};

/// Threads are the process's, and so is their list. Never destroyed: one that hangs may outlive all else.
Running& running() {
  static Running& all = *new Running;
  return all;
}

void serve(std::list<std::stop_source>::iterator entry, std::function<void()> work) {
  work();
  work = {};  // what it held goes before its end is told
  std::unique_lock lock(running().mutex);
  running().stops.erase(entry);
  std::notify_all_at_thread_exit(running().none, std::move(lock));
}

}  // namespace

void start_thread(std::stop_source stop, std::function<void()> work) {
  const std::lock_guard lock(running().mutex);
  running().stops.push_front(std::move(stop));
  std::thread(serve, running().stops.begin(), std::move(work)).detach();
}

bool wait_for_threads(std::chrono::milliseconds longest) {
  std::unique_lock lock(running().mutex);
  return running().none.wait_for(lock, longest, [] { return running().stops.empty(); });
}

int end_jobs(int code) {
  std::list<std::stop_source> stops;
  {
    const std::lock_guard lock(running().mutex);
    stops = running().stops;
  }
  for (std::stop_source& each : stops) each.request_stop();
  if (wait_for_threads(patience_at_the_end)) return code;
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(code);
}

}  // namespace convscope::ui
