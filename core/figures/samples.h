#pragma once
// The published networks on the published machine: what every figure starts from.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/figures/figure.h"

namespace convscope::figures {

/// A network of samples/networks, by file name.
std::shared_ptr<const network::Network> sample_network(const std::string& file, const Environment& environment,
                                                       Diagnostics& diagnostics);

/// A target's default preset. Nothing, with diagnostics, if the file is missing or refused.
std::optional<arch::ParameterValues> default_machine(const target::Target& target, Diagnostics& diagnostics);

/// One of a target's presets, by the name of its file. The same.
std::optional<arch::ParameterValues> preset_machine(const target::Target& target, const std::string& preset,
                                                    Diagnostics& diagnostics);

/// A request for a sample on a target's default preset. Nothing, with diagnostics, if a file is missing or refused.
std::optional<engine::Request> sample_request(const std::string& file, const std::string& target,
                                              const std::string& level, const Environment& environment,
                                              Diagnostics& diagnostics);

engine::CompiledNetwork compile_sample(const engine::Request& request, const Environment& environment);

/// The two networks of the NVE thesis, in its order.
inline constexpr const char* thesis_networks[] = {"face_detection.xml", "speed_sign.xml"};

/// A target figure of a metrics set, or nothing.
std::optional<double> target_figure(const artifact::Metrics& metrics, std::string_view key);

}  // namespace convscope::figures
