#pragma once
// Drawings of networks as the window shows them: at once in the own layout, then in dot's, which arrives from another
// process. Exports and the command line don't ask dot: their pictures are the same on every machine.

#include <QByteArray>
#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>

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
  /// Kills dot if it runs.
  ~NetworkDrawings() override;

  /// The best drawing that is there at once; `improved` follows if dot finds another. May be called from any thread.
  std::shared_ptr<const NetworkDrawing> get(std::shared_ptr<const network::Network> network, NetworkDetail detail,
                                            const std::set<int>& folded);
  /// True while dot works on the newest drawing.
  bool waiting() const { return waiting_; }

 signals:
  void improved();  ///< from another thread

 private:
  void ask(std::shared_ptr<const NetworkDrawing> drawing, QByteArray key);
  void answer(const NetworkDrawing& drawing, const QByteArray& key, const std::stop_token& stop);
  QByteArray kept(const QByteArray& key) const;
  void keep(const QByteArray& key, const QByteArray& json) const;

  DotOptions options_;
  std::mutex mutex_;
  std::shared_ptr<const NetworkDrawing> last_;
  std::map<QByteArray, std::shared_ptr<const LayeredLayout>> layouts_;  ///< by what dot was asked; null: no answer
  std::stop_source running_;
  std::atomic<bool> absent_ = false, waiting_ = false;
  QThreadPool pool_;  // last: waits for work that uses the rest
};

}  // namespace convscope::ui
