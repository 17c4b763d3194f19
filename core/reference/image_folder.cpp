#include "core/reference/image_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace convscope::reference {
namespace {

bool is_image_name(const std::filesystem::path& path, bool colors) {
  const std::string extension = path.extension().string();
  const bool gray = extension == ".png" || extension == ".jpg" || extension == ".jpeg" || extension == ".pgm";
  return gray || (colors && extension == ".ppm");
}

/// Colours for networks that take three maps; for others gray.
std::vector<std::string> image_files(const std::string& folder, bool colors, const std::string& option,
                                     Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (is_image_name(entry->path(), colors)) files.push_back(entry->path().string());
  if (failure) files.clear();
  std::sort(files.begin(), files.end());
  if (files.empty())
    diagnostics.error({folder, 0, option}, failure ? failure.message() : "there are no images in it",
                      colors ? "a folder of PNG, JPEG, PPM or PGM files" : "a folder of PNG, JPEG or PGM files");
  return files;
}

}  // namespace

std::vector<FloatTensors> read_images(const network::Graph& graph, const ImageFolder& folder,
                                      const std::string& network, const std::string& option, Diagnostics& diagnostics) {
  const int input = image_input(graph);
  if (input < 0) {
    diagnostics.error({network, 0, option}, "the network doesn't take one image",
                      "one input of known size: batch 1, maps, height, width", "without images inputs are made up");
    return {};
  }
  const bool colors = graph.tensors[static_cast<std::size_t>(input)].shape.dimensions[1] == 3;
  const std::vector<std::string> files = image_files(folder.path, colors, option, diagnostics);
  std::vector<FloatTensors> images;
  images.reserve(files.size());
  for (const std::string& file : files)
    if (auto image = image_inputs(graph, file, folder.pixels, diagnostics)) images.push_back(*std::move(image));
  return images;
}

}  // namespace convscope::reference
