#pragma once
// Schedules by hand: what a target tells about the loop of a program, and what it makes of a schedule of it.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/artifact/metrics.h"
#include "core/artifact/operation.h"
#include "core/artifact/ref.h"
#include "core/base/diagnostic.h"
#include "core/schedule/draft/draft.h"
#include "core/target/compiled.h"

namespace convscope::target {

/// An operation of the problem, as tables show it.
struct DraftOperation {
  artifact::OperationKey key = 0;  ///< as in the program's timeline and task graph
  std::string label;
  artifact::OperationClass kind = artifact::OperationClass::other;
  int resource = 0;  ///< of DraftTools::resources(), in whose column it stands
};

/// What became of a draft.
struct FinishedDraft {
  bool verified = false;        ///< its program was made, and no verifier refuses it; else diagnostics tell why
  std::string program;          ///< the program file, as Compiled::program_file
  std::string assembly;         ///< the same for people
  SimulationResult simulation;  ///< of the program on the input that was asked for
  /// Figures of the program, described in DraftTools::figures().
  std::vector<artifact::NamedQuantity> figures;
};

/// The loop of one program of a compiled layer, to be scheduled by hand. Immutable; may be used from several threads.
class DraftTools {
 public:
  virtual ~DraftTools() = default;

  /// Complete: any schedule of it that breaks no rule makes a correct program, if buffers are large enough.
  virtual std::shared_ptr<const schedule::DraftProblem> problem() const = 0;
  /// Columns of the table: resources in which operations issue.
  virtual const std::vector<std::string>& resources() const = 0;
  /// In the problem's order.
  virtual const std::vector<DraftOperation>& operations() const = 0;
  /// The compiler's own schedule, at the level and for the machine of the layer.
  virtual schedule::Draft automatic() const = 0;

  /// What a steady state of so many cycles gives, whether the draft is complete or not: for figures that follow while
  /// one edits. Quick.
  virtual std::vector<artifact::NamedQuantity> steady_figures(const schedule::Draft& draft) const = 0;

  /// Verifies the schedule, makes its program by the compiler's passes, verifies and simulates that. `options` are
  /// those of the target's SimulationTools. A draft that isn't complete, breaks a rule, or whose program overruns a
  /// buffer is refused with diagnostics. Throws Cancelled.
  virtual FinishedDraft finish(const schedule::Draft& draft, const OptionValues& options, const std::stop_token& stop,
                               Diagnostics& diagnostics) const = 0;

  /// Describes the figures that the two above give.
  virtual const std::vector<artifact::FigureDescription>& figures() const = 0;

  /// The program file of `finish`, and nothing is run. Throws Cancelled.
  virtual std::optional<std::string> program_file(const schedule::Draft& draft, const std::stop_token& stop,
                                                  Diagnostics& diagnostics) const = 0;

  /// The compiled layer with the draft's program in place of the compiler's, and the figures that it has then: to be
  /// compared like any other. Verified, and nothing is run. Null, with diagnostics, where `program_file` gives nothing,
  /// or if the layer is not at hand. Throws Cancelled.
  virtual std::shared_ptr<const CompiledLayer> layer_with(const schedule::Draft& /*draft*/,
                                                          const std::stop_token& /*stop*/,
                                                          Diagnostics& diagnostics) const {
    diagnostics.error({}, "this loop's layer can't be made with another schedule");
    return nullptr;
  }
};

/// What a compiled layer is besides if its programs can be scheduled by hand.
class Draftable {
 public:
  virtual ~Draftable() = default;
  /// The loop of a program; null if it has none. May be called from several threads; not for the window's.
  virtual std::shared_ptr<const DraftTools> draft_tools(int program) const = 0;
};

/// Null if what was compiled is not Draftable, or has no such program.
inline std::shared_ptr<const DraftTools> draft_tools(const Compiled& compiled, int program) {
  const auto* draftable = dynamic_cast<const Draftable*>(&compiled);
  return draftable == nullptr || program < 0 || program >= compiled.program_count() ? nullptr
                                                                                    : draftable->draft_tools(program);
}

}  // namespace convscope::target
