#include "app/cli/program_files.h"

#include "core/base/atomic_file.h"

namespace convscope::cli {

std::shared_ptr<const target::Target> target_of_program(std::string_view content,
                                                        const catalogue::Catalogue& catalogue) {
  for (const auto& target : catalogue.targets)
    if (target->program_tools() != nullptr && target->program_tools()->recognizes(content)) return target;
  return nullptr;
}

std::optional<ProgramFile> read_program(const std::string& path, const catalogue::Catalogue& catalogue,
                                        const std::stop_token& stop, Diagnostics& diagnostics) {
  std::optional<std::string> content = read_file_or_pipe(path, stop, diagnostics);
  if (!content) return std::nullopt;
  if (auto target = target_of_program(*content, catalogue))
    return ProgramFile{path, std::move(*content), std::move(target)};
  diagnostics.error({path, 0, {}}, "this is no program of any target", "a program file or assembly text",
                    "`convscope-cli compile` writes both");
  return std::nullopt;
}

}  // namespace convscope::cli
