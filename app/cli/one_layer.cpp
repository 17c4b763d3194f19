#include "app/cli/one_layer.h"

#include <stdexcept>

#include <fmt/format.h>

#include "app/cli/compilation.h"
#include "core/engine/faults.h"

namespace convscope::cli {

std::optional<OneLayer> compile_one_layer(const NetworkOptions& network, const MachineOptions& machine,
                                          Context& context, Diagnostics& diagnostics) {
  const auto request = resolve_request(network, machine, *context.catalogue, diagnostics);
  if (!request) return std::nullopt;
  if (request->only_layers.size() != 1) {
    diagnostics.error({network.file, 0, {}}, "this command looks at one layer", "--layer NAME, once");
    return std::nullopt;
  }
  const auto index = static_cast<std::size_t>(request->only_layers.front());
  const Compilation compilation = compile_keeping_finished(*request, context);
  if (compilation.stopped) throw Cancelled();
  const std::string& name = request->network->layers[index].name;
  const auto& compiled = compilation.compiled.layers[index];
  if (const std::string fault = compiled->fault(); !fault.empty())
    throw std::runtime_error(engine::Fault{name, fault}.text());
  return OneLayer{request->target, request->network,
                  request->level,  name,
                  compiled,        {network.file, 0, fmt::format("layer '{}'", name)}};
}

bool has_program(const OneLayer& layer, int program, Diagnostics& diagnostics) {
  if (!layer.compiled->mapped()) {
    diagnostics.error(layer.where, "is not mapped: " + layer.compiled->reason());
    return false;
  }
  if (program < layer.compiled->program_count()) return true;
  diagnostics.error(layer.where, fmt::format("has no program {}", program),
                    layer.compiled->program_count() == 0 ? "a target that makes programs"
                                                         : fmt::format("0 to {}", layer.compiled->program_count() - 1));
  return false;
}

}  // namespace convscope::cli
