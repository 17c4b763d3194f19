#include "core/figures/nve_thesis/slots.h"

#include <algorithm>

namespace convscope::figures {
namespace {

bool is_write(const std::string& operation) {
  return operation == "wr";
}

SlotComparison compare_at(const Slots& ours, const Slots& published, int rotation) {
  SlotComparison result;
  result.rotation = rotation;
  result.same_length = ours.size() == published.size();
  const Slots turned = rotated(ours, rotation);
  for (std::size_t c = 0; c < std::min(turned.size(), published.size()); ++c) {
    for (std::size_t r = 0; r < std::min(turned[c].size(), published[c].size()); ++r) {
      const std::string& a = turned[c][r];
      const std::string& b = published[c][r];
      if (is_write(a) || is_write(b)) {
        ++result.writes_compared;
        result.writes_equal += a == b ? 1 : 0;
      } else {
        ++result.compared;
        result.equal += a == b ? 1 : 0;
      }
    }
  }
  return result;
}

}  // namespace

std::string operation_name(const std::string& text) {
  const std::size_t end = text.find_first_of(" [");
  std::string name = text.substr(0, end);
  if (name != "set" && name != "sh") return name;
  // The register is part of the operation: set rw, set ri, set rb, sh rw, sh ri.
  const std::size_t begin = text.find_first_not_of(' ', name.size());
  if (begin == std::string::npos) return name;
  return name + " " + text.substr(begin, text.find_first_of(" [0123456789", begin) - begin);
}

Slots steady_state_slots(const artifact::Timeline& timeline, const std::vector<std::string>& resources) {
  const artifact::TimelineSection& section = timeline.sections()[static_cast<std::size_t>(timeline.steady_state())];
  Slots slots(static_cast<std::size_t>(section.length), std::vector<std::string>(resources.size()));
  for (const artifact::TimelineCell& cell : section.cells) {
    const std::string& name = timeline.resources()[static_cast<std::size_t>(cell.resource)];
    const auto column = std::find(resources.begin(), resources.end(), name);
    if (column == resources.end()) continue;
    slots[static_cast<std::size_t>(cell.begin)][static_cast<std::size_t>(column - resources.begin())] =
        operation_name(cell.label);
  }
  return slots;
}

SlotComparison compare_slots(const Slots& ours, const Slots& published) {
  SlotComparison best = compare_at(ours, published, 0);
  for (int rotation = 1; rotation < static_cast<int>(ours.size()); ++rotation) {
    const SlotComparison candidate = compare_at(ours, published, rotation);
    if (candidate.equal - candidate.compared > best.equal - best.compared) best = candidate;
  }
  return best;
}

Slots rotated(const Slots& slots, int rotation) {
  Slots turned = slots;
  std::rotate(turned.begin(), turned.begin() + rotation, turned.end());
  return turned;
}

}  // namespace convscope::figures
