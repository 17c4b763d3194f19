#pragma once
// Programs of the editor as files: assembly, or a target's program files. For no window's thread.

#include <QString>
#include <optional>
#include <string>

#include "core/base/diagnostic.h"
#include "core/target/target.h"
#include "ui/model/program_text_store.h"

namespace convscope::ui {

/// "L1.0" with an end, without signs that file systems mind.
QString program_file_name(const ProgramTextKey& key, const QString& end);

struct ReadAssembly {
  std::optional<std::string> text;  ///< nothing: diagnostics tell why
  Diagnostics diagnostics;
};
/// Assembly as it stands; a program file of the target as the text that would make it.
ReadAssembly read_assembly(const target::Target& target, const std::string& path);

struct SavedAssembly {
  bool written = false;  ///< else diagnostics tell why
  Diagnostics diagnostics;
};
/// As it stands if the name ends in ".s"; else as a program file, if it assembles.
SavedAssembly save_assembly(const target::Target& target, const std::string& text, const std::string& path);

}  // namespace convscope::ui
