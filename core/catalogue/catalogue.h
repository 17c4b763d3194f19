#pragma once
// The list of targets and of readers, in one file: a new one is added here and nowhere else.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/network.h"
#include "core/network/shape_inference.h"
#include "core/target/target.h"

namespace convscope::catalogue {

/// All targets, in the order in which they are offered.
std::vector<std::shared_ptr<const target::Target>> targets();
/// A target by id, or null.
std::shared_ptr<const target::Target> find_target(std::string_view id);

/// A readable format, as `formats` lists it.
struct Format {
  std::string id;
  std::string title;
  std::string extensions;  ///< e.g. "*.xml"
};
std::vector<Format> formats();

/// Reads a network file of any known format, recognized by content, infers its shapes and lists its layers. `sizes`
/// fill what the file leaves open; formats that state all their sizes refuse them. Nothing, with diagnostics, if the
/// file is refused; operators that no target maps never are a reason for that.
std::optional<network::Network> read_network(const std::string& path, Diagnostics& diagnostics,
                                             const std::optional<network::InputSizes>& sizes = {});

/// Asked once a file's operators are read and before shapes are inferred: the network has its graph with the sizes
/// that the file states, and no layers. Not asked for formats that state all their sizes.
using ChooseSizes = std::function<network::InputSizes(const network::Network&)>;

/// As read_network, with the sizes that `choose` answers; the file is read once.
std::optional<network::Network> read_network_choosing(const std::string& path, Diagnostics& diagnostics,
                                                      const ChooseSizes& choose);

}  // namespace convscope::catalogue
