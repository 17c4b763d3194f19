#pragma once
// TensorFlow Lite models (FlatBuffers, identifier TFL3), brought from (batch, height, width, maps) into ONNX's
// (batch, maps, height, width): tensors of four dimensions are permuted, weights of convolutions are (out, in, y, x).
// Operators that look at the order of values (RESHAPE, FULLY_CONNECTED …) get Transpose nodes around them where the
// order matters. Fused activations are nodes of their own. Operators without a counterpart in ONNX are nodes of domain
// "tflite" with TensorFlow Lite's name.
//
// Quantized operators keep their operator and their tensors' element types; the tensors have the file's scales.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/network.h"

namespace convscope::readers {

/// True if bytes 4 to 7 are "TFL3".
bool is_tflite(std::string_view head);

/// The first subgraph. Constants point into the file; those whose values must be reordered are copies, of 64 MiB
/// together at most: beyond that they have shapes alone, with a note. All mistakes are collected; after an error
/// nothing is returned.
std::optional<network::Network> read_tflite(const MappedFile& file, const std::string& path, Diagnostics& diagnostics);
std::optional<network::Network> read_tflite_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                                  const std::string& path, Diagnostics& diagnostics);

}  // namespace convscope::readers
