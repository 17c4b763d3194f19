#include "core/reference/image_file.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <png.h>

#include "core/base/atomic_file.h"
#include "core/base/numbers.h"
#include "core/reference/jpeg.h"

namespace convscope::reference {
namespace {

using Image = Tensor<std::uint8_t>;

// Portable graymap or pixmap: a header of four words, '#' to the end of the line being comment, then the raster.
class PnmDecoder {
 public:
  PnmDecoder(std::string_view bytes, std::string file, Diagnostics& diagnostics)
      : bytes_(bytes), file_(std::move(file)), diagnostics_(diagnostics) {}

  std::optional<Image> decode() {
    position_ = 2;
    const bool colors = bytes_[1] == '3' || bytes_[1] == '6';
    maps_ = colors ? 3 : 1;
    name_ = colors ? "PPM" : "PGM";
    const auto width = number("width");
    const auto height = width ? number("height") : std::nullopt;
    const auto maximum = height ? number("maxval") : std::nullopt;
    if (!maximum || !check_image_size(*height, *width, file_, diagnostics_)) return std::nullopt;
    if (*maximum < 1 || *maximum > 65535)
      return failed(fmt::format("the {}'s maxval is out of range", name_), "1 to 65535");
    maximum_ = *maximum;
    return raster({*height, *width});
  }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  std::nullopt_t failed(const std::string& what, const std::string& expected) {
    diagnostics_.error({file_, 0, {}}, what, expected);
    return std::nullopt;
  }

  void skip_space() {
    while (position_ < bytes_.size() && (is_space(bytes_[position_]) || bytes_[position_] == '#')) {
      if (bytes_[position_] == '#') position_ = std::min(bytes_.find('\n', position_), bytes_.size() - 1);
      ++position_;
    }
  }

  std::optional<int> number(const char* name) {
    skip_space();
    int value = 0;
    const char* const end = bytes_.data() + bytes_.size();
    const auto [next, code] = std::from_chars(bytes_.data() + std::min(position_, bytes_.size()), end, value);
    if (code != std::errc() || value < 0 || (next != end && !is_space(*next) && *next != '#'))
      return failed(fmt::format("the {}'s {} is missing or no number", name_, name),
                    fmt::format("a whole {} file", name_));
    position_ = static_cast<std::size_t>(next - bytes_.data());
    return value;
  }

  // What can't be whole is refused before memory is taken for it.
  std::optional<Image> raster(network::Size size) {
    const bool is_binary = bytes_[1] == '5' || bytes_[1] == '6';
    const auto values =
        static_cast<std::size_t>(size.height) * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(maps_);
    const std::size_t needed = is_binary ? 1 + values * bytes_per_value() : 2 * values;
    const std::size_t given = bytes_.size() - position_;
    if (given < needed)
      return failed(fmt::format("the {} ends after {} bytes of its raster", name_, given),
                    fmt::format("at least {} bytes", needed));
    return is_binary ? binary(Image({maps_, size})) : plain(Image({maps_, size}));
  }

  std::nullopt_t above_maximum() {
    return failed(fmt::format("a pixel of the {} is above its maxval", name_), fmt::format("0 to {}", maximum_));
  }

  /// Files have the colours of a pixel side by side, tensors one map after the other.
  std::size_t place(std::size_t i, const Image& image) const {
    const auto maps = static_cast<std::size_t>(maps_);
    return i % maps * (image.values.size() / maps) + i / maps;
  }

  std::size_t bytes_per_value() const { return maximum_ > 255 ? 2 : 1; }

  std::uint8_t scaled(int value) const { return static_cast<std::uint8_t>((value * 255 + maximum_ / 2) / maximum_); }

