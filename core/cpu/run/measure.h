#pragma once
// Compiles programs for a problem, runs them in a child of their own, checks their values and takes their time.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/generated.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/run/compile.h"
#include "core/cpu/run/outcome.h"
#include "core/cpu/run/protocol.h"
#include "core/cpu/run/sampling.h"
#include "core/cpu/run/test_data.h"
#include "core/cpu/run/together.h"
#include "core/cpu/run/toolchain.h"

namespace convscope::cpu {

struct RunOptions {
  CompileOptions compile = {};
  SamplingOptions sampling = {};
  bool only_check = false;  ///< values, no times
  Accuracy accuracy = {};   ///< what isn't as accurate is left out, and counts as `inaccurate`
  /// Of a run, besides the sampling; a program of the slowest kind does 1e8 multiply-adds a second, for which time is
  /// added.
  std::chrono::milliseconds wall = std::chrono::seconds(3);
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes that a program may take for itself
  std::uint64_t seed = 1;                         ///< of the inputs
};

/// Whether programs can be measured here, and if not, why and what would help.
struct Availability {
  std::optional<Toolchain> toolchain;
  std::string helper;  ///< path of convscope-run-generated
  std::string reason;  ///< empty: everything is there
  bool available() const { return reason.empty(); }
};
/// `compiler` as for find_toolchain.
Availability find_availability(const std::string& compiler = {});

/// Path of the program that runs other people's convolutions; empty if it wasn't built.
std::string find_peers();

/// A compiled program with what running it needs to know.
struct Runnable {
  std::shared_ptr<const Compiled> compiled;
  std::string symbol = usual_symbol;  ///< of its function
  Family family = Family::scalar;
  Layout image, kernel, output;
  KernelTransform transform = {};
};

/// Everything that measurements of one problem share: tools, a folder, inputs and expected values.
class Laboratory {
 public:
  /// Null, with a diagnostic, if nothing can be measured here. Throws Cancelled.
  static std::unique_ptr<Laboratory> open(const Problem& problem, const Availability& availability,
                                          const RunOptions& options, const std::stop_token& stop,
                                          Diagnostics& diagnostics);

  const Problem& problem() const { return data_->problem(); }

  /// May be called from several threads. Empty, with what happened in `failure`, if the program doesn't compile.
  /// Throws Cancelled.
  std::optional<Runnable> compile(const Generated& program, const std::stop_token& stop, Outcome& failure) const;

  /// As compile() for each, `failures` as many, but by one run of the compiler where they can share it.
  std::vector<std::optional<Runnable>> compile(const std::vector<Generated>& programs, const std::stop_token& stop,
                                               std::vector<Outcome>& failures) const;

  /// By another compiler than the laboratory's.
  std::optional<Runnable> compile(const Generated& program, const Toolchain& toolchain, const CompileOptions& options,
                                  const std::stop_token& stop, Outcome& failure) const;

  /// Runs programs in one child, their samples interleaved; their ratios refer to the first. As many outcomes as
  /// programs: if one fails, the others are 'unavailable' unless they had failed before. One call at a time.
  /// Throws Cancelled.
  std::vector<Outcome> run(const std::vector<Runnable>& programs, const RunOptions& options,
                           const std::stop_token& stop) const;
  /// Our programs and those of `peers` (find_peers()), in turn in one run. Without programs the peers alone.
  /// `complete` is false, and what happened an outcome of the programs, if it came to nothing.
  RunAnswer run_with_peers(const std::vector<Runnable>& programs, const std::string& peers, const RunOptions& options,
                           const std::stop_token& stop) const;
  /// One program, with the options that the laboratory was opened with.
  Outcome run(const Runnable& program, const std::stop_token& stop) const;

  /// Both, for one program.
  Outcome measure(const Generated& program, const std::stop_token& stop) const;

 private:
  Laboratory(Availability availability, RunOptions options, Workspace workspace, std::shared_ptr<const TestData> data)
      : availability_(std::move(availability)),
        options_(std::move(options)),
        workspace_(std::move(workspace)),
        data_(std::move(data)) {}

  RunAnswer run_in(const std::string& executable, const std::vector<Runnable>& programs, const RunOptions& options,
                   const std::stop_token& stop) const;

  const Availability availability_;
  const RunOptions options_;
  const Workspace workspace_;
  const std::shared_ptr<const TestData> data_;
};

}  // namespace convscope::cpu
