// Images that must be refused, with a diagnostic.
#include <string>

#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/reference/image_file.h"
#include "tests/core/reference/encoded_jpeg.h"

namespace convscope::reference {
namespace {

using namespace std::string_literals;

void expect_refused(const std::string& bytes, const std::string& what) {
  Diagnostics diagnostics;
  EXPECT_FALSE(decode_image(bytes, "bad.image", diagnostics)) << what;
  ASSERT_EQ(diagnostics.items().size(), 1U) << what;
  EXPECT_EQ(diagnostics.items()[0].where.file, "bad.image");
  EXPECT_NE(diagnostics.items()[0].what.find(what), std::string::npos) << diagnostics.text();
}

TEST(ImageFileRefused, NeitherPgmNorPng) {
  expect_refused("", "not an image that can be read");
  expect_refused("P6 1 1 255 abc", "not an image that can be read");
  expect_refused("GIF89a", "not an image that can be read");
}

TEST(ImageFileRefused, PgmHeader) {
  expect_refused("P5", "width is missing");
  expect_refused("P5 x 1 255 a", "width is missing or no number");
  expect_refused("P5 -1 1 255 a", "width is missing or no number");
  expect_refused("P5 1", "height is missing");
  expect_refused("P5 1x1 255 a", "width is missing or no number");
  expect_refused("P5 1 1 # no end", "maxval is missing");
  expect_refused("P5 1 1 65536 aa", "maxval is out of range");
  expect_refused("P5 1 1 0 a", "maxval is out of range");
  expect_refused("P5 99999999999 1 255 a", "width is missing or no number");
}

TEST(ImageFileRefused, PgmRaster) {
  expect_refused("P5 2 2 255\nabc", "ends after");
  expect_refused("P5 1 1 255", "ends after");
  expect_refused("P2 2 2 255 1 2 3", "ends after");
  expect_refused("P2 2 2 255 100 200 30", "next pixel is missing");
  expect_refused("P2 2 1 255 1 bb", "next pixel is missing or no number");
  expect_refused("P2 1 1 255 256", "above its maxval");
  expect_refused("P5 1 1 9 \n", "above its maxval");
}

TEST(ImageFileRefused, TooLargeWithoutTakingTheMemory) {
  expect_refused("P5 16385 1 255 a", "16385x1 (width x height) pixels");
  expect_refused("P5 16384 16384 255 a", "16384x16384");
  expect_refused("P5 0 1 255 a", "0x1");
  // A PNG header of 100000 x 1 pixels: signature, length, IHDR, CRC.
  expect_refused("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\x01\x86\xa0\0\0\0\x01\x08\0\0\0\0\x78\x15\x49\x09\0\0\0\0IDAT"s,
                 "100000x1");
}

TEST(ImageFileRefused, DamagedPng) {
  expect_refused("\x89PNG", "the PNG is damaged");
  expect_refused("\x89PNG\r\n\x1a\n"s, "the PNG is damaged");
  expect_refused("\x89PNG\r\n\x1a\n"s + std::string(1000, '\xff'), "the PNG is damaged");
}

TEST(ImageFileRefused, DamagedJpeg) {
  const std::string whole = encoded_jpeg(40, 30, std::vector<std::uint8_t>(40 * 30 * 3, 100));
  expect_refused("\xff\xd8\xff", "the JPEG can't be decoded");
  expect_refused(whole.substr(0, 20), "the JPEG can't be decoded");
  expect_refused(whole.substr(0, whole.size() - 30), "the JPEG can't be decoded");
  expect_refused("\xff\xd8\xff" + std::string(1000, '\xff'), "the JPEG can't be decoded");
}

// A frame of 65000 x 65000 gray pixels, and the beginning of its only scan.
TEST(ImageFileRefused, LargeJpegWithoutTakingTheMemory) {
  expect_refused("\xff\xd8\xff\xc0\0\x0b\x08\xfd\xe8\xfd\xe8\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0"s,
                 "65000x65000");
}

void expect_not_loaded(const std::string& name, network::Shape shape, const std::string& what) {
  Diagnostics diagnostics;
  EXPECT_FALSE(load_image(name, shape, diagnostics));
  ASSERT_TRUE(diagnostics.has_errors());
  EXPECT_NE(diagnostics.text().find(what), std::string::npos) << diagnostics.text();
}

TEST(ImageFileRefused, Seeds) {
  for (const char* name : {"seed:", "seed:x", "seed:1x", "seed:-1", "seed:18446744073709551616"})
    expect_not_loaded(name, {1, {2, 2}}, "the seed is no number");
}

TEST(ImageFileRefused, MissingFile) {
  expect_not_loaded("/nonexistent/image.pgm", {1, {2, 2}}, "/nonexistent/image.pgm");
}

TEST(ImageFileRefused, InputsTooLargeToSimulate) {
  expect_not_loaded("seed:1", {65536, {65536, 65536}}, "can't be simulated");
  expect_not_loaded("seed:1", {1, {0, 4}}, "can't be simulated");
}

}  // namespace
}  // namespace convscope::reference
