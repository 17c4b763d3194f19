#pragma once
// A program's text with the syntax trees that it came from, and what others need to build it into theirs.

#include <memory>

#include "core/artifact/source.h"
#include "core/cpu/artifacts/chosen_program.h"
#include "core/cpu/generate/generate.h"

namespace convscope::cpu {

/// Null if nothing can be generated for the path, as with one from another version.
std::shared_ptr<const artifact::Source> make_source(const ChosenProgram& program);

/// A stage as a view shows it. Shares of floating-point operations count each loop's trips in full.
artifact::SourceStage make_stage(const Stage& stage, const std::vector<SourceLink>& links);

}  // namespace convscope::cpu
