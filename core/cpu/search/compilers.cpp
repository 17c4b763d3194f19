#include "core/cpu/search/compilers.h"

#include <algorithm>
#include <filesystem>

#include <tbb/parallel_for.h>

#include "core/base/key.h"
#include "core/cpu/generate/generate.h"

namespace convscope::cpu {
namespace {

/// In the order of paths and compilers.
std::vector<CompiledBest> compiled(const Laboratory& laboratory, const std::vector<Path>& paths,
                                   const std::vector<CompilerChoice>& compilers, const CompileOptions& options,
                                   const std::stop_token& stop) {
  std::vector<std::optional<CompiledBest>> tried(paths.size() * compilers.size());
  tbb::parallel_for(std::size_t{0}, tried.size(), [&](std::size_t i) {
    const Path& path = paths[i / compilers.size()];
    const CompilerChoice& compiler = compilers[i % compilers.size()];
    Diagnostics ignored;
    const auto program = generate(laboratory.problem(), path, ignored);
    if (!program) return;
    CompileOptions how = options;
    how.optimization = compiler.optimization;
    Outcome failure;
    auto runnable = laboratory.compile(program->text, compiler.toolchain, how, stop, failure);
    if (runnable)
      tried[i] = {path, std::move(*runnable), {}, program->text.temporary_bytes, hash64(program->text.source)};
  });
  std::vector<CompiledBest> all;
  for (auto& each : tried)
    if (each) all.push_back(std::move(*each));
  return all;
}

/// c++ is usually another name of g++ or clang++, which says another version only since it calls itself by that name.
bool same_compiler(const Toolchain& one, const Toolchain& other) {
  std::error_code error;
  return one.version == other.version || std::filesystem::equivalent(one.compiler, other.compiler, error);
}

}  // namespace

std::vector<CompilerChoice> compiler_choices() {
  std::vector<CompilerChoice> choices;
  for (const std::string_view name : usual_compilers) {
    std::string missing;
    const auto toolchain = find_toolchain(std::string(name), missing);
    const bool known = toolchain && std::any_of(choices.begin(), choices.end(), [&](const CompilerChoice& other) {
                         return same_compiler(other.toolchain, *toolchain);
                       });
    if (!toolchain || known) continue;
    for (const char* optimization : {"-O2", "-O3"}) choices.push_back({*toolchain, optimization});
  }
  return choices;
}

std::optional<CompiledBest> best_of_compilers(const Laboratory& laboratory, const std::vector<Path>& paths,
                                              const std::vector<CompilerChoice>& compilers, const RunOptions& options,
                                              const std::stop_token& stop) {
  std::vector<CompiledBest> all = compiled(laboratory, paths, compilers, options.compile, stop);
  std::vector<Runnable> programs;
  programs.reserve(all.size());
  for (const CompiledBest& each : all) programs.push_back(each.program);
  if (programs.empty()) return std::nullopt;
  const std::vector<Outcome> outcomes = laboratory.run(programs, options, stop);
  std::optional<CompiledBest> best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].outcome = outcomes[i];
    if (outcomes[i].ran() && (!best || outcomes[i].minimum < best->outcome.minimum)) best = all[i];
  }
  return best;
}

}  // namespace convscope::cpu
