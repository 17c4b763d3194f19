// Whoever can't see or can't use a mouse reaches everything: names on all widgets, every action by keyboard.

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QTest>
#include <set>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/commands/command.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

/// Parts that Qt makes inside its own widgets; screen readers get them through these.
bool is_inner_part(const QWidget& widget) {
  return widget.objectName().startsWith("qt_") || widget.objectName().isEmpty();
}

/// A label that says nothing now is not reached either.
bool says_nothing(const QWidget& widget) {
  const auto* label = qobject_cast<const QLabel*>(&widget);
  return label != nullptr && label->text().isEmpty();
}

QString spoken_name(QWidget& widget) {
  const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&widget);
  return interface == nullptr ? QString() : interface->text(QAccessible::Name);
}

class AccessibilityTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    workbench.set_target(GetParam());
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  }
  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

TEST_P(AccessibilityTest, EveryWidgetThatTakesTheKeyboardHasAName) {
  for (const ViewEntry& entry : view_entries()) {
    window.show_view(entry.id);
    QTest::qWait(1);
  }
  int looked_at = 0;
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || is_inner_part(*widget) || says_nothing(*widget)) continue;
    ++looked_at;
    EXPECT_FALSE(spoken_name(*widget).isEmpty())
        << widget->metaObject()->className() << " " << widget->objectName().toStdString();
  }
  EXPECT_GT(looked_at, 20);
}

TEST_P(AccessibilityTest, EveryActionIsInAMenuWithAName) {
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (action->isSeparator() || action->shortcut().isEmpty()) continue;
    EXPECT_FALSE(action->text().isEmpty()) << action->shortcut().toString().toStdString();
    EXPECT_FALSE(action->objectName().isEmpty()) << action->text().toStdString();
  }
  EXPECT_GT(menu_commands(window).size(), 15U);
}

TEST_P(AccessibilityTest, TabVisitsEveryPanel) {
  QWidget* first = window.findChild<QWidget*>("layer-table");
  ASSERT_NE(first, nullptr);
  first->setFocus();
  std::set<QString> docks;
  for (int presses = 0; presses < 400; ++presses) {
    for (QWidget* each = QApplication::focusWidget(); each != nullptr; each = each->parentWidget()) {
      if (each->objectName().startsWith("dock-")) docks.insert(each->objectName());
    }
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &window, Qt::Key_Tab);
  }
  EXPECT_TRUE(docks.count("dock-network")) << "the network's tree";
  EXPECT_TRUE(docks.count("dock-machine")) << "the machine's parameters";
}

INSTANTIATE_TEST_SUITE_P(Targets, AccessibilityTest, testing::Values("nve", "nmp"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace convscope::ui::test
