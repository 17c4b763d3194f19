#pragma once
// Presets: a machine's parameter values as an XML file.
//   <preset target="nve" name="nve-thesis" title="…"><parameter name="lanes">16</parameter>…</preset>
// Parameters that a preset does not name keep their defaults.

#include <optional>
#include <string>
#include <string_view>

#include "core/arch/parameters.h"

namespace convscope::arch {

struct Preset {
  std::string name;
  std::string title;
  ParameterValues values;
};

/// Target of a preset text without reading the rest; empty, with a diagnostic, if it is no preset.
std::string preset_target(std::string_view xml, const std::string& file, Diagnostics& diagnostics);

/// Name of a preset text likewise; empty without a diagnostic if it has none.
std::string preset_name(std::string_view xml, const std::string& file, Diagnostics& diagnostics);

/// Reads a preset. Every mistake (XML, wrong target, unknown, duplicate or ill-typed parameter, range, constraint)
/// is a diagnostic with its line; all are collected; nothing is returned if there was an error.
std::optional<Preset> read_preset(std::string_view xml, const std::string& file,
                                  std::shared_ptr<const MachineDescription> description, Diagnostics& diagnostics);

/// Writes all parameters, in description order.
std::string write_preset(const Preset& preset);

}  // namespace convscope::arch
