#pragma once
// Images for simulation and calibration: PGM, PPM, PNG and JPEG files, or generated ones.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/reference/convolution.h"

namespace convscope::reference {

inline constexpr int image_dimension_cap = 16384;                      ///< rows or columns of an image
inline constexpr std::size_t image_pixel_cap = std::size_t{1} << 26;   ///< pixels of an image file
inline constexpr std::size_t tensor_pixel_cap = std::size_t{1} << 29;  ///< pixels of all maps together

/// Says an error if an image of that size isn't read.
bool check_image_size(std::int64_t height, std::int64_t width, const std::string& file, Diagnostics& diagnostics);

/// Pixels with their colours side by side into the maps of an image of as many values.
void separate_maps(std::span<const std::uint8_t> pixels, Tensor<std::uint8_t>& image);

/// Decodes PGM (P5 and P2, any maxval, scaled to 255), PNG (any kind; colour becomes luminance, transparency black, 16
/// bits 8) or JPEG into one map of 8-bit gray. Nothing, with a diagnostic, if the bytes are none of them, damaged, or
/// too large.
std::optional<Tensor<std::uint8_t>> decode_image(std::string_view bytes, const std::string& file,
                                                 Diagnostics& diagnostics);

/// Decodes PPM (P6 and P3), PGM, PNG or JPEG likewise into three maps: red, green and blue, equal for a gray image.
std::optional<Tensor<std::uint8_t>> decode_colors(std::string_view bytes, const std::string& file,
                                                  Diagnostics& diagnostics);

/// The image in `maps` maps of the wanted size, equal ones unless the image has as many: cropped at the right and
/// bottom, zeros where it is too small. A size that differs is noted.
Tensor<std::uint8_t> fit_image(const Tensor<std::uint8_t>& image, network::Shape shape, const std::string& file,
                               Diagnostics& diagnostics);

/// "seed:N" with 0 <= N < 2^64 is seeded_image(shape, N), different in every map; anything else is a file of at most
/// 64 MB, decoded and fitted: all maps get the same gray image.
std::optional<Tensor<std::uint8_t>> load_image(const std::string& name, network::Shape shape, Diagnostics& diagnostics);

/// A file of at most 64 MB as red, green and blue, fitted.
std::optional<Tensor<std::uint8_t>> load_colors(const std::string& name, network::Size size, Diagnostics& diagnostics);

/// The map as a binary PGM (P5, maxval 255).
std::string encode_pgm(const Tensor<std::uint8_t>& image, int map = 0);

}  // namespace convscope::reference
