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

/// Sorted by name. `failure`: why the folder can't be read.
std::vector<std::string> listed(const std::string& folder, bool colors, std::error_code& failure) {
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (is_image_name(entry->path(), colors) && may_be_file(*entry)) files.push_back(entry->path().string());
  if (failure) files.clear();
  std::sort(files.begin(), files.end());
  return files;
}

/// Colours for networks that take three maps; for others gray.
std::vector<std::string> image_files(const std::string& folder, bool colors, const std::string& option,
                                     Diagnostics& diagnostics) {
  std::error_code failure;
  std::vector<std::string> files = listed(folder, colors, failure);
  if (files.empty())
    diagnostics.error({folder, 0, option}, failure ? failure.message() : "there are no images in it",
                      colors ? "a folder of PNG, JPEG, PPM or PGM files" : "a folder of PNG, JPEG or PGM files");
  return files;
}

/// Whether the folder holds the same images still. A folder that goes away while it is listed seems to end, and what is
/// read of it then would be taken for all of it.
bool is_still(const std::vector<std::string>& files, const ImageFolder& folder, bool colors, const std::string& option,
              Diagnostics& diagnostics) {
  std::error_code failure;
  if (listed(folder.path, colors, failure) == files && !failure) return true;
  diagnostics.error({folder.path, 0, option},
                    failure ? fmt::format("it went away while it was read ({})", failure.message())
                            : "its images changed while they were read",
                    "the same images from beginning to end");
  return false;
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
  std::error_code failure;
  for (const std::string& file : files) {
    throw_if_stopped(stop);
    if (auto image = image_inputs(graph, file, folder.pixels, diagnostics))
      images.push_back(*std::move(image));
    else if (!std::filesystem::exists(folder.path, failure))
      break;  // or there would be an error for each file of it
  }
  if (!files.empty() && !is_still(files, folder, colors, option, diagnostics)) images.clear();
  return images;
}

}  // namespace convscope::reference
