#pragma once
// What decides a compilation besides the network: target, machine, level. A value; every edit goes from one to another.

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

#include "core/arch/parameters.h"
#include "core/target/target.h"

namespace convscope::ui {

struct Settings {
  std::shared_ptr<const target::Target> target;
  arch::ParameterValues values;
  arch::ParameterValues preset_values;  ///< what a reset returns to
  QString preset;                       ///< name
  QString level;
  QString preset_file = {};  ///< empty if the preset is found by its name
  bool operator==(const Settings&) const = default;
};

/// The target's described defaults and default level; needs no file.
Settings default_settings(std::shared_ptr<const target::Target> target);

/// Where presets are saved for their user, and looked for after those that come with the target.
QString user_preset_folder();

/// What a preset is found by, here and in sessions: its name, or the path of its file.
QString preset_reference(const Settings& settings);

/// True if a preset of that name comes with the target: it is the one that the name stands for. Looks at files.
bool comes_with_target(const target::Target& target, const QString& preset);

/// Where a preset of that name lies that isn't found by it; empty if the name stands for that very file. Reads files.
QString file_beyond_name(const target::Target& target, const QString& preset, const QString& path);

/// Settings of a preset, by name (one that comes with the target, or in the user's folder) or by path; `level` is kept
/// where the target has it. Reads files. Nothing, with diagnostics, if the preset is refused.
std::optional<Settings> read_settings(std::shared_ptr<const target::Target> target, const QString& preset,
                                      const QString& level, Diagnostics& diagnostics);

/// References of the presets that come with the target, then of those in the user's folder, each in the order of files:
/// names, and paths where another preset has the name or where there is none. Reads files.
QStringList preset_references(const target::Target& target);

/// Writes the machine as a preset file; makes its folder if need be. False, with diagnostics, leaves an old file.
bool write_preset_file(const QString& path, const arch::ParameterValues& values, const QString& name,
                       const QString& description, Diagnostics& diagnostics);

/// True if the target offers the level.
bool has_level(const target::Target& target, const QString& level);

}  // namespace convscope::ui
