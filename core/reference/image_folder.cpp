#include "core/reference/image_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"

namespace convscope::reference {
namespace {

bool is_image_name(const std::filesystem::path& path, bool colors) {
  std::string extension = path.extension().string();
  for (char& letter : extension)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  const bool gray = extension == ".png" || extension == ".jpg" || extension == ".jpeg" || extension == ".pgm";
  return gray || (colors && extension == ".ppm");
}

/// What isn't there, as behind a broken link, may have been meant as one.
bool may_be_file(const std::filesystem::directory_entry& entry) {
  std::error_code failure;
  const auto status = entry.status(failure);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

/// Colours for networks that take three maps; for others gray.
std::vector<std::string> image_files(const std::string& folder, bool colors, const std::string& option,
                                     Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (is_image_name(entry->path(), colors) && may_be_file(*entry)) files.push_back(entry->path().string());
  if (failure) files.clear();
  std::sort(files.begin(), files.end());
  if (files.empty())
    diagnostics.error({folder, 0, option}, failure ? failure.message() : "there are no images in it",
                      colors ? "a folder of PNG, JPEG, PPM or PGM files" : "a folder of PNG, JPEG or PGM files");
  return files;
}

}  // namespace

std::vector<FloatTensors> read_images(const network::Graph& graph, const ImageFolder& folder,
                                      const std::string& network, const std::string& option, Diagnostics& diagnostics,
                                      const std::stop_token& stop, std::int64_t most) {
  const int input = image_input(graph);
  if (input < 0) {
    diagnostics.error({network, 0, option}, "the network doesn't take one image",
                      "one input of known size: batch 1, maps, height, width", "without images inputs are made up");
    return {};
  }
  const bool colors = graph.tensors[static_cast<std::size_t>(input)].shape.dimensions[1] == 3;
  const std::vector<std::string> files = image_files(folder.path, colors, option, diagnostics);
  const std::int64_t elements = graph.tensors[static_cast<std::size_t>(input)].shape.elements().value_or(1);
  if (const std::int64_t room = most / std::max<std::int64_t>(1, elements);
      static_cast<std::int64_t>(files.size()) > room) {
    diagnostics.error({folder.path, 0, option}, fmt::format("it holds {} images", files.size()),
                      fmt::format("at most {} of {} elements each", room, elements), "take a part of them");
    return {};
  }
  std::vector<FloatTensors> images;
  images.reserve(files.size());
  for (const std::string& file : files) {
    throw_if_stopped(stop);
    if (auto image = image_inputs(graph, file, folder.pixels, diagnostics)) images.push_back(*std::move(image));
  }
  return images;
}

}  // namespace convscope::reference
