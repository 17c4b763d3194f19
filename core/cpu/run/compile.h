#pragma once
// From source text to a library that can be loaded.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/file_descriptor.h"
#include "core/cpu/architecture/generated.h"
#include "core/cpu/run/outcome.h"
#include "core/cpu/run/toolchain.h"

namespace convscope::cpu {

/// A folder of our own that goes away with us; those that killed programs left go with the next one's making.
class Workspace {
 public:
  /// In $TMPDIR or /tmp. Nothing, with a diagnostic, if it can't be made.
  static std::optional<Workspace> create(Diagnostics& diagnostics);
  Workspace(Workspace&& other) noexcept;
  Workspace& operator=(Workspace&& other) = delete;
  ~Workspace();
  const std::filesystem::path& path() const { return path_; }

 private:
  Workspace(std::filesystem::path path, FileDescriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  FileDescriptor lock_;  ///< held as long as somebody works there
};

struct CompileOptions {
  std::string optimization = "-O2";
  std::vector<std::string> extra = {};  ///< further options of the compiler
  /// Linked by the compiler with its libraries, as sources need that people wrote; else by `ld` alone, which is
  /// quicker.
  bool with_libraries = false;
  int cpu_seconds = 20;
  std::chrono::milliseconds wall = std::chrono::seconds(60);  ///< where others use the machine too
  std::uint64_t address_space = std::uint64_t{1} << 30;
};

/// All options of the compiler, as they are shown and stored.
std::string flags_text(const Generated& program, const CompileOptions& options);

struct Compiled {
  std::filesystem::path library;  ///< removed when nobody holds it any more
  std::string compiler, flags;
  explicit Compiled(std::filesystem::path path) : library(std::move(path)) {}
  ~Compiled();
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
};

/// Compiles and links within the limits. Null, with what happened in `failure` (compile_error with the first lines of
/// the compiler's message, timeout, memory), if that fails. May be called from several threads. Throws Cancelled.
std::shared_ptr<const Compiled> compile(const Generated& program, const Toolchain& toolchain,
                                        const CompileOptions& options, const Workspace& workspace,
                                        const std::stop_token& stop, Outcome& failure);

}  // namespace convscope::cpu
