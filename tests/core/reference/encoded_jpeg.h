#pragma once
// Progressive JPEG files made by libjpeg-turbo.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <turbojpeg.h>

namespace convscope::reference {

/// Of red, green and blue; with the best quality, but colours of halved resolution if `halved`.
inline std::string encoded_jpeg(int width, int height, const std::vector<std::uint8_t>& pixels, bool halved = false) {
  const tjhandle encoder = tjInitCompress();
  unsigned char* data = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(encoder, pixels.data(), width, 0, height, TJPF_RGB, &data, &size,
                        halved ? TJSAMP_420 : TJSAMP_444, 100, TJFLAG_PROGRESSIVE),
            0);
  std::string bytes(reinterpret_cast<const char*>(data), size);
  tjFree(data);
  tjDestroy(encoder);
  return bytes;
}

}  // namespace convscope::reference
