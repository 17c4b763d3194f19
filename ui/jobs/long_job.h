#pragma once
// Work of minutes or hours, which tells how far it is.

#include "ui/jobs/job_line.h"

namespace convscope::ui {

/// At most one runs; it must end soon after it was asked to stop. It hands on what it has by Job::tell. stop() lets it
/// tell its end, forget() doesn't.
class LongJob : public JobLine {
 public:
  LongJob() : JobLine(Older::ends_first) {}
};

}  // namespace convscope::ui