  std::optional<Image> binary(Image image) {
    const std::size_t width = bytes_per_value();
    const std::string_view values = bytes_.substr(position_ + 1);
    for (std::size_t i = 0; i < image.values.size(); ++i) {
      int value = static_cast<unsigned char>(values[i * width]);
      if (width == 2) value = value * 256 + static_cast<unsigned char>(values[i * width + 1]);
      if (value > maximum_) return above_maximum();
      image.values[place(i, image)] = scaled(value);
    }
    return image;
  }

  std::optional<Image> plain(Image image) {
    for (std::size_t i = 0; i < image.values.size(); ++i) {
      const auto value = number("next pixel");
      if (!value) return std::nullopt;
      if (*value > maximum_) return above_maximum();
      image.values[place(i, image)] = scaled(*value);
    }
    return image;
  }

  std::string_view bytes_;
  std::string file_;
  Diagnostics& diagnostics_;
  std::size_t position_ = 0;
  int maximum_ = 0, maps_ = 1;
  const char* name_ = "PGM";
};

// libpng's simplified interface reports errors by value: no longjmp through C++.
class PngDecoder {
 public:
  PngDecoder() { png_.version = PNG_IMAGE_VERSION; }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() { png_image_free(&png_); }

  /// `maps`: 1 for luminance, 3 for red, green and blue.
  std::optional<Image> decode(std::string_view bytes, int maps, const std::string& file, Diagnostics& diagnostics) {
    if (png_image_begin_read_from_memory(&png_, bytes.data(), bytes.size()) == 0) return failed(file, diagnostics);
    if (!check_image_size(png_.height, png_.width, file, diagnostics)) return std::nullopt;
    png_.format = maps == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    Image image({maps, {static_cast<int>(png_.height), static_cast<int>(png_.width)}});
    std::vector<std::uint8_t> pixels(image.values.size());
    const png_color black{};
    if (png_image_finish_read(&png_, &black, pixels.data(), 0, nullptr) == 0) return failed(file, diagnostics);
    separate_maps(pixels, image);
    return image;
  }

 private:
  std::nullopt_t failed(const std::string& file, Diagnostics& diagnostics) const {
    diagnostics.error({file, 0, {}}, fmt::format("the PNG is damaged: {}", png_.message), "a whole PNG file");
    return std::nullopt;
  }

