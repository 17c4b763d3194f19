#pragma once
// Light, dark, or like the desktop: what the user chose, remembered, and the theme that follows from it.

#include <QObject>
#include <QString>

namespace convscope::ui {

class SystemTheme;
class Workbench;

class ThemeChoice : public QObject {
  Q_OBJECT
 public:
  /// Starts as "system", which changes nothing until `system` is dark where the workbench is light or the reverse.
  ThemeChoice(Workbench& workbench, SystemTheme& system, QObject* parent = nullptr);

  /// "system", "light" or "dark".
  const QString& choice() const { return choice_; }
  /// Takes effect at once and is remembered for the next start.
  void choose(const QString& choice);
  /// What was chosen in an earlier run; "system" if nothing was.
  void restore();

 signals:
  void choice_changed();

 private:
  void apply();

  Workbench& workbench_;
  SystemTheme& system_;
  QString choice_;
};

}  // namespace convscope::ui
