#include "core/reference/jpeg.h"

#include <memory>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <turbojpeg.h>

#include "core/reference/image_file.h"

namespace convscope::reference {
namespace {

struct Destroy {
  void operator()(void* handle) const { tjDestroy(handle); }
};
using Decoder = std::unique_ptr<std::remove_pointer_t<tjhandle>, Destroy>;

std::nullopt_t damaged(const std::string& what, const std::string& file, Diagnostics& diagnostics) {
  diagnostics.error({file, 0, {}}, fmt::format("the JPEG can't be decoded: {}", what),
                    "a whole JPEG file in colour or gray");
  return std::nullopt;
}

}  // namespace

bool is_jpeg(std::string_view bytes) {
  return bytes.starts_with("\xff\xd8\xff");
}

// Its TurboJPEG interface reports errors by value: no longjmp through C++. What it calls a warning is a file that lacks
// pixels.
std::optional<Tensor<std::uint8_t>> decode_jpeg(std::string_view bytes, int maps, const std::string& file,
                                                Diagnostics& diagnostics) {
  const Decoder decoder(tjInitDecompress());
  if (!decoder) return damaged("there is no memory for a decoder", file, diagnostics);
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  int width = 0, height = 0, subsampling = 0, colours = 0;
  if (tjDecompressHeader3(decoder.get(), data, bytes.size(), &width, &height, &subsampling, &colours) != 0)
    return damaged(tjGetErrorStr2(decoder.get()), file, diagnostics);
  if (width < 1 || height < 1) return damaged("it ends before its first picture", file, diagnostics);
  if (!check_image_size(height, width, file, diagnostics)) return std::nullopt;
  Tensor<std::uint8_t> image({maps, {height, width}});
  std::vector<unsigned char> pixels(image.values.size());
  if (tjDecompress2(decoder.get(), data, bytes.size(), pixels.data(), width, 0, height,
                    maps == 3 ? TJPF_RGB : TJPF_GRAY, TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT) != 0)
    return damaged(tjGetErrorStr2(decoder.get()), file, diagnostics);
  separate_maps(pixels, image);
  return image;
}

}  // namespace convscope::reference
