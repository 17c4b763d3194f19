#pragma once
// Caffe's network definitions (.prototxt in protobuf's text format, `layer` of version 2 and `layers` of version 1) and
// weights (.caffemodel). The network of phase TEST is read. A Scale layer that alone follows a BatchNorm layer is
// folded into one BatchNormalization node; layers without an ONNX operator (PriorBox, DetectionOutput, losses …) are
// nodes of domain "caffe" with the layer's type.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/network.h"

namespace convscope::readers {

/// True if the text has fields in protobuf's text format, one of them `layer {` or `layers {`.
bool is_caffe(std::string_view head);

/// The network with its weights, if a .caffemodel of the same stem stands beside the file; blobs whose sizes don't fit
/// their layers are left out with a warning. Without weights they have shapes alone, and a note says so. All mistakes
/// are collected; after an error nothing is returned.
std::optional<network::Network> read_caffe(const MappedFile& file, const std::string& path, Diagnostics& diagnostics);

/// The same from text; `model` are the bytes of a .caffemodel, or empty, and `owner` what keeps them.
std::optional<network::Network> read_caffe_text(std::string_view text, const std::string& path, std::string_view model,
                                                std::shared_ptr<const void> owner, Diagnostics& diagnostics);

}  // namespace convscope::readers
