#include "core/cpu/run/toolchain.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include <unistd.h>

#include "core/base/child_process.h"
#include "core/base/text.h"

namespace convscope::cpu {
namespace {

bool executable(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// A compiler is asked once a process what it is.
std::string version_of(const std::string& compiler) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(compiler);
  if (found != known.end()) return found->second;
  ChildRequest request{{compiler, "--version"}};
  request.limits.wall = std::chrono::seconds(10);
  const ChildResult result = run_child(request, {});
  if (result.exit_code != 0) return {};
  return known[compiler] = clean(trimmed(result.output.substr(0, result.output.find('\n'))));
}

std::optional<Toolchain> usable(const std::string& path) {
  if (path.empty() || !executable(path)) return std::nullopt;
  Toolchain found{path, find_program("ld"), version_of(path)};
  found.clang = found.version.find("clang") != std::string::npos;
  if (found.version.empty()) return std::nullopt;
  return found;
}

}  // namespace

std::string find_program(std::string_view name) {
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos)
    return executable(std::string(name)) ? std::string(name) : std::string();
  const char* path = std::getenv("PATH");
  for (const std::string& folder : words(path ? path : "", ":")) {
    const std::string candidate = folder + "/" + std::string(name);
    if (executable(candidate)) return candidate;
  }
  return {};
}

std::optional<Toolchain> find_toolchain(const std::string& wanted, std::string& reason) {
  if (!wanted.empty()) {
    auto found = usable(find_program(wanted));
    if (!found) reason = "no compiler " + in_quotes(wanted) + " here; install the package g++ or name another one";
    return found;
  }
  for (const std::string_view name : usual_compilers)
    if (auto found = usable(find_program(name))) return found;
  reason = "no C++ compiler here; install the package g++ or clang";
  return std::nullopt;
}

std::vector<std::string> family_flags(Family family) {
  return words(traits(family).flags);
}

bool runs_here(Family family) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (family == Family::avx512vbmi) return avx512 && __builtin_cpu_supports("avx512vbmi");
  return family == Family::scalar || (family == Family::avx2 && avx2) || (family == Family::avx512 && avx512);
#elif defined(__aarch64__)
  return family == Family::scalar || family == Family::neon64;
#else
  return family == Family::scalar;
#endif
}

}  // namespace convscope::cpu
