#include "ui/document/network_reading.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/network/graph.h"
#include "ui/words/long_names.h"

namespace convscope::ui {
namespace {

/// What is open takes the defaults, what the file states stays.
network::InputSizes fill(const OpenSizes& open, const network::InputSizes& defaults) {
  network::InputSizes sizes;
  sizes.batch = open.batch ? defaults.batch : network::stated_batch;
  if (open.image) sizes.image = defaults.image;
  return sizes;
}

/// As chosen; an open image that nobody spoke of takes the usual size, one that the file states keeps its own.
network::InputSizes complete(const OpenSizes& open, network::InputSizes chosen) {
  if (!open.image) chosen.image.reset();
  if (open.image && !chosen.image) chosen.image = default_image;
  return chosen;
}

NetworkReading read(const catalogue::Catalogue& catalogue, const std::string& path,
                    const std::optional<network::InputSizes>& chosen, const network::InputSizes& defaults) {
  NetworkReading reading;
  reading.network = catalogue.read_network_choosing(path, reading.diagnostics, [&](const network::Network& operators) {
    reading.open = open_sizes(operators);
    reading.sizes = chosen ? complete(reading.open, *chosen) : fill(reading.open, defaults);
    if (reading.sizes->batch == network::stated_batch)
      reading.sizes->batch = std::max(1, network::batch_of(*operators.graph));
    return *reading.sizes;
  });
  return reading;
}

std::size_t warnings(const NetworkReading& reading) {
  const auto& items = reading.diagnostics.items();
  return static_cast<std::size_t>(std::count_if(
      items.begin(), items.end(), [](const Diagnostic& each) { return each.severity == Severity::warning; }));
}

bool in_range(const network::InputSizes& sizes) {
  const auto side_fits = [](int side) { return side >= 1 && side <= largest_side; };
  const bool image_fits = !sizes.image || (side_fits(sizes.image->height) && side_fits(sizes.image->width));
  const bool batch_fits = sizes.batch == network::stated_batch || (sizes.batch >= 1 && sizes.batch <= largest_batch);
  return image_fits && batch_fits;
}

NetworkReading refused(const std::string& path, const network::InputSizes& sizes, const std::string& what,
                       const std::string& expected, const std::string& hint) {
  NetworkReading reading;
  reading.diagnostics.error({path, 0, "input size " + sizes_text(sizes)}, what, expected, hint);
  return reading;
}

void note_open_image(const std::string& path, NetworkReading& reading) {
  if (!reading.network || !reading.open.image || !reading.sizes->image) return;
  reading.diagnostics.note({path, 0, "input '" + reading.open.input + "'"},
                           fmt::format("the file leaves the size of the image open; taken as {} x {} (rows x columns); "
                                       "Edit, Input size… changes it",
                                       reading.sizes->image->height, reading.sizes->image->width));
}

void note_long_names(const std::string& path, NetworkReading& reading) {
  if (!reading.network) return;
  reading.open.input = shown_name(reading.open.input);
  const std::size_t count = shorten_names(*reading.network);
  if (count == 0) return;
  reading.diagnostics.note({path, 0, {}},
                           fmt::format("{} longer than {} bytes: begin and end are shown",
                                       count == 1 ? "1 name is" : fmt::format("{} names are", count), longest_name));
}

NetworkReading read_with_chosen(const catalogue::Catalogue& catalogue, const std::string& path,
                                const network::InputSizes& sizes) {
  if (!in_range(sizes)) {
    return refused(path, sizes, "out of range",
                   fmt::format("sides of 1 to {}, a batch of 1 to {}", largest_side, largest_batch), {});
  }
  NetworkReading reading = read(catalogue, path, sizes, {});
  if (reading.network && !reading.sizes) {
    return refused(path, sizes, "this format states all its sizes", "no batch and no input size",
                   "leave --batch and --input-size out, or edit the file");
  }
  if (reading.network && sizes.image && !reading.sizes->image) {
    reading.diagnostics.note({path, 0, {}}, fmt::format("the file states the size of its image; {} x {} is not taken",
                                                        sizes.image->height, sizes.image->width));
  }
  if (!reading.network || warnings(reading) == 0) return reading;
  // A file may contradict itself at any size; only what the chosen sizes add is their fault.
  if (warnings(read(catalogue, path, {}, SizeWish{}.defaults)) >= warnings(reading)) return reading;
  NetworkReading answer = refused(path, sizes, "the network contradicts itself with these sizes",
                                  "sizes that its kernels and fully connected layers fit",
                                  "the messages below name the layers; nothing was changed");
  answer.diagnostics.append(reading.diagnostics);
  return answer;
}

NetworkReading read_with_defaults(const catalogue::Catalogue& catalogue, const std::string& path,
                                  const network::InputSizes& defaults) {
  NetworkReading reading = read(catalogue, path, {}, defaults);
  const SizeWish usual;
  network::InputSizes usual_sizes = fill(reading.open, usual.defaults);
  if (reading.sizes && usual_sizes.batch == network::stated_batch) usual_sizes.batch = reading.sizes->batch;
  const bool unusual = reading.sizes && *reading.sizes != usual_sizes;
  if (!reading.network || !unusual || warnings(reading) == 0) return reading;
  NetworkReading again = read(catalogue, path, {}, usual.defaults);
  return warnings(again) < warnings(reading) ? again : reading;
}

}  // namespace

OpenSizes open_sizes(const network::Network& network) {
  OpenSizes open;
  if (!network.graph) return open;
  for (const int input : network.graph->inputs) {
    const network::Tensor& tensor = network.graph->tensors[static_cast<std::size_t>(input)];
    const auto& dimensions = tensor.shape.dimensions;
    if (tensor.constant || dimensions.size() != 4) continue;
    const bool batch = dimensions[0] < 0, image = dimensions[2] < 0 || dimensions[3] < 0;
    if ((batch || image) && !open.any()) open.input = tensor.name;
    open.batch |= batch;
    open.image |= image;
  }
  return open;
}

NetworkReading read_network(const catalogue::Catalogue& catalogue, const std::string& path, const SizeWish& wish) {
  NetworkReading reading = wish.chosen ? read_with_chosen(catalogue, path, *wish.chosen)
                                       : read_with_defaults(catalogue, path, wish.defaults);
  std::error_code error;
  reading.missing = !reading.network && !std::filesystem::exists(path, error);
  note_open_image(path, reading);
  note_long_names(path, reading);
  return reading;
}

std::string sizes_text(const network::InputSizes& sizes) {
  const std::string batch =
      sizes.batch == network::stated_batch ? "the file's batch" : fmt::format("batch {}", sizes.batch);
  return sizes.image ? fmt::format("{} x {}, {}", sizes.image->height, sizes.image->width, batch) : batch;
}

}  // namespace convscope::ui
