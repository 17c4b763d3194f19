#pragma once
// Light, dark, or like the desktop: what the user chose, remembered, and the theme that follows from it.

#include <QObject>
#include <QString>
#include <functional>

namespace convscope::ui {

class SystemTheme;

class ThemeChoice : public QObject {
  Q_OBJECT
 public:
  /// Hands over the name of the theme that follows from choice and desktop, whenever one of them changes.
  using SetTheme = std::function<void(const QString& name)>;
  /// Starts as "system", which changes nothing until the desktop does.
  ThemeChoice(SetTheme set_theme, SystemTheme& system, QObject* parent = nullptr);

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

  SetTheme set_theme_;
  SystemTheme& system_;
  QString choice_;
};

}  // namespace convscope::ui
