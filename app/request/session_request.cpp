#include "app/request/session_request.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/resources.h"
#include "core/session/network_reference.h"
#include "core/session/session_file.h"

namespace convscope::request {
namespace {

bool options_fit(const NetworkChoice& network, const MachineChoice& machine, Diagnostics& diagnostics) {
  std::vector<std::string> given;
  if (machine.target_given) given.push_back("--target");
  if (!machine.preset.empty()) given.push_back("--preset");
  if (!machine.settings.empty()) given.push_back("--set");
  if (!machine.level.empty()) given.push_back("--level");
  if (network.batch) given.push_back("--batch");
  if (!network.input_size.empty()) given.push_back("--input-size");
  if (given.empty()) return true;
  diagnostics.error({network.file, 0, fmt::format("{}", fmt::join(given, ", "))},
                    "a session has its own machine and sizes", "the session alone",
                    "change and save it in the window, or give its network instead");
  return false;
}

std::shared_ptr<const target::Target> target_of(const session::Session& session, const std::string& file,
                                                const catalogue::Catalogue& catalogue, Diagnostics& diagnostics) {
  std::vector<std::string> ids;
  for (const auto& target : catalogue.targets) {
    if (target->id() == session.machine.target) return target;
    ids.push_back(target->id());
  }
  diagnostics.error({file, 0, "target '" + session.machine.target + "'"}, "there is no such target",
                    fmt::format("one of {}", fmt::join(ids, ", ")));
  return nullptr;
}

/// All parameters are in the session; the preset gives those that are new since.
arch::ParameterValues start_values(const session::Machine& machine, const target::Target& target) {
  for (const std::string& preset : {machine.preset, std::string(target.default_preset())}) {
    if (preset.empty()) continue;
    Diagnostics gone;  // the session has the values
    MachineChoice choice;
    choice.preset = preset;
    if (auto values = resolve_machine(choice, target, gone)) return *values;
  }
  return arch::ParameterValues(target.machine());
}

std::optional<std::string> level_of(const session::Machine& machine, const std::string& file,
                                    const target::Target& target, Diagnostics& diagnostics) {
  if (machine.level.empty()) return target.default_level();
  for (const target::Level& level : target.levels())
    if (level.name == machine.level) return machine.level;
  diagnostics.warning({file, 0, "level '" + machine.level + "'"},
                      "there is no such level; taken: " + target.default_level());
  return target.default_level();
}

std::shared_ptr<const network::Network> network_of(const session::Session& session, const std::string& file,
                                                   const catalogue::Catalogue& catalogue, Diagnostics& diagnostics) {
  if (!session.network) {
    diagnostics.error({file, 0, {}}, "no network was open in this session", "a session with a network",
                      "open one in the window and save the session again");
    return nullptr;
  }
  const auto path = session::find_network(*session.network, file, {sample_path("networks")}, diagnostics);
  if (!path) return nullptr;
  auto network = catalogue.read_network(*path, diagnostics, session.network->sizes);
  return network ? std::make_shared<const network::Network>(std::move(*network)) : nullptr;
}

}  // namespace

bool is_session_file(const std::string& file) {
  return file.ends_with(session::extension);
}

std::optional<engine::Request> resolve_session(const NetworkChoice& choice, const MachineChoice& machine_choice,
                                               const catalogue::Catalogue& catalogue, Diagnostics& diagnostics) {
  const bool fit = options_fit(choice, machine_choice, diagnostics);
  const auto session = session::load_session(choice.file, diagnostics);
  if (!session || !fit) return std::nullopt;
  const auto target = target_of(*session, choice.file, catalogue, diagnostics);
  const auto network = network_of(*session, choice.file, catalogue, diagnostics);
  if (!target || !network) return std::nullopt;
  auto machine =
      session::machine_values(session->machine, start_values(session->machine, *target), choice.file, diagnostics);
  machine.check(diagnostics);
  const auto level = level_of(session->machine, choice.file, *target, diagnostics);
  std::vector<int> layers = resolve_layers(choice.layers, *network, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  const int visible = layers.empty() ? std::clamp<int>(session->selection.layer, 0,
                                                       std::max<int>(0, static_cast<int>(network->layers.size()) - 1))
                                     : layers.front();
  return engine::Request{network, target,           std::move(machine), *level, session->machine.preset,
                         visible, std::move(layers)};
}

}  // namespace convscope::request
