#include "ui/views/program/assembly/assembly_files.h"

#include "core/base/atomic_file.h"
#include "core/target/programs.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

constexpr std::size_t largest_program_file = std::size_t{64} << 20;

}  // namespace

QString program_file_name(const ProgramTextKey& key, const QString& end) {
  QString name = QStringLiteral("%1.%2").arg(to_text(key.layer.empty() ? "network" : key.layer)).arg(key.program);
  for (QChar& each : name)
    if (!each.isLetterOrNumber() && each != '.' && each != '-') each = '_';
  return name + end;
}

ReadAssembly read_assembly(const target::Target& target, const std::string& path) {
  ReadAssembly result;
  auto content = read_file(path, result.diagnostics, largest_program_file);
  if (!content) return result;
  const target::ProgramTools& tools = *target.program_tools();
  const std::size_t first = content->find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (*content)[first] == '{')
    content = tools.disassemble(*content, path, result.diagnostics);
  if (content && content->size() > longest_program_text) {
    result.diagnostics.error({path, 0, {}}, "too long to be edited here", "at most 1 MiB of assembly");
    content.reset();
  }
  result.text = std::move(content);
  return result;
}

SavedAssembly save_assembly(const target::Target& target, const std::string& text, const std::string& path) {
  SavedAssembly saved;
  if (path.ends_with(".s")) {
    saved.written = write_file_atomically(path, text, saved.diagnostics);
    return saved;
  }
  const auto program = target.program_tools()->assemble(text, path, saved.diagnostics);
  saved.written = program && write_file_atomically(path, *program, saved.diagnostics);
  return saved;
}

}  // namespace convscope::ui
