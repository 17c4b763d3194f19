#pragma once
// Programs from files, as `simulate` and `verify` take them.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/catalogue/catalogue.h"
#include "core/target/programs.h"

namespace convscope::cli {

struct ProgramFile {
  std::string path, content;
  std::shared_ptr<const target::Target> target;  ///< never null; has program tools
};

/// The target whose program it is; null if it is none.
std::shared_ptr<const target::Target> target_of_program(std::string_view content,
                                                        const catalogue::Catalogue& catalogue);

/// Reads a file or a pipe and finds the target whose program it is. Nothing, with a diagnostic, if there is none.
/// Throws Cancelled.
std::optional<ProgramFile> read_program(const std::string& path, const catalogue::Catalogue& catalogue,
                                        const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::cli
