// Any bytes as an image: one map, or three of colours, within the caps, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/reference/image_file.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;
namespace reference = convscope::reference;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  convscope::Diagnostics of_colors;
  const auto colors = reference::decode_colors(bytes, "fuzz.image", of_colors);
  require(colors.has_value() != of_colors.has_errors(), "colours or an error");
  if (colors) require(colors->shape.maps == 3 && colors->values.size() % 3 == 0, "three maps");
  const auto image = reference::decode_image(bytes, "fuzz.image", diagnostics);
  require(image.has_value() != diagnostics.has_errors(), "an image or an error");
  if (!image) return 0;
  const auto& shape = image->shape;
  require(shape.maps == 1 && shape.size.height >= 1 && shape.size.width >= 1, "one map");
  require(image->values.size() <= reference::image_pixel_cap, "within the cap");
  const auto fitted = reference::fit_image(*image, {2, {3, 5}}, "fuzz.image", diagnostics);
  require(fitted.at(1, 2, 4) == image->padded(0, 2, 4), "cropped or padded");
  return 0;
}
