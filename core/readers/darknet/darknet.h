#pragma once
// Darknet configurations (.cfg), as written for pjreddie/darknet and AlexeyAB/darknet, and their .weights.
// Nodes are named as Darknet prints its layers: "12 convolutional"; batch normalization and activation of a layer are
// nodes "12 convolutional/batch_normalize" and "12 convolutional/leaky". Sections without an ONNX operator (yolo,
// region, reorg, gru …) are nodes of domain "darknet" with the section's name.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/network.h"

namespace convscope::readers {

/// True if the first line that is neither empty nor a comment is [net] or [network].
bool is_darknet(std::string_view head);

/// The network with its weights, if a .weights file of the same stem stands beside the file and has exactly as many
/// values as the network needs; otherwise weights have shapes alone, and a note or warning says so. The batch of the
/// file is Darknet's training batch and is left open. All mistakes are collected; after an error nothing is returned.
std::optional<network::Network> read_darknet(const MappedFile& file, const std::string& path, Diagnostics& diagnostics);

/// The same from text; `weights` may be null.
std::optional<network::Network> read_darknet_text(std::string_view text, const std::string& path,
                                                  const MappedFile* weights, Diagnostics& diagnostics);

}  // namespace convscope::readers
