#include "ui/views/network/network_graph/layout/layered_layout.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "ui/views/network/network_graph/layout/coordinates.h"
#include "ui/views/network/network_graph/layout/order.h"
#include "ui/views/network/network_graph/layout/ranks.h"
#include "ui/views/network/network_graph/layout/routes.h"

namespace convscope::ui {
namespace {

constexpr long most_steps = 1'000'000;  ///< of each phase

std::vector<std::pair<int, int>> pairs_of(const std::vector<LayoutEdge>& edges) {
  std::vector<std::pair<int, int>> pairs;
  for (const LayoutEdge& edge : edges) {
    assert(edge.from < edge.to);
    pairs.emplace_back(edge.from, edge.to);
  }
  return pairs;
}

}  // namespace

LayeredLayout layered_layout(const std::vector<QSizeF>& sizes, const std::vector<LayoutEdge>& edges,
                             const std::stop_token& stop) {
  const auto budget = [&] { return layout::StepBudget(most_steps, stop); };
  std::vector<int> widths;
  for (const QSizeF& size : sizes) widths.push_back(static_cast<int>(std::ceil(size.width())));
  auto ranking = budget(), ordering = budget(), placing = budget();
  const auto pairs = pairs_of(edges);
  auto graph = layout::layer_graph(widths, layout::rank_nodes(static_cast<int>(sizes.size()), pairs, ranking), pairs);
  layout::order_rows(graph, ordering);
  return layout::drawn(graph, layout::place_vertices(graph, placing), sizes, edges);
}

}  // namespace convscope::ui
