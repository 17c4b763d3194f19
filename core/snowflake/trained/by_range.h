#pragma once
// Fixed-point positions by layer, from the values that the network's layers see.

#include <vector>

#include "core/quantization/format.h"
#include "core/snowflake/trained/trained_network.h"

namespace convscope::snowflake {

/// Sets the fractions of all layers and returns the formats of maps, by region. Words of 16 bit; every fraction and
/// every shift is 0 to 15. As many bits of fraction as the values leave, with one to spare for what layers compute;
/// what shares maps or is added has the same position (concatenations, bypasses), pools keep their input's. Maps that
/// Clip limits are scaled so that the largest word is the limit, if all that is written into them has that limit; where
/// it can't be so, the limit isn't applied and a remark says it. `ranges`: by tensor of the graph. Heuristic: where a
/// shift would pass 15, the weights give up bits.
std::vector<MapsFormat> set_fractions_by_range(ParsedNetwork& parsed, const network::Graph& graph,
                                               const std::vector<LayerNodes>& nodes,
                                               const std::vector<quantization::Range>& ranges);

}  // namespace convscope::snowflake