  png_image png_{};
};

std::optional<Image> generate(std::string_view digits, const std::string& name, network::Shape shape,
                              Diagnostics& diagnostics) {
  if (const auto seed = parse_integer<std::uint64_t>(digits)) return seeded_image(shape, *seed);
  diagnostics.error({name, 0, {}}, "the seed is no number", "seed:N with N from 0 to 2^64 - 1");
  return std::nullopt;
}

bool check_tensor_size(network::Shape shape, const std::string& name, Diagnostics& diagnostics) {
  std::size_t pixels = 1;
  for (const int factor : {shape.maps, shape.size.height, shape.size.width}) {
    if (factor >= 1 && pixels <= tensor_pixel_cap / static_cast<std::size_t>(factor)) {
      pixels *= static_cast<std::size_t>(factor);
      continue;
    }
    diagnostics.error({name, 0, {}},
                      fmt::format("an input of {} maps of {}x{} (width x height) pixels can't be simulated", shape.maps,
                                  shape.size.width, shape.size.height),
                      fmt::format("1 to {} pixels together", tensor_pixel_cap));
    return false;
  }
  return true;
}

}  // namespace

bool check_image_size(std::int64_t height, std::int64_t width, const std::string& file, Diagnostics& diagnostics) {
  const bool fits = height >= 1 && width >= 1 && height <= image_dimension_cap && width <= image_dimension_cap &&
                    static_cast<std::size_t>(height * width) <= image_pixel_cap;
  if (!fits)
    diagnostics.error({file, 0, {}}, fmt::format("the image has {}x{} (width x height) pixels", width, height),
                      fmt::format("1 to {} each way and at most {} together", image_dimension_cap, image_pixel_cap));
  return fits;
}

void separate_maps(std::span<const std::uint8_t> pixels, Image& image) {
  const auto maps = static_cast<std::size_t>(image.shape.maps);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    image.values[i % maps * (pixels.size() / maps) + i / maps] = pixels[i];
}

std::optional<Image> decode_image(std::string_view bytes, const std::string& file, Diagnostics& diagnostics) {
  if (bytes.starts_with("\x89PNG")) return PngDecoder().decode(bytes, 1, file, diagnostics);
  if (bytes.starts_with("P5") || bytes.starts_with("P2")) return PnmDecoder(bytes, file, diagnostics).decode();
  if (is_jpeg(bytes)) return decode_jpeg(bytes, 1, file, diagnostics);
  diagnostics.error({file, 0, {}}, "not an image that can be read", "PGM (P5 or P2), PNG or JPEG");
  return std::nullopt;
}

std::optional<Image> decode_colors(std::string_view bytes, const std::string& file, Diagnostics& diagnostics) {
  if (bytes.starts_with("\x89PNG")) return PngDecoder().decode(bytes, 3, file, diagnostics);
  if (bytes.starts_with("P6") || bytes.starts_with("P3")) return PnmDecoder(bytes, file, diagnostics).decode();
  if (is_jpeg(bytes)) return decode_jpeg(bytes, 3, file, diagnostics);
  if (!bytes.starts_with("P5") && !bytes.starts_with("P2")) {
    diagnostics.error({file, 0, {}}, "not an image that can be read", "PPM (P6 or P3), PGM (P5 or P2), PNG or JPEG");
    return std::nullopt;
  }
  const auto gray = PnmDecoder(bytes, file, diagnostics).decode();
  if (!gray) return std::nullopt;
  Image image({3, gray->shape.size});
  for (std::size_t i = 0; i < image.values.size(); ++i) image.values[i] = gray->values[i % gray->values.size()];
  return image;
}

Image fit_image(const Image& image, network::Shape shape, const std::string& file, Diagnostics& diagnostics) {
  const network::Size given = image.shape.size;
  if (given != shape.size)
    diagnostics.note({file, 0, {}},
                     fmt::format("the image has {}x{} (width x height) pixels where {}x{} are read: it is cropped, and "
                                 "what is missing is zero",
                                 given.width, given.height, shape.size.width, shape.size.height));
  Image result(shape);
  for (int map = 0; map < shape.maps; ++map)
    for (int y = 0; y < std::min(shape.size.height, given.height); ++y)
      std::copy_n(&image.at(image.shape.maps == shape.maps ? map : 0, y, 0), std::min(shape.size.width, given.width),
                  &result.at(map, y, 0));
  return result;
}

std::optional<Image> load_image(const std::string& name, network::Shape shape, Diagnostics& diagnostics) {
  constexpr std::string_view generated = "seed:";
  if (!check_tensor_size(shape, name, diagnostics)) return std::nullopt;
  if (name.starts_with(generated))
    return generate(std::string_view(name).substr(generated.size()), name, shape, diagnostics);
  const auto bytes = read_file(name, diagnostics);
  if (!bytes) return std::nullopt;
  const auto image = decode_image(*bytes, name, diagnostics);
  if (!image) return std::nullopt;
  return fit_image(*image, shape, name, diagnostics);
}

std::optional<Image> load_colors(const std::string& name, network::Size size, Diagnostics& diagnostics) {
  const network::Shape shape{3, size};
  if (!check_tensor_size(shape, name, diagnostics)) return std::nullopt;
  const auto bytes = read_file(name, diagnostics);
  const auto image = bytes ? decode_colors(*bytes, name, diagnostics) : std::nullopt;
  if (!image) return std::nullopt;
  return fit_image(*image, shape, name, diagnostics);
}

std::string encode_pgm(const Image& image, int map) {
  const auto [height, width] = image.shape.size;
  std::string result = fmt::format("P5\n{} {}\n255\n", width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) result += static_cast<char>(image.at(map, y, x));
  return result;
}

}  // namespace convscope::reference
