#pragma once
// The session that is being worked on: which file it is, whether it has changed since, and how it gets there.

#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/session/session_file.h"
#include "ui/document/workbench.h"
#include "ui/jobs/write_job.h"

namespace convscope::ui {

class SessionKeeper : public QObject {
  Q_OBJECT
 public:
  /// `layout` tells what of the window is saved, as text by name.
  SessionKeeper(Workbench& workbench, std::function<std::map<std::string, std::string>()> layout,
                QObject* parent = nullptr);

  QString path() const { return path_; }  ///< empty: never saved
  /// The file's name without its end, or "Untitled".
  QString name() const;
  /// True if machine, baselines or, in a session that has a file, network differ from what is saved.
  bool modified() const { return modified_; }

  /// Takes what there is now, and writes it away from the window's thread; `done` is called on it. A failure is shown
  /// as a message.
  /// If another session has been opened or begun by then, that one stays what it is.
  void save(const QString& path, std::function<void(bool saved)> done = {});
  /// As `save`, to a file that isn't the session's own.
  void save_copy(const QString& path, std::function<void(bool saved)> done);
  /// An untitled session: the machine that the program starts with, no baselines.
  void start_new();
  /// Opens an autosave: the session is what it was then, unsaved, with the name that it had; `recovered` follows,
  /// unless it is refused.
  void recover(const QString& autosave);
  /// Equal for equal content, as far as it counts as changed.
  std::string fingerprint() const { return fingerprint(path_); }

  /// What would be saved, with absolute paths and without hashes.
  session::Session capture() const;

 signals:
  void changed();  ///< path or `modified`
  void edited();   ///< what would be saved may have changed
  void saved(const QString& path);
  void stored();  ///< what this session held when its save began is in its file
  void opened(const convscope::session::Session& session);
  void recovered(const QString& autosave);

 private:
  /// What counts as changed: network, machine, baselines.
  session::Session content() const;
  void session_opened(const QString& path, const session::Session& session);
  void refresh();
  void mark_clean();
  /// Drafts, and programs that were edited.
  void add_work(session::Session& session) const;
  void restore_work(const session::Session& session, const QString& path);
  /// As if the session had that path.
  std::string fingerprint(const QString& path) const;
  void saved_as(const QString& path, const std::string& content);
  void write(session::Session session, const QString& path, std::function<void(const Diagnostics&, bool)> done);

  struct Hashes;

  Workbench& workbench_;
  std::function<std::map<std::string, std::string>()> layout_;
  QString path_;
  QString recovering_;  ///< autosave that is being opened
  std::string clean_;   ///< fingerprint of what is saved
  bool modified_ = false;
  int sessions_ = 0;                ///< opened or begun so far
  std::shared_ptr<Hashes> hashes_;  ///< of network files; of what writes alone
  WriteJob writing_;
};

}  // namespace convscope::ui
