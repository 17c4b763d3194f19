#pragma once
// Torch7's serialized networks (.t7), binary and text: modules of nn and cudnn, also as nngraph's gModule. Modules
// without a counterpart in ONNX are nodes of domain "torch" with the class's name. A module's node has the path of
// positions that leads to it and its class, "8.1.2.SpatialConvolution", or the name that it was given.
//
// The file doesn't say how large the network's input is: rows, columns and batch stay open.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/network.h"

namespace convscope::readers {

/// True if the bytes begin with a table or an object as torch.save writes them. Binary files are little-endian.
bool is_torch7(std::string_view head);

/// Constants point into the file; of text, and of tensors that aren't contiguous, they are copies, the latter of 64 MiB
/// together at most: beyond that they have shapes alone, with a note. What doesn't fit the serialization ends the
/// reading, with byte or line; mistakes in modules are collected. After an error nothing is returned.
std::optional<network::Network> read_torch7(const MappedFile& file, const std::string& path, Diagnostics& diagnostics);
std::optional<network::Network> read_torch7_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                                  const std::string& path, Diagnostics& diagnostics);

}  // namespace convscope::readers
