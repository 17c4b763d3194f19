#pragma once
// What a target says of an assembly text: mistakes at their lines, or what the program does. No widgets.

#include <QString>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/target/target.h"

namespace convscope::ui {

/// How far a text is looked at.
enum class AssemblyStep { assemble, verify, simulate };

struct AssemblyFinding {
  int line = 0;  ///< 1-based; 0: of no line
  Severity severity = Severity::error;
  QString text;
  bool operator==(const AssemblyFinding&) const = default;
};

struct AssemblyVerdict {
  AssemblyStep step = AssemblyStep::assemble;
  bool fine = false;
  std::vector<AssemblyFinding> findings;  ///< as the target tells them
  QString text;                           ///< a sentence or two
};

/// Whether programs of this target can be written as text.
bool has_assembler(const target::Target& target);

/// Assembles; then verifies; then simulates, on the simulator's default input. Precondition: `has_assembler`. Takes as
/// long as that takes; throws Cancelled.
AssemblyVerdict judge_assembly(const target::Target& target, const std::string& text, AssemblyStep step,
                               const std::stop_token& stop);

}  // namespace convscope::ui
