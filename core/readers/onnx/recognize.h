#pragma once
// What a file is, by its first bytes.

#include <string_view>

namespace convscope::readers::onnx_format {

bool looks_like_lfs_pointer(std::string_view bytes);
/// Protobuf text that begins with a field of ModelProto.
bool looks_like_text(std::string_view bytes);
/// Fields of ModelProto and of no other model format, as far as the first ones tell.
bool looks_like_binary(std::string_view bytes);

}  // namespace convscope::readers::onnx_format
