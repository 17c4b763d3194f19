#include "app/manual/describe.h"

#include <filesystem>

#include "app/manual/completion.h"
#include "app/manual/pages.h"
#include "core/base/atomic_file.h"

namespace convscope::manual {
namespace {

bool write(const std::filesystem::path& path, const std::string& text, Diagnostics& diagnostics) {
  std::error_code ignored;  // writing tells
  std::filesystem::create_directories(path.parent_path(), ignored);
  return write_file_atomically(path.string(), text, diagnostics);
}

}  // namespace

std::optional<std::string> describe_folder(int count, const char* const* arguments) {
  if (count != 3 || std::string(arguments[1]) != "--describe") return std::nullopt;
  return arguments[2];
}

bool write_descriptions(const Program& program, const std::string& folder, Diagnostics& diagnostics) {
  const std::filesystem::path share = folder;
  bool fine = true;
  for (const Page& page : pages(program))
    fine &= write(share / "man/man1" / (page.name + ".1"), page.text, diagnostics);
  fine &= write(share / "bash-completion/completions" / program.name, bash_completion(program), diagnostics);
  fine &= write(share / "zsh/vendor-completions" / ("_" + program.name), zsh_completion(program), diagnostics);
  fine &= write(share / "fish/vendor_completions.d" / (program.name + ".fish"), fish_completion(program), diagnostics);
  return fine;
}

}  // namespace convscope::manual
