#include "core/schedule/schedulers/recurrence_windows.h"

#include <algorithm>
#include <span>

#include "core/base/integers.h"

namespace convscope::schedule {
namespace {

// Longest paths that begin at the anchor, over the edges into each operation; with those out of it, that end there.
void paths(std::span<const int> members, int anchor, const Lists<Edge>& edges, bool forward, std::int64_t interval,
           std::vector<std::int64_t>& length) {
  for (const int member : members) length[at(member)] = unplaced;
  length[at(anchor)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const int member = members[forward ? m : members.size() - 1 - m];
      std::int64_t longest = length[at(member)];
      for (const Edge& edge : edges[at(member)])
        if (length[at(edge.other)] != unplaced)
          longest = std::max(longest, length[at(edge.other)] + edge.length(interval));
      changed |= longest != length[at(member)];
      length[at(member)] = longest;
    }
  }
}

}  // namespace

RecurrenceWindows::RecurrenceWindows(const Graph& graph, std::int64_t interval)
    : anchor(graph.components.of.size()),
      earliest(graph.components.of.size(), 0),
      latest(graph.components.of.size(), 0) {
  for (std::size_t c = 0; c < graph.components.size(); ++c) {
    const auto members = graph.components.members[c];
    for (const int member : members) anchor[at(member)] = members.front();
    if (members.size() == 1) continue;
    paths(members, members.front(), graph.inner.into, true, interval, earliest);
    paths(members, members.front(), graph.inner.out, false, interval, latest);
    for (const int member : members) latest[at(member)] = -latest[at(member)];
  }
}

}  // namespace convscope::schedule
