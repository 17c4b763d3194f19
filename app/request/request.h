#pragma once
// What a user asks for in words (a network's file, a machine by target, preset and settings, a level), and what it
// means to the engine: the same for the command line and for Python.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/engine/engine.h"
#include "core/target/target.h"

namespace convscope::request {

struct MachineChoice {
  std::string target;
  std::string preset;                 ///< a name, or a file; empty: the target's default
  std::vector<std::string> settings;  ///< "name=value"
  std::string level;                  ///< empty: the target's default
  bool target_given = false;          ///< whether `target` was said, or is only what is taken if nothing is said
};

struct NetworkChoice {
  std::string file;  ///< a session's, too, which has its own machine
  std::vector<std::string> layers;
  std::optional<int> batch;
  std::string input_size;  ///< "224x224"; empty: as the file says
};

/// "224x224": two sides in pixels; nothing if it is no size, or "" was given.
std::optional<std::pair<int, int>> parse_size(const std::string& text);

/// The machine: preset (by name or file), then settings in order. Nothing, with diagnostics, if refused.
std::optional<arch::ParameterValues> resolve_machine(const MachineChoice& choice, const target::Target& target,
                                                     Diagnostics& diagnostics);

/// Name of the preset that applies: as given, or the target's default.
std::string preset_name(const MachineChoice& choice, const target::Target& target);

/// Null, with a diagnostic, if there is no such target.
std::shared_ptr<const target::Target> resolve_target(const std::string& wanted, const catalogue::Catalogue& catalogue,
                                                     Diagnostics& diagnostics);

/// The level as given, or the target's default. Nothing, with a diagnostic, if the target has none of that name.
std::optional<std::string> resolve_level(const std::string& wanted, const target::Target& target,
                                         Diagnostics& diagnostics);

/// What is said of sizes that the file leaves open; nothing if nothing is said.
std::optional<network::InputSizes> resolve_sizes(const NetworkChoice& choice);

/// Indices of layers by name, in order, each once; unknown names are errors.
std::vector<int> resolve_layers(const std::vector<std::string>& wanted, const network::Network& network,
                                Diagnostics& diagnostics);

/// Everything together, from a network's file or a session's. `only_layers` follows from the chosen layers. All
/// mistakes are collected.
std::optional<engine::Request> resolve_request(const NetworkChoice& network, const MachineChoice& machine,
                                               const catalogue::Catalogue& catalogue, Diagnostics& diagnostics);

}  // namespace convscope::request
