#pragma once
// Frozen TensorFlow graphs (GraphDef, binary or text), brought from (batch, height, width, maps) into ONNX's (batch,
// maps, height, width): maps are permuted where they come in, weights of convolutions are (out, in, y, x). Operators
// that look at the order of values (Reshape, MatMul …) get Transpose nodes around them where the order matters.
// Operators whose data_format is NCHW take and give maps as they are.
//
// What is computed from constants alone, and from shapes that the file states, is computed while reading. Operators
// without a counterpart in ONNX are nodes of domain "tensorflow" with TensorFlow's name, on maps in TensorFlow's order.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/network.h"

namespace convscope::readers {

/// Binary: the first field is a node. Text: a field `node {` stands at the top level. Also of a SavedModel, so that it
/// can be refused with what to do.
bool is_graphdef(std::string_view content);

/// Constants point into the file; those whose values must be reordered are copies, of 64 MiB together at most: beyond
/// that they have shapes alone, with a note. Errors, all of them collected, after which nothing is returned: what is
/// malformed or too large, names that are missing or taken twice, circles, attributes without a meaning; and graphs
/// that aren't frozen, whose variables, loops and functions are named with what to do.
std::optional<network::Network> read_graphdef(const MappedFile& file, const std::string& path,
                                              Diagnostics& diagnostics);
std::optional<network::Network> read_graphdef_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                                    const std::string& path, Diagnostics& diagnostics);

}  // namespace convscope::readers
