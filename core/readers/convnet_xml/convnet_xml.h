#pragma once
// The XML ConvNet descriptor (thesis, section 4.1 and Appendix A), read as strictly as it can be without refusing the
// thesis's own two networks.

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/network/network.h"

namespace convscope::readers {

/// True if the text looks like a descriptor: XML whose root is convNetDescriptor, well-formed or not.
bool is_convnet_xml(std::string_view text);

/// Layers are named L1, L2, …. Stated output sizes are taken as they stand; a layer that needs at most subsample-1
/// pixels more than the layer before gives reads zeros there, with a note; more than that is an error. All mistakes
/// are collected, with line and element; nothing is returned if there was an error.
std::optional<network::Network> read_convnet_xml(std::string_view text, const std::string& file,
                                                 Diagnostics& diagnostics);

}  // namespace convscope::readers
