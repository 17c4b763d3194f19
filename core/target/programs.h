#pragma once
// What a target can do with a program from a file or from an editor, without a network.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/target/simulate.h"
#include "core/target/trace.h"

namespace convscope::target {

/// What a program does that somebody hands in and nobody believes.
struct Examination {
  bool same_task = false;  ///< computes what was wanted, on the machine that was wanted
  bool verified = false;
  bool matches = false;  ///< ran to its end within the budget, and every output equals the fixed-point reference
  std::vector<artifact::NamedQuantity> figures = {};  ///< cycles, instructions, …; none unless it was verified
};

class ProgramTools {
 public:
  virtual ~ProgramTools() = default;
  /// Whether a file's content is a program of this target (file or assembly), judged by content.
  virtual bool recognizes(std::string_view content) const = 0;
  /// Checks statically; true if there was no error. What is found in assembly is told with its line.
  virtual bool verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const = 0;
  /// Runs the encoded binary on the input and compares with the reference. `options` are those of the target's
  /// SimulationTools. Throws Cancelled.
  virtual SimulationResult simulate(std::string_view content, const std::string& file, const OptionValues& options,
                                    const std::stop_token& stop, Diagnostics& diagnostics) const = 0;
  /// Assembly text to a program file; nothing, with diagnostics, if it does not assemble.
  virtual std::optional<std::string> assemble(std::string_view assembly, const std::string& file,
                                              Diagnostics& diagnostics) const = 0;

  /// What `trace` can be told; null if the target has no trace.
  virtual const std::vector<OptionDescription>* trace_options() const { return nullptr; }
  /// The run of a program, to be looked at cycle by cycle (trace.h). Null, with diagnostics, if the program is refused.
  /// `options` are those of `trace_options`. Throws Cancelled.
  virtual std::shared_ptr<const Trace> trace(std::string_view /*content*/, const std::string& /*file*/,
                                             const OptionValues& /*options*/, std::int64_t /*checkpoint_bytes*/,
                                             const std::stop_token& /*stop*/, Diagnostics& /*diagnostics*/) const {
    return nullptr;
  }

  /// Reads a program as untrusted text and compares what it computes, and on which machine, with `wanted`, a program
  /// file of ours; if that is the same, verifies it and runs it on data of our choice for at most `steps` cycles or
  /// instructions. How it computes is its own affair. Throws Cancelled.
  virtual Examination examine(std::string_view /*content*/, const std::string& file, std::string_view /*wanted*/,
                              std::int64_t /*steps*/, const std::stop_token& /*stop*/, Diagnostics& diagnostics) const {
    diagnostics.error({file, 0, {}}, "this target's programs can't be handed in");
    return {};
  }

  /// What `assemble` takes, made again: a program file, or assembly, as text for people who want to change it.
  /// Nothing, with diagnostics, if it is refused.
  virtual std::optional<std::string> disassemble(std::string_view /*content*/, const std::string& file,
                                                 Diagnostics& diagnostics) const {
    diagnostics.error({file, 0, {}}, "this target has no assembly text for a program file");
    return std::nullopt;
  }
};

}  // namespace convscope::target
