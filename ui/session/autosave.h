#pragma once
// Unsaved work, written aside while it is being done, and found again after a crash.

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <vector>

#include "ui/session/session_keeper.h"

namespace convscope::ui {

/// An autosave whose program has ended without removing it. Holding it keeps other instances from offering it, too.
struct AbandonedAutosave {
  QString file;
  QString session;  ///< path of the session that it is of; empty if it had none
  QDateTime saved;
  std::shared_ptr<QLockFile> lock;
  /// Removes file and lock.
  void discard();
};

/// Folder of autosaves in the user's data.
QString autosave_folder();

/// Newest first. What belongs to a program that still runs is left out. Reads files.
std::vector<AbandonedAutosave> abandoned_autosaves(const QString& folder);

/// Writes the session to a file of its own in the folder, a few seconds after a change, and removes it once there is
/// nothing unsaved. The file stays if the program does not end in an orderly way.
class Autosave : public QObject {
  Q_OBJECT
 public:
  static constexpr int delay_milliseconds = 3000;

  Autosave(SessionKeeper& keeper, const QString& folder, QObject* parent = nullptr, int delay = delay_milliseconds);
  /// Removes the file: whoever lets the program end has asked about unsaved work.
  ~Autosave() override;

  QString file() const;
  /// Recovers it; it is discarded once what it held has been written, to this instance's file or as the session. One
  /// that can't be opened stays, and is offered again.
  void recover(AbandonedAutosave abandoned);

 signals:
  void written();

 private:
  struct OwnFile;

  void schedule();
  void write();
  void remove();
  void recovered(const QString& file);
  void discard(const QStringList& files);

  SessionKeeper& keeper_;
  std::shared_ptr<OwnFile> own_;  ///< what is being written holds it, too; null: the folder can't be written to
  QTimer timer_;
  bool writing_ = false, again_ = false;
  std::vector<AbandonedAutosave> asked_;      ///< to be recovered, and not opened yet
  std::vector<AbandonedAutosave> recovered_;  ///< opened, and written nowhere else yet
};

}  // namespace convscope::ui
