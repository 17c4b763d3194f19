// Light, dark, or like the desktop.

#include "ui/theme/theme_choice.h"

#include <QAction>
#include <QDBusVariant>
#include <QSettings>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "ui/document/workbench.h"
#include "ui/theme/system_theme.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

void desktop_says(SystemTheme& system, uint scheme) {
  system.setting_changed("org.freedesktop.appearance", "color-scheme", QDBusVariant(scheme));
}

class ThemeChoiceTest : public testing::Test {
 protected:
  ThemeChoiceTest() { QSettings().remove("theme"); }
  ~ThemeChoiceTest() override { QSettings().remove("theme"); }
  QString shown() const { return workbench.theme().name; }

  Workbench workbench{catalogue::standard()};
  SystemTheme system{false};
  ThemeChoice choice{[this](const QString& name) { workbench.set_theme(name); }, system};
};

TEST_F(ThemeChoiceTest, FollowsTheDesktopUnlessToldOtherwise) {
  desktop_says(system, 1);
  EXPECT_EQ(shown(), "dark");
  desktop_says(system, 0);
  EXPECT_EQ(shown(), "dark") << "no preference is no change";
  desktop_says(system, 2);
  EXPECT_EQ(shown(), "light");
  choice.choose("dark");
  desktop_says(system, 1);
  desktop_says(system, 2);
  EXPECT_EQ(shown(), "dark");
  choice.choose("system");
  EXPECT_EQ(shown(), "light");
}

TEST_F(ThemeChoiceTest, IsRemembered) {
  choice.choose("dark");
  Workbench later{catalogue::standard()};
  ThemeChoice restored([&later](const QString& name) { later.set_theme(name); }, system);
  restored.restore();
  EXPECT_EQ(restored.choice(), "dark");
  EXPECT_EQ(later.theme().name, "dark");
}

TEST_F(ThemeChoiceTest, IgnoresWhatIsNoTheme) {
  QSettings().setValue("theme", "plaid");
  choice.restore();
  EXPECT_EQ(choice.choice(), "system");
  system.setting_changed("org.freedesktop.appearance", "accent-color", QDBusVariant(1U));
  system.setting_changed("org.example", "color-scheme", QDBusVariant(1U));
  system.setting_changed("org.freedesktop.appearance", "color-scheme", QDBusVariant(QString("dark")));
  EXPECT_FALSE(system.dark());
}

TEST_F(ThemeChoiceTest, IsAChoiceOfThreeInTheMenu) {
  MainWindow window(workbench);
  EXPECT_TRUE(window.findChild<QAction*>("theme-system")->isChecked());
  window.findChild<QAction*>("theme-dark")->trigger();
  EXPECT_EQ(shown(), "dark");
  EXPECT_TRUE(window.findChild<QAction*>("theme-dark")->isChecked());
  EXPECT_FALSE(window.findChild<QAction*>("theme-system")->isChecked());
}

}  // namespace
}  // namespace convscope::ui::test
