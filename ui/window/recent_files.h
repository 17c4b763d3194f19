#pragma once
// Networks that were opened last, remembered over the program's runs.

#include <QObject>
#include <QStringList>

class QMenu;

namespace convscope::ui {

class Workbench;

/// The list, in the user's settings: newest first, absolute paths, at most ten. Samples have a menu of their own and
/// are not remembered.
class RecentFiles : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  QStringList paths() const;
  void add(const QString& path);
  void remove(const QString& path);
  void clear();

 signals:
  void changed();

 private:
  void store(const QStringList& paths);
};

/// Fills the menu with the list and keeps it so: networks that open are added, files that are gone are taken out when
/// opening them shows it.
void set_up_recent_menu(QMenu& menu, RecentFiles& files, Workbench& workbench);

}  // namespace convscope::ui
