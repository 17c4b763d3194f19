#pragma once
// Reading a network for the window: what a file leaves open gets a size, which the user may change.

#include <optional>
#include <string>

#include "core/base/diagnostic.h"
#include "core/catalogue/catalogue.h"
#include "core/network/network.h"
#include "core/network/shape_inference.h"

namespace convscope::ui {

/// The size that most published classifiers take.
inline constexpr network::Size default_image{224, 224};
/// Sides beyond this, and batches beyond the next, are typing errors.
inline constexpr int largest_side = 1 << 16;
inline constexpr int largest_batch = 1 << 16;

/// What a file leaves open for its user to say.
struct OpenSizes {
  std::string input;   ///< name of the first image input that leaves something open
  bool batch = false;  ///< the number of images
  bool image = false;  ///< height or width
  bool any() const { return batch || image; }
};

/// Of a network as its file has it, before shapes are inferred.
OpenSizes open_sizes(const network::Network& network);

/// What to take for open sizes: what the user chose for this file, else what was last chosen for another.
struct SizeWish {
  std::optional<network::InputSizes> chosen;
  network::InputSizes defaults{1, default_image, {}};
};

struct NetworkReading {
  std::optional<network::Network> network;   ///< nothing if the file, or the chosen sizes, were refused
  std::optional<network::InputSizes> sizes;  ///< what was taken; nothing for formats that state all their sizes
  OpenSizes open;
  Diagnostics diagnostics;
  bool missing = false;  ///< there is no such file
};

/// Reads files. Chosen sizes are refused if they are out of range, if the format states all its sizes, or if the
/// network contradicts itself with them and does not with the usual ones; defaults that do not fit give way to the
/// usual ones. A note says what was taken for an open image.
NetworkReading read_network(const catalogue::Catalogue& catalogue, const std::string& path, const SizeWish& wish);

/// "224 x 224, batch 1"; without an image "batch 1".
std::string sizes_text(const network::InputSizes& sizes);

}  // namespace convscope::ui
