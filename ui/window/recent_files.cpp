#include "ui/window/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include "core/base/resources.h"
#include "ui/document/workbench.h"

namespace convscope::ui {
namespace {

constexpr qsizetype most_files = 10;
constexpr const char* key = "recent/networks";

bool is_sample(const QString& path) {
  const QString samples = QDir(QString::fromStdString(sample_path("networks"))).absolutePath();
  return path.startsWith(samples + '/');
}

/// "&1  resnet50.onnx – ~/models"; the tenth entry is reached with 0.
QString entry_text(qsizetype position, const QString& path) {
  const QFileInfo file(path);
  QString folder = file.absolutePath();
  if (folder == QDir::homePath() || folder.startsWith(QDir::homePath() + '/')) {
    folder.replace(0, QDir::homePath().size(), "~");
  }
  const QString text = QStringLiteral("%1 – %2").arg(file.fileName(), QDir::toNativeSeparators(folder));
  return QStringLiteral("&%1  %2").arg((position + 1) % 10).arg(QString(text).replace('&', "&&"));
}

void fill(QMenu& menu, RecentFiles& files, Workbench& workbench) {
  menu.clear();
  const QStringList paths = files.paths();
  menu.setEnabled(!paths.isEmpty());
  for (qsizetype position = 0; position < paths.size(); ++position) {
    const QString path = paths[position];
    QAction* action = menu.addAction(entry_text(position, path));
    action->setObjectName(QStringLiteral("recent-%1").arg(position + 1));
    action->setToolTip(QDir::toNativeSeparators(path));
    // Queued: opening may change the list, and with it the action that is being triggered.
    QObject::connect(
        action, &QAction::triggered, &workbench, [&workbench, path] { workbench.open_network(path); },
        Qt::QueuedConnection);
  }
  menu.addSeparator();
  QAction* clear = menu.addAction(RecentFiles::tr("&Clear the list"));
  clear->setObjectName("clear-recent");
  QObject::connect(clear, &QAction::triggered, &files, &RecentFiles::clear, Qt::QueuedConnection);
}

}  // namespace

QStringList RecentFiles::paths() const {
  return QSettings().value(key).toStringList().mid(0, most_files);
}

void RecentFiles::add(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  if (is_sample(absolute)) return;
  QStringList all = paths();
  all.removeAll(absolute);
  all.prepend(absolute);
  store(all.mid(0, most_files));
}

void RecentFiles::remove(const QString& path) {
  QStringList all = paths();
  if (all.removeAll(QFileInfo(path).absoluteFilePath()) > 0) store(all);
}

void RecentFiles::clear() {
  store({});
}

void RecentFiles::store(const QStringList& paths) {
  if (paths == this->paths()) return;
  QSettings().setValue(key, paths);
  emit changed();
}

void set_up_recent_menu(QMenu& menu, RecentFiles& files, Workbench& workbench) {
  const auto refill = [&menu, &files, &workbench] { fill(menu, files, workbench); };
  QObject::connect(&files, &RecentFiles::changed, &menu, refill);
  QObject::connect(&workbench, &Workbench::network_opened, &files,
                   [&] { files.add(QString::fromStdString(workbench.network()->source_file)); });
  QObject::connect(&workbench, &Workbench::network_missing, &files, &RecentFiles::remove);
  menu.setToolTipsVisible(true);
  refill();
}

}  // namespace convscope::ui
