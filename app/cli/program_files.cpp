#include "app/cli/program_files.h"

#include "core/base/atomic_file.h"

namespace convscope::cli {

std::optional<ProgramFile> read_program(const std::string& path, const catalogue::Catalogue& catalogue,
                                        Diagnostics& diagnostics) {
  std::optional<std::string> content = read_file(path, diagnostics);
  if (!content) return std::nullopt;
  for (const auto& target : catalogue.targets)
    if (target->program_tools() != nullptr && target->program_tools()->recognizes(*content))
      return ProgramFile{path, std::move(*content), target};
  diagnostics.error({path, 0, {}}, "this is no program of any target", "a program file or assembly text",
                    "`convscope-cli compile` writes both");
  return std::nullopt;
}

}  // namespace convscope::cli
