#pragma once
// A list of layers, written by hand: shapes without weights, in XML. docs/layer-list.md describes it.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/base/mapped_file.h"
#include "core/network/network.h"

namespace convscope::readers {

/// True if the text looks like XML whose root element is layer_list, well-formed or not.
bool is_layer_list(std::string_view head);

/// Weights are constants with shapes and without values. All mistakes are collected, with line and layer; after an
/// error nothing is returned.
std::optional<network::Network> read_layer_list(const MappedFile& file, const std::string& path,
                                                Diagnostics& diagnostics);
std::optional<network::Network> read_layer_list_text(std::string_view text, const std::string& path,
                                                     Diagnostics& diagnostics);

}  // namespace convscope::readers
