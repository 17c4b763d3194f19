#pragma once
// ONNX models (IR 1 and later), binary or as protobuf text, through libonnx's message classes. Nothing else of libonnx
// is used: its checker and its shape inference refuse, or fail on, files newer than themselves.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/graph.h"
#include "core/network/network.h"

namespace convscope::readers {

/// True if the bytes look like a ModelProto, whole or truncated, binary or text; or like a Git LFS pointer, of which
/// nobody can know what it stands for but which deserves a better answer than "unknown format".
bool is_onnx(std::string_view head);

/// The model's main graph. Initializers, Constant nodes and ConstantOfShape nodes of a constant shape become constant
/// tensors; large values stay in the mapped file. Control flow, local functions and operators of other domains stay
/// opaque nodes. External data is read from the model's folder only; where a file is absent, the constant has a shape
/// and no values, with a note. Nodes without a name are named after their operator and its count ("Conv_2"); a
/// repeated name gets a number. All mistakes are collected (at most 100); nothing is returned if there was an error.
std::optional<network::Network> read_onnx(const MappedFile& file, const std::string& path, Diagnostics& diagnostics);

/// A tensor in a file of its own (TensorProto: the input_0.pb of ONNX's test data); `name`, if given, receives its
/// name, which may be empty. Errors as above.
std::optional<network::Constant> read_onnx_tensor(const MappedFile& file, const std::string& path,
                                                  Diagnostics& diagnostics, std::string* name = nullptr);

}  // namespace convscope::readers
