#include "ui/theme/theme_choice.h"

#include <QSettings>
#include <utility>

#include "ui/theme/system_theme.h"
#include "ui/theme/theme.h"

namespace convscope::ui {
namespace {

constexpr QLatin1String like_system("system");
constexpr QLatin1String setting("theme");

bool is_choice(const QString& choice) {
  return choice == like_system || choice == light_theme().name || choice == dark_theme().name;
}

}  // namespace

ThemeChoice::ThemeChoice(SetTheme set_theme, SystemTheme& system, QObject* parent)
    : QObject(parent), set_theme_(std::move(set_theme)), system_(system), choice_(like_system) {
  connect(&system, &SystemTheme::changed, this, &ThemeChoice::apply);
}

void ThemeChoice::choose(const QString& choice) {
  QSettings().setValue(setting, choice);
  choice_ = choice;
  apply();
  emit choice_changed();
}

void ThemeChoice::restore() {
  const QString remembered = QSettings().value(setting, like_system).toString();
  choice_ = is_choice(remembered) ? remembered : like_system;
  apply();
  emit choice_changed();
}

void ThemeChoice::apply() {
  const QString dark_or_light = system_.dark() ? dark_theme().name : light_theme().name;
  set_theme_(choice_ == like_system ? dark_or_light : choice_);
}

}  // namespace convscope::ui
