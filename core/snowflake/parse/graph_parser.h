#pragma once
// One pass over a network's operators in their order. Private to the parser.

#include <optional>
#include <string>

#include "core/network/graph.h"
#include "core/snowflake/parse/maps.h"

namespace convscope::snowflake {

class GraphParser {
 public:
  GraphParser(const network::Network& network, int macs);
  ParsedNetwork run();

 private:
  /// What an operator was taken for: empty, or why it wasn't.
  using Reason = std::string;

  Reason step(const network::Layer& layer);
  Reason convolution(const network::Layer& layer);
  Reason fully_connected(const network::Layer& layer);
  Reason pool(const network::Layer& layer, LayerKind kind, bool global);
  Reason mean(const network::Layer& layer);
  Reason rectify(const network::Layer& layer);
  Reason add(const network::Layer& layer);
  Reason normalize(const network::Layer& layer);
  Reason concatenate(const network::Layer& layer);
  Reason pass(const network::Layer& layer);

  const network::Node& node() const;
  int input(std::size_t index) const;  ///< tensor, -1 if there is none
  int output() const;
  bool constant(int tensor) const;
  /// A limit of Clip, which is an attribute or an input; infinite if there is none, nothing if it isn't known.
  std::optional<double> clip_limit(const char* attribute, std::size_t index) const;
  /// Maps of a tensor; an input of the program if nothing has computed them.
  int maps_of(int tensor, const network::Shape& shape);
  /// The layer that computed a tensor which only this node reads; null if there is none.
  ParsedLayer* only_reader_of(int tensor);
  /// Adds a layer that reads `in` and writes the node's output.
  void emit(ProgramLayer layer, int in, const network::Shape& out);
  /// Maps like `maps`, in a place of their own: a comparison of each value with nothing.
  int copy(const std::string& name, int maps, int tensor);
  bool whole_vectors(int maps) const;
  /// Whether maps have the sizes that their reader sees: flattened ones lie as they were.
  bool lie_as(int maps, const network::Shape& shape) const;
  /// The layer that computes them, of a concatenation its last part; -1 for inputs of the program.
  int producer_of(int maps) const;
  void fold_into(ParsedLayer& layer, int tensor);
  void keep_inputs();

  const network::Network& network_;
  const network::Graph& graph_;
  const int macs_;
  ParsedNetwork parsed_;
  MapsTable table_;
  std::vector<int> maps_, readers_;  ///< by tensor
  std::vector<int> kept_;
  int current_ = 0;  ///< index in Network::layers
};

}  // namespace convscope::snowflake
