#pragma once
// From a network to the layer objects that code is made for, with their inter-layer relations.
// Source: "Compiling Deep Learning Models …", section 5.1, steps 1 and 2. What the paper doesn't have: concatenations,
// networks of which a part can't be mapped (they fall into stretches, each with inputs of its own).

#include <optional>
#include <string>
#include <vector>

#include "core/network/network.h"
#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

/// How a layer's maps hang together with other layers' (section 5.1, step 2).
enum class Dependency {
  sequential,     ///< reads what one layer wrote that nobody else reads, and writes maps of its own
  shared_input,   ///< others read its input, too
  shared_output,  ///< others write into the same maps: a concatenation
  bypass          ///< adds another layer's maps
};

/// What a layer reads and writes, as tensors of the network's graph; -1 where there is none.
struct LayerTensors {
  int in = -1, out = -1, bypass = -1;
};

struct ParsedLayer {
  ProgramLayer layer;  ///< regions are positions in ParsedNetwork::regions; no kernels yet
  Dependency label = Dependency::sequential;
  int network_layer = 0;    ///< index in Network::layers of what it computes first: convolution, pool, …
  std::vector<int> folded;  ///< those that it computes besides: ReLU, addition, normalization
  std::vector<std::string> remarks = {};  ///< what it computes otherwise than the network says, for people
  LayerTensors tensors = {};
  std::optional<double> limit = {};  ///< upper limit that the network sets to its output (Clip); the machine has none
};

struct ParsedNetwork {
  std::vector<ParsedLayer> layers;  ///< in the order of execution
  std::vector<Region> regions;      ///< of maps; lifetimes are set, places aren't
  std::vector<int> computed_by;     ///< for each of Network::layers a position in `layers`; -1: none
  std::vector<std::string>
      reasons;  ///< for each of Network::layers why none computes it; may be empty for those that move nothing
};

/// Layers that can't be mapped are left out with a reason; what reads their outputs gets them as an input of the
/// program. `macs`: words of a vector, to which pixels are rounded up. Pure; linear in the network's size but for
/// concatenations of many parts.
ParsedNetwork parse(const network::Network& network, int macs);

}  // namespace convscope::snowflake
