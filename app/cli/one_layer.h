#pragma once
// Commands that look at one layer: it is compiled alone.

#include <memory>
#include <optional>
#include <string>

#include "app/cli/context.h"
#include "app/cli/options.h"

namespace convscope::cli {

struct OneLayer {
  std::shared_ptr<const target::Target> target;
  std::shared_ptr<const network::Network> network;
  std::string level, name;                                ///< name: the layer's
  std::shared_ptr<const target::CompiledLayer> compiled;  ///< mapped or not; never null
  Location where;                                         ///< the layer in its network's file
};

/// Nothing, with diagnostics, if the input is refused or not one layer is asked for. Throws Cancelled,
/// and std::runtime_error if we refuse our own program.
std::optional<OneLayer> compile_one_layer(const NetworkOptions& network, const MachineOptions& machine,
                                          Context& context, Diagnostics& diagnostics);

/// False, with a diagnostic, if the layer has no such program.
bool has_program(const OneLayer& layer, int program, Diagnostics& diagnostics);

}  // namespace convscope::cli
