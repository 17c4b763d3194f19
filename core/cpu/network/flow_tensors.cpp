#include "core/cpu/network/flow_tensors.h"

#include <fmt/format.h>

namespace convscope::cpu {

FlowTensors::FlowTensors(const network::Graph& graph, const NodeValues& read, Flow& flow)
    : read_(read), flow_(flow), of_(graph.tensors.size(), -1) {}

int FlowTensors::make(int tensor) {
  int& place = of_[static_cast<std::size_t>(tensor)];
  if (place >= 0) return place;
  auto extents = read_.extents(tensor);
  if (!extents) extents = read_.rows(tensor);
  if (!extents) throw Refusal{fmt::format("'{}' is empty, or too large", read_.name(tensor)), {}};
  place = static_cast<int>(flow_.tensors.size());
  flow_.tensors.push_back({read_.name(tensor), *extents, tensor});
  return place;
}

void FlowTensors::must_be_image(int tensor) const {
  if (!read_.extents(tensor))
    throw Refusal{fmt::format("'{}' isn't one image or one list of channels", read_.name(tensor)),
                  "tensors [1, C, H, W], [1, C, W] or [1, C] of known size"};
}

int FlowTensors::make_image(int tensor) {
  must_be_image(tensor);
  return make(tensor);
}

int FlowTensors::known_image(int tensor) const {
  must_be_image(tensor);
  return known(tensor);
}

int FlowTensors::known(int tensor) const {
  const int place = tensor < 0 ? -1 : of_[static_cast<std::size_t>(tensor)];
  if (place < 0) throw Refusal{"it reads what no step makes", {}};
  return place;
}

std::vector<int> FlowTensors::operands(const network::Node& node) {
  std::vector<int> all;
  for (const int input : node.inputs) {
    if (input < 0) throw Refusal{"an input is absent", {}};
    const bool fresh = read_.fixed(input) && of_[static_cast<std::size_t>(input)] < 0;
    all.push_back(read_.fixed(input) ? make(input) : known(input));
    if (fresh) flow_.constants.push_back(all.back());
  }
  return all;
}

void FlowTensors::rename(int place, int tensor) {
  flow_.tensors[static_cast<std::size_t>(place)].tensor = tensor;
  flow_.tensors[static_cast<std::size_t>(place)].name = read_.name(tensor);
  of_[static_cast<std::size_t>(tensor)] = place;
}

}  // namespace convscope::cpu
