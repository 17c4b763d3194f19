#include "ui/session/autosave.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>
#include <algorithm>
#include <iterator>
#include <utility>

namespace convscope::ui {
namespace {

constexpr int most_instances = 1000;

QString lock_of(const QString& file) {
  return file + ".lock";
}

/// The lock, if the program that held it is gone.
std::unique_ptr<QLockFile> take(const QString& file) {
  auto lock = std::make_unique<QLockFile>(lock_of(file));
  lock->setStaleLockTime(0);  // never stale by age alone: the program may sleep for days
  if (!lock->tryLock(0)) return nullptr;
  return lock;
}

}  // namespace

/// Removed, and then unlocked, once nobody writes it any more.
struct Autosave::OwnFile {
  OwnFile(QString file, std::unique_ptr<QLockFile> held) : path(std::move(file)), lock(std::move(held)) {}
  ~OwnFile() { QFile::remove(path); }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;

  const QString path;
  const std::unique_ptr<QLockFile> lock;
};

QString autosave_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/autosave";
}

void AbandonedAutosave::discard() {
  QFile::remove(file);
  lock.reset();
}

std::vector<AbandonedAutosave> abandoned_autosaves(const QString& folder) {
  std::vector<AbandonedAutosave> result;
  const auto files = QDir(folder).entryInfoList({QStringLiteral("*") + session::extension}, QDir::Files, QDir::Time);
  for (const QFileInfo& each : files) {
    std::shared_ptr<QLockFile> lock = take(each.filePath());
    if (!lock) continue;
    Diagnostics unreadable;
    const auto session = session::load_session(each.filePath().toStdString(), unreadable);
    const auto of = session ? QString::fromStdString(session->autosave_of) : QString();
    result.push_back({each.filePath(), of, each.lastModified(), std::move(lock)});
  }
  return result;
}

Autosave::Autosave(SessionKeeper& keeper, const QString& folder, QObject* parent, int delay)
    : QObject(parent), keeper_(keeper) {
  QDir().mkpath(folder);
  for (int instance = 0; instance < most_instances && !own_; ++instance) {
    const auto name = QStringLiteral("%1-%2").arg(QCoreApplication::applicationPid()).arg(instance);
    const QString file = folder + '/' + name + session::extension;
    if (QFileInfo::exists(file)) continue;  // of a program that crashed with this very number
    if (auto lock = take(file)) own_ = std::make_shared<OwnFile>(file, std::move(lock));
    if (!own_ && !QFileInfo(folder).isWritable()) break;
  }
  timer_.setSingleShot(true);
  timer_.setInterval(delay);
  connect(&timer_, &QTimer::timeout, this, &Autosave::write);
  connect(&keeper, &SessionKeeper::edited, this, &Autosave::schedule);
  connect(&keeper, &SessionKeeper::recovered, this, &Autosave::recovered);
  connect(&keeper, &SessionKeeper::stored, this, [this] {
    for (AbandonedAutosave& each : recovered_) each.discard();
    recovered_.clear();
  });
}

Autosave::~Autosave() {
  disconnect(&keeper_, nullptr, this, nullptr);
}

QString Autosave::file() const {
  return own_ ? own_->path : QString();
}

void Autosave::recover(AbandonedAutosave abandoned) {
  const QString file = abandoned.file;
  asked_.push_back(std::move(abandoned));
  keeper_.recover(file);
}

void Autosave::recovered(const QString& file) {
  const auto opened =
      std::partition(asked_.begin(), asked_.end(), [&](const AbandonedAutosave& each) { return each.file != file; });
  std::move(opened, asked_.end(), std::back_inserter(recovered_));
  asked_.erase(opened, asked_.end());
}

void Autosave::discard(const QStringList& files) {
  for (AbandonedAutosave& each : recovered_) {
    if (files.contains(each.file)) each.discard();
  }
  std::erase_if(recovered_, [](const AbandonedAutosave& each) { return each.lock == nullptr; });
}

void Autosave::schedule() {
  if (!own_) return;
  // Not restarted: work that never pauses is saved, too.
  if (keeper_.modified() && !timer_.isActive()) timer_.start();
  if (!keeper_.modified()) {
    timer_.stop();
    if (!writing_) remove();
  }
}

void Autosave::write() {
  if (std::exchange(writing_, true)) {
    again_ = true;
    return;
  }
  const QPointer<Autosave> self(this);
  // Those that are recovered while the file is written are not in it.
  QStringList held;
  for (const AbandonedAutosave& each : recovered_) held << each.file;
  keeper_.save_copy(own_->path, [self, own = own_, held](bool saved) {
    if (!self) return;
    self->writing_ = false;
    if (saved) self->discard(held);
    emit self->written();
    if (!self->keeper_.modified()) self->remove();
    if (std::exchange(self->again_, false)) self->schedule();
  });
}

void Autosave::remove() {
  if (own_) QFile::remove(own_->path);
}

}  // namespace convscope::ui
