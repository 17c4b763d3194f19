#include "ui/views/network/network_graph/network_drawings.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <atomic>
#include <map>
#include <mutex>
#include <stop_token>

#include "ui/jobs/threads.h"
#include "ui/views/network/network_graph/dot_layout.h"

namespace convscope::ui {
namespace {

constexpr std::size_t most_layouts = 32;
constexpr qsizetype most_files = 64;

QByteArray key_of(const NetworkDrawing& drawing) {
  return QCryptographicHash::hash(dot_question(drawing.sizes(), drawing.edges()), QCryptographicHash::Sha1).toHex();
}

}  // namespace

/// Drawings, and what dot said. Used on any thread.
class NetworkDrawings::Known : public std::enable_shared_from_this<Known> {
 public:
  Known(DotOptions options, Mailbox::Sender send, Deliver improved)
      : options_(std::move(options)), send_(std::move(send)), improved_(std::move(improved)) {}

  std::shared_ptr<const NetworkDrawing> get(std::shared_ptr<const network::Network> network, NetworkDetail detail,
                                            const std::set<int>& folded);
  bool waiting() const { return waiting_; }
  void stop() {
    const std::lock_guard lock(mutex_);
    running_.request_stop();
  }

 private:
  void ask(std::shared_ptr<const NetworkDrawing> drawing, QByteArray key);
  void answer(const NetworkDrawing& drawing, const QByteArray& key, const std::stop_token& stop);
  QByteArray kept(const QByteArray& key) const;
  void keep(const QByteArray& key, const QByteArray& json) const;

  const DotOptions options_;
  const Mailbox::Sender send_;
  const Deliver improved_;
  std::mutex mutex_;
  std::shared_ptr<const NetworkDrawing> last_;
  std::map<QByteArray, std::shared_ptr<const LayeredLayout>> layouts_;  ///< by what dot was asked; null: no answer
  std::stop_source running_;
  std::atomic<bool> absent_ = false, waiting_ = false;
};

NetworkDrawings::NetworkDrawings(DotOptions options)
    : known_(std::make_shared<Known>(std::move(options), mailbox_.sender(), [this] { emit improved(); })) {}

NetworkDrawings::~NetworkDrawings() {
  known_->stop();
}

NetworkDrawings::Get NetworkDrawings::getter() const {
  return [known = known_](std::shared_ptr<const network::Network> network, NetworkDetail detail,
                          const std::set<int>& folded) { return known->get(std::move(network), detail, folded); };
}

bool NetworkDrawings::waiting() const {
  return known_->waiting();
}

std::shared_ptr<const NetworkDrawing> NetworkDrawings::get(std::shared_ptr<const network::Network> network,
                                                           NetworkDetail detail, const std::set<int>& folded) const {
  return known_->get(std::move(network), detail, folded);
}

std::shared_ptr<const NetworkDrawing> NetworkDrawings::Known::get(std::shared_ptr<const network::Network> network,
                                                                  NetworkDetail detail, const std::set<int>& folded) {
  const std::lock_guard lock(mutex_);
  if (!last_ || last_->shared_network() != network || last_->detail() != detail || last_->folded() != folded) {
    running_.request_stop();  // nobody waits for the one before
    last_ = std::make_shared<const NetworkDrawing>(std::move(network), detail, folded);
    const QByteArray key = key_of(*last_);
    const auto known = layouts_.find(key);
    if (known == layouts_.end()) {
      ask(last_, key);
    } else if (known->second) {
      last_ = std::make_shared<const NetworkDrawing>(*last_, *known->second);
    }
  }
  return last_;
}

void NetworkDrawings::Known::ask(std::shared_ptr<const NetworkDrawing> drawing, QByteArray key) {
  const bool too_large = drawing->sizes().size() > options_.most_boxes || drawing->edges().size() > options_.most_flows;
  waiting_ = !absent_ && !too_large;
  if (!waiting_) return;
  running_ = std::stop_source();
  start_thread(running_, [self = shared_from_this(), drawing = std::move(drawing), key = std::move(key),
                          stop = running_.get_token()] { self->answer(*drawing, key, stop); });
}

void NetworkDrawings::Known::answer(const NetworkDrawing& drawing, const QByteArray& key, const std::stop_token& stop) {
  if (stop.stop_requested()) return;
  auto layout = dot_answer(kept(key), drawing.sizes(), drawing.edges());
  if (!layout) {
    const DotRun run =
        run_dot(options_.program, dot_question(drawing.sizes(), drawing.edges()), options_.limit_milliseconds, stop);
    if (run.state == DotState::stopped) return;
    absent_ = run.state == DotState::absent;
    layout = dot_answer(run.json, drawing.sizes(), drawing.edges());
    if (layout) keep(key, run.json);
  }
  {
    const std::lock_guard lock(mutex_);
    if (layouts_.size() >= most_layouts) layouts_.clear();
    const auto shared = layout ? std::make_shared<const LayeredLayout>(std::move(*layout)) : nullptr;
    layouts_[key] = shared;
    if (stop.stop_requested()) return;
    waiting_ = false;
    if (!shared) return;
    last_ = std::make_shared<const NetworkDrawing>(drawing, *shared);
  }
  send_(improved_);
}

QByteArray NetworkDrawings::Known::kept(const QByteArray& key) const {
  QFile file(options_.folder + QStringLiteral("/") + QString::fromLatin1(key) + QStringLiteral(".json"));
  return !options_.folder.isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A cache: what can't be written is computed again next time.
void NetworkDrawings::Known::keep(const QByteArray& key, const QByteArray& json) const {
  QDir folder(options_.folder);
  if (options_.folder.isEmpty() || !folder.mkpath(QStringLiteral("."))) return;
  const QFileInfoList oldest_last = folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time);
  for (qsizetype i = most_files - 1; i < oldest_last.size(); ++i) QFile::remove(oldest_last[i].filePath());
  QSaveFile file(folder.filePath(QString::fromLatin1(key) + QStringLiteral(".json")));
  if (!file.open(QIODevice::WriteOnly)) return;
  file.write(json);
  file.commit();
}

}  // namespace convscope::ui
