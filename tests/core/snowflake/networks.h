#pragma once
// Networks for tests of the whole target: written down, or from the samples.

#include <string>

#include "core/network/network.h"

namespace convscope::snowflake::test {

/// Elements of a layer list (docs/layer-list.md), with their shapes.
network::Network read(const std::string& layers);
/// `samples/networks/<name>.xml`, a layer list.
network::Network sample(const std::string& name);

}  // namespace convscope::snowflake::test
