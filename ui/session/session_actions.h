#pragma once
// New, Open, Save and Save as for sessions, and the questions that come with them.

#include <QObject>
#include <QWidget>
#include <functional>
#include <string>

#include "ui/session/session_keeper.h"

class QMenu;

namespace convscope::ui {

class SessionActions : public QObject {
  Q_OBJECT
 public:
  enum class Answer { save, discard, cancel };

  SessionActions(Workbench& workbench, SessionKeeper& keeper, QWidget& window);
  ~SessionActions() override;

  void fill(QMenu& menu);
  /// True if what is unsaved has been saved, or may be lost.
  bool may_discard();
  /// From now on unsaved work is asked about, in dialogs. Without a user, as in tests, nothing is ever asked.
  void ask_user();

  /// Asks whether to save before what is there goes; null: it may go.
  std::function<Answer()> ask;
  /// Asks for a file to save to or, the other one, to open; empty: none.
  std::function<QString(const QString&suggestion)> choose_save, choose_open;
  /// Asks whether a file that is there already is replaced, where `choose_save` hasn't asked by itself.
  std::function<bool(const QString& file)> may_write;

 private:
  bool may_replace();
  bool still_may_replace();
  void start_new();
  void open();
  void save();
  void save_as();
  QString save_path();
  bool save_and_wait();
  Answer ask_in_dialog();

  Workbench& workbench_;
  SessionKeeper& keeper_;
  QWidget& window_;
  std::string agreed_;  ///< fingerprint of what may be lost to the session that is being read
};

}  // namespace convscope::ui
