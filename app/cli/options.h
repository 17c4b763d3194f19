#pragma once
// Options that several commands share, and what they mean.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/catalogue/catalogue.h"
#include "core/engine/engine.h"
#include "core/target/target.h"

namespace convscope::cli {

/// --target, --preset, --set, --level.
struct MachineOptions {
  std::string target;
  std::string preset;
  std::vector<std::string> settings;  ///< "name=value"
  std::string level;

  void add_to(CLI::App& command, const catalogue::Catalogue& catalogue);
  /// False if --target was left out and has its default.
  bool target_given() const { return target_option != nullptr && target_option->count() > 0; }
  /// Without --level, for commands that don't compile.
  void add_machine_to(CLI::App& command, const catalogue::Catalogue& catalogue);

  const CLI::Option* target_option = nullptr;
};

/// NETWORK, --layer, --batch, --input-size.
struct NetworkOptions {
  std::string file;
  std::vector<std::string> layers;
  std::optional<int> batch;
  std::string input_size;

  void add_to(CLI::App& command);
};

/// "224x224": two sides in pixels; nothing if it is no size, or "" was given.
std::optional<std::pair<int, int>> parse_size(const std::string& text);

/// The machine: preset (by name or file), then settings in order. Nothing, with diagnostics, if refused.
std::optional<arch::ParameterValues> resolve_machine(const MachineOptions& options, const target::Target& target,
                                                     Diagnostics& diagnostics);

/// Name of the preset that applies: as given, or the target's default.
std::string preset_name(const MachineOptions& options, const target::Target& target);

/// Indices of layers by name, in order, each once; unknown names are errors.
std::vector<int> resolve_layers(const std::vector<std::string>& wanted, const network::Network& network,
                                Diagnostics& diagnostics);

/// Everything together, from a network's file or a session's. `only_layers` follows from --layer. All mistakes are
/// collected.
std::optional<engine::Request> resolve_request(const NetworkOptions& network, const MachineOptions& machine,
                                               const catalogue::Catalogue& catalogue, Diagnostics& diagnostics);

}  // namespace convscope::cli
