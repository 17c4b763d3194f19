#include "ui/views/network/network_graph/network_drawings.h"

#include <utility>

namespace convscope::ui {

std::shared_ptr<const NetworkDrawing> NetworkDrawings::get(std::shared_ptr<const network::Network> network,
                                                           NetworkDetail detail, const std::set<int>& folded) {
  const std::lock_guard lock(mutex_);
  if (!last_ || last_->shared_network() != network || last_->detail() != detail || last_->folded() != folded)
    last_ = std::make_shared<const NetworkDrawing>(std::move(network), detail, folded);
  return last_;
}

}  // namespace convscope::ui
