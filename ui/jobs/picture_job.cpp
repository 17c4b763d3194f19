#include "ui/jobs/picture_job.h"

#include <algorithm>
#include <utility>

namespace convscope::ui {

PictureJob::PictureJob(Begin begin) : begin_(std::move(begin)) {
  rest_.setSingleShot(true);
  QObject::connect(&rest_, &QTimer::timeout, &rest_, [this] { want(); });
}

void PictureJob::want() {
  rest_.stop();
  if (line_.running()) {
    again_ = true;
    return;
  }
  if (Work work = begin_()) start(std::move(work));
}

void PictureJob::want_soon() {
  const qint64 since = ended_.isValid() ? ended_.elapsed() : milliseconds_;
  if (line_.running())
    soon_ = true;
  else if (since >= milliseconds_)
    want();
  else if (!rest_.isActive())
    rest_.start(static_cast<int>(milliseconds_ - since));
}

void PictureJob::want_instead() {
  line_.forget();
  want();
}

void PictureJob::start(Work work) {
  again_ = soon_ = false;
  line_.start([this, work = std::move(work)](const Job& job) -> Deliver {
    QElapsedTimer time;
    time.start();
    Deliver deliver = work(job);
    return [this, deliver = std::move(deliver), spent = time.elapsed()] { done(deliver, spent); };
  });
}

void PictureJob::done(const Deliver& deliver, qint64 spent) {
  milliseconds_ = std::max<qint64>(spent, 1);
  ended_.start();
  if (deliver) deliver();
  if (std::exchange(again_, false)) return want();
  if (std::exchange(soon_, false)) want_soon();
}

}  // namespace convscope::ui
