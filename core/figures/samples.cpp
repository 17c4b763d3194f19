#include "core/figures/samples.h"

#include "core/arch/preset.h"
#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "core/target/presets.h"

namespace convscope::figures {

std::shared_ptr<const network::Network> sample_network(const std::string& file, const Environment& environment,
                                                       Diagnostics& diagnostics) {
  Diagnostics found;
  std::optional<network::Network> network = environment.catalogue->read_network(sample_path("networks/" + file), found);
  // Notes about a sample are known and no news in a figure.
  if (!network || found.has_errors()) {
    diagnostics.append(found);
    return nullptr;
  }
  return std::make_shared<const network::Network>(std::move(*network));
}

std::optional<arch::ParameterValues> default_machine(const target::Target& target, Diagnostics& diagnostics) {
  return preset_machine(target, target.default_preset(), diagnostics);
}

std::optional<arch::ParameterValues> preset_machine(const target::Target& target, const std::string& preset_name,
                                                    Diagnostics& diagnostics) {
  const std::string path = target::preset_path(target, preset_name);
  const std::optional<std::string> text = read_file(path, diagnostics);
  if (!text) return std::nullopt;
  std::optional<arch::Preset> preset = arch::read_preset(*text, path, target.machine(), diagnostics);
  if (!preset) return std::nullopt;
  return std::move(preset->values);
}

std::optional<engine::Request> sample_request(const std::string& file, const std::string& target_id,
                                              const std::string& level, const Environment& environment,
                                              Diagnostics& diagnostics) {
  const std::shared_ptr<const target::Target> target = environment.catalogue->find_target(target_id);
  if (!target) {
    diagnostics.error({}, "there is no target '" + target_id + "'");
    return std::nullopt;
  }
  std::optional<arch::ParameterValues> machine = default_machine(*target, diagnostics);
  std::shared_ptr<const network::Network> network = sample_network(file, environment, diagnostics);
  if (!machine || !network) return std::nullopt;
  return engine::Request{std::move(network), target, std::move(*machine), level, target->default_preset(), 0, {}};
}

engine::CompiledNetwork compile_sample(const engine::Request& request, const Environment& environment) {
  return engine::compile(request, *environment.executor, *environment.cache, environment.stop, environment.progress);
}

std::optional<double> target_figure(const artifact::Metrics& metrics, std::string_view key) {
  const Quantity* quantity = metrics.find(key);
  if (!quantity) return std::nullopt;
  return quantity->value;
}

}  // namespace convscope::figures
