#pragma once
// Files that must be written, whatever the user does next.

#include <functional>
#include <memory>
#include <utility>

#include "ui/jobs/mailbox.h"

namespace convscope::ui {

/// One after another, in the order in which they were asked for. What was begun is written even if this goes down,
/// which does not wait for it; then nothing is delivered.
class WriteJob {
 public:
  WriteJob();

  /// Runs `write` on another thread, then `deliver` on this one.
  template <typename Result>
  void start(std::function<Result()> write, std::function<void(Result)> deliver) {
    put([write = std::move(write), deliver = std::move(deliver), send = mailbox_.sender()] {
      auto result = std::make_shared<Result>(write());
      send([deliver, result] { deliver(std::move(*result)); });
    });
  }

 private:
  struct Queue;

  void put(std::function<void()> task);

  std::shared_ptr<Queue> queue_;
  Mailbox mailbox_;
};

}  // namespace convscope::ui
