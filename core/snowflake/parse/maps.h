#pragma once
// Maps on their way through a network, before they have a place in DRAM.

#include <vector>

#include "core/network/network.h"
#include "core/snowflake/parse/parse.h"

namespace convscope::snowflake {

/// One producer's channels, or several producers' one behind the other.
struct Maps {
  network::Shape shape;
  int producer = -1;            ///< position in ParsedNetwork::layers; -1: an input of the program
  int joined = -1;              ///< the concatenation of which these are a part, as a position in MapsTable
  int channel_offset = 0;       ///< words into the joined pixel
  std::vector<int> parts = {};  ///< of a concatenation: positions in MapsTable
};

/// All maps; layers know theirs by position until `place` gives them regions.
struct MapsTable {
  struct Use {
    int in = -1, out = -1, bypass = -1;
  };
  std::vector<Maps> maps;
  std::vector<Use> uses;  ///< by position in ParsedNetwork::layers
};

/// Gives each maps that aren't part of others a region, with its lifetime, and each layer its places and its label.
/// `kept`: maps that the host reads, positions in MapsTable.
void place_maps(const MapsTable& table, const std::vector<int>& kept, int macs, ParsedNetwork& parsed);

}  // namespace convscope::snowflake
