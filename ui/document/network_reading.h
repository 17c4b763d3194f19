#pragma once
// Reading a network for the window: what a file leaves open gets a size, and a note says which.

#include <optional>
#include <string>

#include "core/base/diagnostic.h"
#include "core/network/network.h"

namespace convscope::ui {

/// The size that most published classifiers take.
inline constexpr network::Size default_image{224, 224};

/// As catalogue::read_network; a network whose image inputs leave height or width open is read with `default_image`
/// there, and a note names input and size. Reads files.
std::optional<network::Network> read_network_with_defaults(const std::string& path, Diagnostics& diagnostics);

}  // namespace convscope::ui
