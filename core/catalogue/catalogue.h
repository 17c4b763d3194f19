#pragma once
// What the program can work with: its targets and the formats that it reads. A value that the programs in app/ compose
// (core/catalogue/standard.h) and hand down.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/network.h"
#include "core/network/shape_inference.h"
#include "core/target/target.h"

namespace convscope::catalogue {

/// A readable format, as `formats` lists it.
struct Format {
  std::string id;
  std::string title;
  std::string extensions;  ///< e.g. "*.xml"
};

/// One reader: what it is called, what it takes, how it reads. Readers of formats with operators leave a graph, without
/// shapes and layers.
struct Reader {
  Format format;
  bool (*recognizes)(std::string_view content) = nullptr;
  std::optional<network::Network> (*read)(const MappedFile& file, const std::string& path,
                                          Diagnostics& diagnostics) = nullptr;
  /// Of a format that is short enough to be an argument itself, in a file's place; else null.
  std::optional<network::Network> (*read_argument)(std::string_view argument, const std::string& path,
                                                   Diagnostics& diagnostics) = nullptr;
};

/// Asked once a file's operators are read and before shapes are inferred: the network has its graph with the sizes
/// that the file states, and no layers. Not asked for formats that state all their sizes.
using ChooseSizes = std::function<network::InputSizes(const network::Network&)>;

struct Catalogue {
  std::vector<std::shared_ptr<const target::Target>> targets;  ///< in the order in which they are offered; at least one
  std::vector<Reader> readers;                                 ///< asked in this order

  /// A target by id, or null.
  std::shared_ptr<const target::Target> find_target(std::string_view id) const;

  /// Reads a network file of any known format, recognized by content, infers its shapes and lists its layers; or a
  /// network that `path` spells out, where there is no such file ("56x56x64 -> 64, 3x3"). `sizes`
  /// fill what the file leaves open; formats that state all their sizes refuse them. Nothing, with diagnostics, if the
  /// file is refused; operators that no target maps never are a reason for that.
  std::optional<network::Network> read_network(const std::string& path, Diagnostics& diagnostics,
                                               const std::optional<network::InputSizes>& sizes = {}) const;

  /// As read_network, with the sizes that `choose` answers; the file is read once.
  std::optional<network::Network> read_network_choosing(const std::string& path, Diagnostics& diagnostics,
                                                        const ChooseSizes& choose) const;
};

using CataloguePointer = std::shared_ptr<const Catalogue>;

}  // namespace convscope::catalogue
