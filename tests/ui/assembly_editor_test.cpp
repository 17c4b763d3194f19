// A program's assembly changed by hand: mistakes stand at their lines while one types, keys alone verify and simulate,
// what was typed is undone, saved, and never lost on the way.

#include "ui/views/program/assembly/assembly_editor.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/picture.h"
#include "tests/ui/session.h"
#include "ui/document/program_texts.h"
#include "ui/document/workbench.h"
#include "ui/views/program/listing/program_painter.h"

namespace convscope::ui::test {
namespace {

class AssemblyMode : public testing::TestWithParam<const char*> {
 protected:
  void open(const QString& target, const QString& network = {}) {
    workbench.set_target(target);
    ASSERT_TRUE(wait_until([&] { return workbench.target()->id() == target.toStdString(); }));
    const bool small = network.isEmpty() && target == "snowflake";  // it simulates itself to be compiled
    ASSERT_TRUE(open_and_wait(workbench, small ? CONVSCOPE_SOURCE_DIR "/samples/labs/snowflake-program/small.xml"
                                         : network.isEmpty() ? sample("filter_3x3")
                                                             : sample(network)));
    panel.reset(dynamic_cast<CanvasPanel*>(make_program_widget(workbench, nullptr)));
    ASSERT_NE(panel, nullptr);
    panel->resize(1000, 700);
    panel->show();
    panel->findChild<QComboBox*>("program_mode")->setCurrentIndex(1);
    ASSERT_TRUE(settled());
    if (target == "nmp") {  // its first program is an estimate
      EXPECT_TRUE(message().contains("Choose ‘")) << message().toStdString();
      EXPECT_FALSE(text().isEnabled());
      workbench.select({.layer = 0, .program = 1});
      ASSERT_TRUE(settled());
    }
  }
  AssemblyEditor& editor() {
    AssemblyEditor* found = nullptr;
    for (QObject* child : panel->children())
      if (auto* editor = dynamic_cast<AssemblyEditor*>(child)) found = editor;
    return *found;
  }
  AssemblyText& text() { return editor().text(); }
  QString message() { return panel->findChild<QLabel*>("assembly_message")->text(); }
  QListWidget& list() { return *panel->findChild<QListWidget*>("assembly_findings"); }
  bool settled() {
    return wait_until([&] { return !workbench.busy() && editor().idle(); });
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&text(), key, modifiers);
  }
  /// Types a line in front of the text's end.
  void type_at_end(const QString& typed) {
    press(Qt::Key_End, Qt::ControlModifier);
    QTest::keyClicks(&text(), typed);
  }
  /// An instruction that others need, so many lines behind the first that starts so, and what does not do in its place.
  struct Needed {
    QString start;
    int behind;
    QString instead;
  };
  Needed needed() {
    const std::string& target = workbench.target()->id();
    if (target == "nve") return {"repeat ", 1, "mac"};
    if (target == "nmp") return {"nmp_wait ", 0, "addi x0, x0, 0"};
    return {"ld.all", 0, "nop"};
  }
  int instruction_line() {
    for (QTextBlock block = text().document()->begin(); block.isValid(); block = block.next())
      if (block.text().trimmed().startsWith(needed().start)) return block.blockNumber() + 1 + needed().behind;
    return 0;
  }
  void replace_line(int line, const QString& by) {
    text().go_to_line(line);
    press(Qt::Key_End, Qt::ShiftModifier);
    QTest::keyClicks(&text(), by);
  }

