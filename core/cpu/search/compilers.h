#pragma once
// The same program by different compilers: which is fastest depends on the program, and nobody can tell beforehand.

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cpu/architecture/path.h"
#include "core/cpu/run/measure.h"

namespace convscope::cpu {

struct CompilerChoice {
  Toolchain toolchain;
  std::string optimization;  ///< "-O3"
};

/// GCC and Clang, as far as they are installed, with -O2 and -O3 each.
std::vector<CompilerChoice> compiler_choices();

struct CompiledBest {
  Path path;
  Runnable program;
  Outcome outcome;  ///< with the compiler and its options
  std::int64_t temporary_bytes = 0;
  std::uint64_t source_hash = 0;
};

/// So many of a search's fastest are worth it: close to each other, and which is first differs by compiler.
constexpr std::size_t paths_by_all_compilers = 3;

/// Every path by every compiler, compiled in parallel, all of them in one run in turn; the fastest. Those that don't
/// compile are left out. Nothing if none ran. Throws Cancelled.
std::optional<CompiledBest> best_of_compilers(const Laboratory& laboratory, const std::vector<Path>& paths,
                                              const std::vector<CompilerChoice>& compilers, const RunOptions& options,
                                              const std::stop_token& stop);

}  // namespace convscope::cpu
