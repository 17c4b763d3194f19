#pragma once
// JPEG files by libjpeg-turbo, for image_file.h.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/reference/convolution.h"

namespace convscope::reference {

bool is_jpeg(std::string_view bytes);

/// Baseline and progressive files into one map of luminance or three of red, green and blue (`maps` 1 or 3). Nothing,
/// with a diagnostic, if the file is damaged or ends too early, has no such colours (CMYK), is larger than images may
/// be (image_file.h), or has more than 500 scans, which take time out of proportion to the file.
std::optional<Tensor<std::uint8_t>> decode_jpeg(std::string_view bytes, int maps, const std::string& file,
                                                Diagnostics& diagnostics);

}  // namespace convscope::reference
