#pragma once
// Drawings of networks as the window shows them: at once in the own layout, then in dot's, which arrives from another
// process. Exports and the command line don't ask dot: their pictures are the same on every machine.

#include <QByteArray>
#include <QObject>
#include <functional>
#include <memory>
#include <set>

#include "ui/jobs/mailbox.h"
#include "ui/views/network/network_graph/network_graph_scene.h"

namespace convscope::ui {

/// How dot is used.
struct DotOptions {
  QString program = QStringLiteral("dot");
  int limit_milliseconds = 5000;
  std::size_t most_boxes = 1500, most_flows = 4000;  ///< larger graphs keep the own layout
  QString folder = {};                               ///< keeps answers from one start to the next; empty: nowhere
};

class NetworkDrawings : public QObject {
  Q_OBJECT
 public:
  explicit NetworkDrawings(DotOptions options);
  /// Has dot killed if it runs; doesn't wait for that.
  ~NetworkDrawings() override;

  /// The best drawing that is there at once; `improved` follows if dot finds another. May be called from any thread,
  /// even when this is gone.
  using Get = std::function<std::shared_ptr<const NetworkDrawing>(std::shared_ptr<const network::Network> network,
                                                                  NetworkDetail detail, const std::set<int>& folded)>;
  Get getter() const;
  std::shared_ptr<const NetworkDrawing> get(std::shared_ptr<const network::Network> network, NetworkDetail detail,
                                            const std::set<int>& folded) const;
  /// True while dot works on the newest drawing.
  bool waiting() const;

 signals:
  void improved();

 private:
  class Known;

  Mailbox mailbox_;
  std::shared_ptr<Known> known_;  ///< shared with what asks dot
};

}  // namespace convscope::ui
