#pragma once
// The table of real networks (INDEX.tsv), and how tests read an ONNX file with shapes.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/network.h"
#include "core/network/shape_inference.h"

namespace convscope::network {

using IndexRow = std::map<std::string, std::string>;  ///< by the names of the columns

/// Empty if the folder of models is absent.
std::vector<IndexRow> read_index();

/// The network of an ONNX file, binary or text, with shapes and layers; nothing with diagnostics if it isn't one.
std::optional<Network> load_onnx(const std::string& path, const InputSizes& sizes, Diagnostics& diagnostics);

}  // namespace convscope::network
