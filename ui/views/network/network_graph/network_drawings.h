#pragma once
// Drawings of networks, made once: what changes a picture but not its boxes takes the last one again.

#include <memory>
#include <mutex>
#include <set>

#include "ui/views/network/network_graph/network_drawing.h"

namespace convscope::ui {

class NetworkDrawings {
 public:
  /// The last drawing if it is of these, else a new one. May be called from any thread.
  std::shared_ptr<const NetworkDrawing> get(std::shared_ptr<const network::Network> network, NetworkDetail detail,
                                            const std::set<int>& folded);

 private:
  std::mutex mutex_;
  std::shared_ptr<const NetworkDrawing> last_;
};

}  // namespace convscope::ui