  Workbench workbench{catalogue::standard()};
  std::unique_ptr<CanvasPanel> panel;
};

TEST_P(AssemblyMode, MistakesStandAtTheirLineWhileOneTypesAndAreUndone) {
  open(GetParam());
  EXPECT_TRUE(message().startsWith("The compiler's program. It assembles.")) << message().toStdString();
  const QString original = text().toPlainText();
  ASSERT_FALSE(original.isEmpty());
  type_at_end("nonsense here");
  const int line = text().current_line();
  ASSERT_TRUE(wait_until([&] { return message().startsWith("Your program. One error"); })) << message().toStdString();
  EXPECT_TRUE(message().contains(QStringLiteral("in line %1 ").arg(line))) << message().toStdString();
  ASSERT_EQ(list().count(), 1);
  EXPECT_EQ(list().item(0)->data(Qt::UserRole).toInt(), line);
  text().go_to_line(2);
  press(Qt::Key_F8);
  EXPECT_EQ(text().current_line(), line);
  while (text().toPlainText() != original) press(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(wait_until([&] { return message().startsWith("The compiler's program. It assembles."); }));
  EXPECT_EQ(list().count(), 0);
}

TEST_P(AssemblyMode, KeysAloneVerifyAndSimulate) {
  open(GetParam());
  press(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(wait_until([&] { return message().contains("it breaks no rule"); })) << message().toStdString();
  press(Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(wait_until([&] { return message().contains("every output equals the reference"); }))
      << message().toStdString();
  EXPECT_TRUE(message().contains("cycles")) << message().toStdString();
  const int line = instruction_line();
  ASSERT_GT(line, 0);
  const QString original = text().toPlainText();
  replace_line(line, needed().instead);
  press(Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(wait_until([&] { return list().count() > 0; })) << message().toStdString();
  int placed = 0;
  for (int i = 0; i < list().count(); ++i) placed += list().item(i)->data(Qt::UserRole).toInt() > 0 ? 1 : 0;
  EXPECT_GT(placed, 0) << list().item(0)->text().toStdString();
  while (text().toPlainText() != original) press(Qt::Key_Z, Qt::ControlModifier);
  press(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_TRUE(wait_until([&] { return message().contains("it breaks no rule"); })) << message().toStdString();
}

TEST_P(AssemblyMode, SavesBothFormsAndOpensThem) {
  open(GetParam());
  QTemporaryDir folder;
  const QString original = text().toPlainText();
  for (const char* name : {"own.s", "own.json"}) {
    const QString path = folder.filePath(name);
    editor().save(path);
    ASSERT_TRUE(wait_until([&] { return message().startsWith("Saved: "); })) << message().toStdString();
    text().selectAll();
    QTest::keyClicks(&text(), "gone");
    editor().save(folder.filePath("bad.json"));
    ASSERT_TRUE(wait_until([&] { return message().startsWith("Not saved: "); })) << message().toStdString();
    EXPECT_FALSE(QFile::exists(folder.filePath("bad.json")));
    editor().open(path);
    ASSERT_TRUE(wait_until([&] { return text().toPlainText() == original; })) << name;
  }
  QFile damaged(folder.filePath("damaged.json"));
  ASSERT_TRUE(damaged.open(QIODevice::WriteOnly));
  damaged.write("{\"format\": 3}");
  damaged.close();
  editor().open(damaged.fileName());
  ASSERT_TRUE(wait_until([&] { return message().startsWith("Not opened: "); })) << message().toStdString();
  EXPECT_EQ(text().toPlainText(), original);
}

INSTANTIATE_TEST_SUITE_P(Targets, AssemblyMode, testing::Values("nve", "snowflake", "nmp"),
                         [](const auto& each) { return std::string(each.param); });

TEST_F(AssemblyMode, TextsStayWithTheirProgramAndInTheSession) {
  open("nve", "speed_sign");
  workbench.select({.layer = 0});
  ASSERT_TRUE(settled());
  const QString first = text().toPlainText();
  type_at_end("; mine");
  workbench.select({.layer = 1});  // before the pause is over
  ASSERT_TRUE(wait_until([&] { return text().toPlainText() != first + "; mine"; }));
  ASSERT_TRUE(settled());
  EXPECT_FALSE(text().toPlainText().contains("; mine"));
  workbench.select({.layer = 0});
  ASSERT_TRUE(wait_until([&] { return text().toPlainText() == first + "; mine"; }));
  // A new run leaves it alone; the others follow.
  workbench.set_level("modulo");
  ASSERT_TRUE(settled());
  EXPECT_EQ(text().toPlainText(), first + "; mine");

  ProgramTexts& texts = *program_texts_of(workbench);
  const std::string record = texts.record();
  EXPECT_NE(record.find("; mine"), std::string::npos);
  Diagnostics diagnostics;
  texts.restore({}, "s", diagnostics);
  EXPECT_FALSE(text().toPlainText().contains("; mine"));
  texts.restore(record, "s", diagnostics);
  EXPECT_EQ(text().toPlainText(), first + "; mine");
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  editor().restore();
  ASSERT_TRUE(wait_until([&] { return texts.record().empty(); })) << "the compiler's again";
  for (const char* hostile : {"[1]", "{", "[{\"network\": 1}]", "3", "[{\"network\":\"\",\"target\":\"\"}]"}) {
    Diagnostics told;
    texts.restore(hostile, "s", told);
    EXPECT_FALSE(told.empty()) << hostile;
    EXPECT_TRUE(texts.record().empty());
  }
  EXPECT_FALSE(texts.keep({"n", "t", "l", 0}, std::string(longest_program_text + 1, ' ')));
  EXPECT_TRUE(texts.keep({"n", "t", "l", 0}, std::string(longest_program_text, ' ')));
  EXPECT_TRUE(texts.keep({"n", "t", "l", 1}, std::string(longest_program_text, ' ')));
  EXPECT_FALSE(texts.keep({"n", "t", "l", 2}, " "));
}

TEST_F(AssemblyMode, ATargetWithoutAssemblerSaysSo) {
  open("cpu");
  EXPECT_TRUE(message().contains("no assembler")) << message().toStdString();
  EXPECT_FALSE(text().isEnabled());
  workbench.set_target("nve");
  ASSERT_TRUE(wait_until([&] { return text().isEnabled(); }));
  panel->findChild<QComboBox*>("program_mode")->setCurrentIndex(0);
  EXPECT_TRUE(panel->canvas().isVisible());
  EXPECT_FALSE(text().isVisible());
}

TEST_F(AssemblyMode, TheWindowGoesOnWhileALongTextIsChecked) {
  open("nve");
  QString longer = text().toPlainText();
  while (longer.size() < 600'000) longer += QStringLiteral("  nonsense %1\n").arg(longer.size());
  QTemporaryDir folder;
  QFile file(folder.filePath("long.s"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(longer.toUtf8());
  file.close();
  editor().open(file.fileName());
  ASSERT_TRUE(wait_until([&] { return message().contains("errors, the first in line"); })) << message().toStdString();
  EXPECT_LE(list().count(), static_cast<int>(Diagnostics::cap) + 1);
}

TEST_F(AssemblyMode, LooksAsItDid) {
  open("nve");
  replace_line(instruction_line(), "  rd 3+2q | rd 5+6c");
  ASSERT_TRUE(wait_until([&] { return message().contains("error"); }));
  text().clearFocus();
  for (const char* theme : {"light", "dark"}) {
    workbench.set_theme(theme);
    QApplication::setPalette(workbench.theme().palette());
    QTest::qWait(50);
    EXPECT_TRUE(looks_as_kept(panel->grab().toImage(), QStringLiteral("assembly-editor-%1").arg(theme)));
  }
  QApplication::setPalette(light_theme().palette());
}

}  // namespace
}  // namespace convscope::ui::test
