#pragma once
// What became of a draft, in words: refused, or how its program compares.

#include <QString>
#include <stop_token>

#include "core/target/drafts.h"
#include "ui/model/snapshot.h"

namespace convscope::ui {

struct FinishedText {
  QString text;       ///< lines
  QString assembly;   ///< empty if there is no program
  bool fine = false;  ///< verified, and every output equals the reference
};

/// Makes, verifies and simulates the program, on the simulator's default input; then beside it the compiler's schedule,
/// the bound, the layer at the compiler's other levels, and what is published of it. Takes as long as that takes;
/// throws Cancelled.
FinishedText finished_text(const target::DraftTools& tools, const schedule::Draft& draft, const Snapshot& snapshot,
                           const std::stop_token& stop);

}  // namespace convscope::ui
