// Images that must be read.
#include "core/reference/image_file.h"

#include <string>

#include <gtest/gtest.h>
#include <png.h>

#include "core/base/atomic_file.h"
#include "tests/core/reference/encoded_jpeg.h"

namespace convscope::reference {
namespace {

using Image = Tensor<std::uint8_t>;

Image decoded(const std::string& bytes) {
  Diagnostics diagnostics;
  const auto image = decode_image(bytes, "image", diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  return image.value_or(Image{});
}

std::string png(int width, int height, png_uint_32 format, const std::vector<std::uint8_t>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = format;
  png_alloc_size_t size = 0;
  EXPECT_TRUE(png_image_write_get_memory_size(image, size, 0, pixels.data(), 0, nullptr));
  std::string bytes(size, '\0');
  EXPECT_TRUE(png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr));
  return bytes;
}

std::string saved(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "/convscope_" + name;
  Diagnostics diagnostics;
  EXPECT_TRUE(write_file_atomically(path, bytes, diagnostics)) << diagnostics.text();
  return path;
}

TEST(ImageFile, BinaryPgm) {
  const Image image = decoded(std::string("P5\n# comment\n3 2 # more\n255\n") + "\x01\x02\x03\xff\x0a\x20");
  EXPECT_EQ(image.shape, (network::Shape{1, {2, 3}}));
  EXPECT_EQ(image.values, (std::vector<std::uint8_t>{1, 2, 3, 255, 10, 32}));
}

TEST(ImageFile, PlainPgmIsScaledTo255) {
  EXPECT_EQ(decoded("P2 2 2 15 0 15\n5 # comment\n 10").values, (std::vector<std::uint8_t>{0, 255, 85, 170}));
}

TEST(ImageFile, SixteenBitPgm) {
  EXPECT_EQ(decoded(std::string("P5 2 1 65535\n\xff\xff\x80\x00", 17)).values, (std::vector<std::uint8_t>{255, 128}));
}

TEST(ImageFile, OwnPgmReadsBack) {
  const Image image = seeded_image({2, {5, 7}}, 3);
  const Image back = decoded(encode_pgm(image, 1));
  ASSERT_EQ(back.shape, (network::Shape{1, {5, 7}}));
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) EXPECT_EQ(back.at(0, y, x), image.at(1, y, x));
}

TEST(ImageFile, GrayPng) {
  const std::vector<std::uint8_t> pixels{0, 1, 127, 128, 254, 255};
  const Image image = decoded(png(2, 3, PNG_FORMAT_GRAY, pixels));
  EXPECT_EQ(image.shape, (network::Shape{1, {3, 2}}));
  EXPECT_EQ(image.values, pixels);
}

TEST(ImageFile, ColourPngBecomesLuminanceAndTransparencyBlack) {
  const Image image =
      decoded(png(4, 1, PNG_FORMAT_RGBA, {255, 255, 255, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 0}));
  EXPECT_EQ(image.values[0], 255);
  EXPECT_GT(image.values[1], image.values[2]) << "green is brighter than blue";
  EXPECT_EQ(image.values[3], 0);
}

TEST(ImageFile, JpegInColourAndGray) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 9; ++x)
      for (const int value : {200, 10 * y, 20 * x}) pixels.push_back(static_cast<std::uint8_t>(value));
  for (const bool halved : {false, true}) {
    const std::string bytes = encoded_jpeg(9, 17, pixels, halved);
    Diagnostics diagnostics;
    const auto colors = decode_colors(bytes, "photo.jpg", diagnostics);
    ASSERT_TRUE(colors) << diagnostics.text();
    ASSERT_EQ(colors->shape, (network::Shape{3, {17, 9}}));
    EXPECT_NEAR(colors->at(0, 8, 4), 200, halved ? 12 : 3);
    EXPECT_NEAR(colors->at(1, 8, 4), 80, halved ? 12 : 3);
    EXPECT_NEAR(colors->at(2, 8, 4), 80, halved ? 12 : 3);
    const Image gray = decoded(bytes);
    ASSERT_EQ(gray.shape, (network::Shape{1, {17, 9}}));
    EXPECT_NEAR(gray.at(0, 8, 4), .299 * 200 + .587 * 80 + .114 * 80, 3);
  }
}

TEST(ImageFile, FitsByCroppingAndByZeros) {
  Image image({1, {2, 3}});
  image.values = {1, 2, 3, 4, 5, 6};
  Diagnostics diagnostics;
  EXPECT_EQ(fit_image(image, {1, {3, 2}}, "i", diagnostics).values, (std::vector<std::uint8_t>{1, 2, 4, 5, 0, 0}));
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].severity, Severity::note);
  EXPECT_NE(diagnostics.items()[0].what.find("3x2 (width x height) pixels where 2x3"), std::string::npos);
}

TEST(ImageFile, AllMapsGetTheSameImage) {
  Diagnostics diagnostics;
  const auto image = load_image(saved("maps.pgm", "P2 2 1 255 7 9"), {3, {1, 2}}, diagnostics);
  ASSERT_TRUE(image) << diagnostics.text();
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(image->values, (std::vector<std::uint8_t>{7, 9, 7, 9, 7, 9}));
}

TEST(ImageFile, SeedGeneratesDifferentMaps) {
  Diagnostics diagnostics;
  const network::Shape shape{2, {8, 8}};
  const auto image = load_image("seed:42", shape, diagnostics);
  ASSERT_TRUE(image) << diagnostics.text();
  EXPECT_EQ(image->values, seeded_image(shape, 42).values);
  EXPECT_FALSE(std::equal(image->values.begin(), image->values.begin() + 64, image->values.begin() + 64));
  EXPECT_TRUE(load_image("seed:18446744073709551615", shape, diagnostics));
}

TEST(ImageFile, ColoursAreMaps) {
  Diagnostics diagnostics;
  const std::vector<std::uint8_t> maps{10, 40, 20, 50, 30, 60};
  for (const std::string& file :
       {std::string("P3 2 1 255 10 20 30 40 50 60 "), std::string("P6 2 1 255\n\x0a\x14\x1e\x28\x32\x3c"),
        png(2, 1, PNG_FORMAT_RGB, {10, 20, 30, 40, 50, 60})}) {
    const auto image = decode_colors(file, "image", diagnostics);
    ASSERT_TRUE(image) << diagnostics.text();
    EXPECT_EQ(image->shape, (network::Shape{3, {1, 2}}));
    EXPECT_EQ(image->values, maps);
    const Image fitted = fit_image(*image, {3, {1, 1}}, "image", diagnostics);
    EXPECT_EQ(fitted.values, (std::vector<std::uint8_t>{10, 20, 30}));
  }
  const auto gray = decode_colors("P2 2 1 255 7 9 ", "gray", diagnostics);
  ASSERT_TRUE(gray);
  EXPECT_EQ(gray->values, (std::vector<std::uint8_t>{7, 9, 7, 9, 7, 9}));
  EXPECT_FALSE(decode_colors("P6 2 1 255\nabcde", "short", diagnostics));
  EXPECT_FALSE(decode_colors("P4 2 1 ", "bits", diagnostics));
}

}  // namespace
}  // namespace convscope::reference
