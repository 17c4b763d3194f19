#pragma once
// How results come to the window's thread: through a box that whoever waits for them owns.

#include <QObject>
#include <memory>
#include <mutex>

#include "ui/jobs/job.h"

namespace convscope::ui {

class Mailbox {
  struct Door;

 public:
  /// Copies may outlive the box.
  class Sender {
   public:
    /// From any thread, at any time: runs `what` on the box's thread, in the order of calls, unless the box is gone by
    /// then.
    void operator()(Deliver what) const;

   private:
    friend class Mailbox;
    std::shared_ptr<Door> door_;
  };

  /// Of the thread that makes it, on which it must go, too.
  Mailbox();
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  const Sender& sender() const { return sender_; }

 private:
  QObject receiver_;
  Sender sender_;
};

}  // namespace convscope::ui
