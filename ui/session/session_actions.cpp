#include "ui/session/session_actions.h"

#include <QAction>
#include <QDir>
#include <QEventLoop>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>

#include "ui/document/session_reading.h"
#include "ui/parts/file_to_write.h"

namespace convscope::ui {
namespace {

QString filter() {
  return SessionActions::tr("Sessions (*%1)").arg(QLatin1String(session::extension));
}

}  // namespace

SessionActions::SessionActions(Workbench& workbench, SessionKeeper& keeper, QWidget& window)
    : QObject(&window), workbench_(workbench), keeper_(keeper), window_(window) {
  choose_save = [this](const QString& suggestion) {
    const QString suffix = QString::fromLatin1(session::extension).mid(1);
    return ask_for_file_to_write(&window_, tr("Save the session"), suggestion, filter(), suffix);
  };
  choose_open = [this](const QString& suggestion) {
    return QFileDialog::getOpenFileName(&window_, tr("Open a session"), suggestion, filter());
  };
  may_write = [this](const QString& file) {
    const QString question = tr("%1 is there already. Replace it?").arg(QDir::toNativeSeparators(file));
    return QMessageBox::question(&window_, tr("Save the session"), question) == QMessageBox::Yes;
  };
  workbench.set_session_guard([this] { return may_replace(); }, [this] { return still_may_replace(); });
}

SessionActions::~SessionActions() {
  workbench_.set_session_guard({}, {});
}

void SessionActions::fill(QMenu& menu) {
  const auto add = [&](const QString& name, const QString& text, const QKeySequence& shortcut, auto act) {
    QAction* action = menu.addAction(text);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, act);
    return action;
  };
  add("new-session", tr("&New session"), QKeySequence::New, &SessionActions::start_new);
  add("open-session", tr("Open s&ession…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), &SessionActions::open);
  add("save-session", tr("&Save session"), QKeySequence::Save, &SessionActions::save);
  add("save-session-as", tr("Save session &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
      &SessionActions::save_as);
}

void SessionActions::ask_user() {
  ask = [this] { return ask_in_dialog(); };
}

SessionActions::Answer SessionActions::ask_in_dialog() {
  QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
                  tr("Save the changes of session “%1”?").arg(keeper_.name()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &window_);
  box.setInformativeText(tr("Parameters and baselines that are not saved will be lost."));
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save:
      return Answer::save;
    case QMessageBox::Discard:
      return Answer::discard;
    default:
      return Answer::cancel;
  }
}

bool SessionActions::may_discard() {
  if (!keeper_.modified() || !ask) return true;
  const Answer answer = ask();
  return answer == Answer::save ? save_and_wait() && may_discard() : answer == Answer::discard;
}

bool SessionActions::may_replace() {
  if (!may_discard()) return false;
  agreed_ = keeper_.fingerprint();
  return true;
}

/// What was changed since the user agreed is asked about.
bool SessionActions::still_may_replace() {
  return keeper_.fingerprint() == agreed_ || may_discard();
}

void SessionActions::start_new() {
  if (may_discard()) keeper_.start_new();
}

void SessionActions::open() {
  const QString path = choose_open(QFileInfo(keeper_.path()).absolutePath());
  if (!path.isEmpty()) workbench_.open_session(path);
}

void SessionActions::save() {
  const QString path = keeper_.path().isEmpty() ? save_path() : keeper_.path();
  if (!path.isEmpty()) keeper_.save(path);
}

void SessionActions::save_as() {
  const QString path = save_path();
  if (!path.isEmpty()) keeper_.save(path);
}

QString SessionActions::save_path() {
  QString suggestion = keeper_.path();
  if (suggestion.isEmpty()) {
    const auto network = workbench_.network();
    const auto name = network ? QString::fromStdString(network->name) : keeper_.name();
    suggestion = QDir::home().filePath(QString(name).replace('/', '-') + session::extension);
  }
  const QString chosen = choose_save(suggestion);
  if (chosen.isEmpty() || is_session_file(chosen)) return chosen;
  const QString path = chosen + session::extension;
  return !QFileInfo::exists(path) || may_write(path) ? path : QString();
}

bool SessionActions::save_and_wait() {
  const QString path = keeper_.path().isEmpty() ? save_path() : keeper_.path();
  if (path.isEmpty()) return false;
  QEventLoop loop;
  bool result = false;
  keeper_.save(path, [&](bool saved) {
    result = saved;
    loop.quit();
  });
  loop.exec(QEventLoop::ExcludeUserInputEvents);
  return result;
}

}  // namespace convscope::ui
