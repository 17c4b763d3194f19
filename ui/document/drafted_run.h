#pragma once
// A run in which a schedule made by hand stands in the place of the compiler's.

#include <QString>
#include <memory>
#include <stop_token>

#include "core/engine/engine.h"
#include "core/schedule/draft/draft_file.h"

namespace convscope::ui {

struct DraftedRun {
  std::shared_ptr<const engine::CompiledNetwork> run;  ///< null: `failure` tells why
  QString failure;
};

/// The run with the draft's program in the layer that the draft was made for; verified, not simulated. Takes as long as
/// passes and verifiers take; throws Cancelled.
DraftedRun with_draft(const engine::CompiledNetwork& run, const schedule::DraftFile& file, const std::stop_token& stop);

}  // namespace convscope::ui
