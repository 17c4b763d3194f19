#pragma once
// Programs from files, as `simulate` and `verify` take them.

#include <memory>
#include <optional>
#include <string>

#include "core/catalogue/catalogue.h"
#include "core/target/programs.h"

namespace convscope::cli {

struct ProgramFile {
  std::string path, content;
  std::shared_ptr<const target::Target> target;  ///< never null; has program tools
};

/// Reads a file and finds the target whose program it is. Nothing, with a diagnostic, if there is none.
std::optional<ProgramFile> read_program(const std::string& path, const catalogue::Catalogue& catalogue,
                                        Diagnostics& diagnostics);

}  // namespace convscope::cli
