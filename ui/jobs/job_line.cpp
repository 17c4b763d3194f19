#include "ui/jobs/job_line.h"

#include "core/base/cancellation.h"
#include "ui/jobs/threads.h"

namespace convscope::ui {

void JobLine::start(Work work, Deliver cancelled) {
  forget();
  Wish wish{++newest_, {}, std::move(work), std::move(cancelled)};
  wanted_ = true;
  stop_ = wish.stop;
  if (occupied_ && older_ == Older::ends_first) {
    waiting_ = std::move(wish);
  } else {
    launch(std::move(wish));
  }
}

void JobLine::forget() {
  stop_.request_stop();
  waiting_.reset();
  wanted_ = false;
}

void JobLine::launch(Wish wish) {
  occupied_ = true;
  ++begun_;
  const std::stop_source stop = wish.stop;
  // Of `this` only the number is used there; what is sent runs here, and only while this is there.
  start_thread(stop, [this, wish = std::move(wish), send = mailbox_.sender()]() mutable {
    const std::int64_t number = wish.number;
    const Job job(wish.stop.get_token(), [this, number, send](Deliver news) {
      send([this, number, news = std::move(news)] {
        if (wants(number)) news();
      });
    });
    Deliver deliver = run(wish, job);
    wish = {};  // what it held is let go here, before the next begins
    send([this, number, deliver = std::move(deliver)] { ended(number, deliver); });
  });
}

Deliver JobLine::run(const Wish& wish, const Job& job) {
  try {
    throw_if_stopped(job.stop());
    return wish.work(job);
  } catch (const Cancelled&) {
    return wish.cancelled;
  }
}

void JobLine::ended(std::int64_t number, const Deliver& deliver) {
  const bool wanted = wants(number);
  occupied_ = false;
  if (wanted) wanted_ = false;
  if (waiting_) launch(*std::exchange(waiting_, std::nullopt));
  if (wanted && deliver) deliver();  // last: it may be the end of this
}

}  // namespace convscope::ui
