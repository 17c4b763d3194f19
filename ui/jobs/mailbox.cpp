#include "ui/jobs/mailbox.h"

#include <QMetaObject>
#include <utility>

namespace convscope::ui {

/// Posting to an object while it goes down would be a race: it goes under this lock.
struct Mailbox::Door {
  std::mutex mutex;
  QObject* receiver = nullptr;  ///< null: closed
};

void Mailbox::Sender::operator()(Deliver what) const {
  const std::lock_guard lock(door_->mutex);
  if (door_->receiver != nullptr) QMetaObject::invokeMethod(door_->receiver, std::move(what), Qt::QueuedConnection);
}

Mailbox::Mailbox() {
  sender_.door_ = std::make_shared<Door>();
  sender_.door_->receiver = &receiver_;
}

Mailbox::~Mailbox() {
  const std::lock_guard lock(sender_.door_->mutex);
  sender_.door_->receiver = nullptr;
}

}  // namespace convscope::ui
