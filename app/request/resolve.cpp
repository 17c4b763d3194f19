#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/request/request.h"
#include "app/request/session_request.h"
#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/base/numbers.h"
#include "core/base/resources.h"
#include "core/target/presets.h"

namespace convscope::request {
namespace {

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_file_name(const std::string& preset) {
  return preset.find('/') != std::string::npos || preset.ends_with(".xml");
}

std::optional<std::string> preset_file(const std::string& preset, const target::Target& target,
                                       Diagnostics& diagnostics) {
  if (is_file_name(preset)) return preset;
  const std::vector<std::string> known = target::preset_names(target);
  if (std::find(known.begin(), known.end(), preset) != known.end()) return target::preset_path(target, preset);
  const std::string path = target::preset_path(target, preset);
  diagnostics.error({}, fmt::format("there is no preset '{}' for target {}", preset, target.id()),
                    (known.empty() ? "" : joined(known) + ", or ") + "a file's name ending in .xml",
                    preset == target.default_preset() || known.empty() ? data_hint(path) : "");
  return std::nullopt;
}

}  // namespace

std::optional<std::pair<int, int>> parse_size(const std::string& text) {
  constexpr int largest = 99'999;
  const auto size = parse_pair(text, 'x');
  if (!size || size->first > largest || size->second > largest) return std::nullopt;
  return size;
}

std::shared_ptr<const target::Target> resolve_target(const std::string& wanted, const catalogue::Catalogue& catalogue,
                                                     Diagnostics& diagnostics) {
  auto target = catalogue.find_target(wanted);
  if (target) return target;
  std::vector<std::string> ids;
  for (const auto& each : catalogue.targets) ids.push_back(each->id());
  diagnostics.error({}, fmt::format("there is no target '{}'", wanted), joined(ids));
  return nullptr;
}

std::optional<std::string> resolve_level(const std::string& wanted, const target::Target& target,
                                         Diagnostics& diagnostics) {
  if (wanted.empty()) return target.default_level();
  std::vector<std::string> names;
  for (const target::Level& level : target.levels()) names.push_back(level.name);
  if (std::find(names.begin(), names.end(), wanted) != names.end()) return wanted;
  diagnostics.error({}, fmt::format("target {} has no level '{}'", target.id(), wanted), joined(names));
  return std::nullopt;
}

std::optional<network::InputSizes> resolve_sizes(const NetworkChoice& choice) {
  if (!choice.batch && choice.input_size.empty()) return std::nullopt;
  network::InputSizes sizes;
  sizes.batch = choice.batch.value_or(network::stated_batch);
  if (const auto size = parse_size(choice.input_size)) sizes.image = network::Size{size->first, size->second};
  return sizes;
}

std::vector<int> resolve_layers(const std::vector<std::string>& wanted, const network::Network& network,
                                Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const network::Layer& layer : network.layers) names.push_back(layer.name);
  std::vector<int> indices;
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      diagnostics.error({network.source_file, 0, {}}, fmt::format("there is no layer '{}'", name), joined(names));
    } else {
      indices.push_back(static_cast<int>(found - names.begin()));
    }
  }
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

std::string preset_name(const MachineChoice& choice, const target::Target& target) {
  if (choice.preset.empty()) return target.default_preset();
  return is_file_name(choice.preset) ? std::filesystem::path(choice.preset).stem().string() : choice.preset;
}

std::optional<arch::ParameterValues> resolve_machine(const MachineChoice& choice, const target::Target& target,
                                                     Diagnostics& diagnostics) {
  const auto file = preset_file(choice.preset.empty() ? target.default_preset() : choice.preset, target, diagnostics);
  if (!file) return std::nullopt;
  const auto text = read_file(*file, diagnostics);
  if (!text) return std::nullopt;
  std::optional<arch::Preset> preset = arch::read_preset(*text, *file, target.machine(), diagnostics);
  if (!preset) return std::nullopt;
  bool fine = true;
  for (const std::string& setting : choice.settings) {
    const std::size_t equals = setting.find('=');
    fine &= preset->values.set(setting.substr(0, equals), setting.substr(equals + 1), diagnostics, {"--set", 0, {}});
  }
  if (!fine || !preset->values.check(diagnostics)) return std::nullopt;
  return std::move(preset->values);
}

std::optional<engine::Request> resolve_request(const NetworkChoice& choice, const MachineChoice& machine_choice,
                                               const catalogue::Catalogue& catalogue, Diagnostics& diagnostics) {
  if (is_session_file(choice.file)) return resolve_session(choice, machine_choice, catalogue, diagnostics);
  const auto target = resolve_target(machine_choice.target, catalogue, diagnostics);
  if (!target) return std::nullopt;
  auto level = resolve_level(machine_choice.level, *target, diagnostics);
  auto machine = resolve_machine(machine_choice, *target, diagnostics);
  auto network = catalogue.read_network(choice.file, diagnostics, resolve_sizes(choice));
  std::vector<int> layers;
  if (network) layers = resolve_layers(choice.layers, *network, diagnostics);
  if (!level || !machine || !network || diagnostics.has_errors()) return std::nullopt;
  const int visible = layers.empty() ? 0 : layers.front();
  return engine::Request{std::make_shared<const network::Network>(std::move(*network)),
                         target,
                         std::move(*machine),
                         std::move(*level),
                         preset_name(machine_choice, *target),
                         visible,
                         std::move(layers)};
}

}  // namespace convscope::request
