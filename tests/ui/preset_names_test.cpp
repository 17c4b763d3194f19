// Presets by whatever name their user gives them, and what is changed while one is read or written.

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/model/settings.h"
#include "ui/session/session_keeper.h"
#include "ui/window/main_window.h"
#include "ui/window/preset_dialog.h"

namespace convscope::ui::test {
namespace {

class PresetNames : public testing::Test {
 protected:
  void SetUp() override { QDir(user_preset_folder()).removeRecursively(); }
  void TearDown() override { QDir(user_preset_folder()).removeRecursively(); }
  int lanes() const { return static_cast<int>(workbench.machine().at(0)); }
  /// As by the dialog, for a machine of 32 lanes; then back to another one.
  bool save(const QString& name) {
    PresetDialog dialog(*workbench.target(), name);
    workbench.set_parameter(0, 32);
    workbench.save_preset(dialog.path(), name, "");
    const bool saved = wait_until([&] { return workbench.preset() == name && offered(workbench.preset_reference()); });
    workbench.load_preset(standard());
    return saved && wait_until([&] { return workbench.preset() == standard() && lanes() != 32; });
  }
  bool offered(const QString& reference) const { return workbench.presets().contains(reference); }
  QString standard() const { return QString::fromStdString(workbench.target()->default_preset()); }
  /// Picks it in the tool bar.
  void choose(int index) {
    auto* box = window.findChild<QComboBox*>("preset");
    box->setCurrentIndex(index);
    emit box->activated(index);
  }
  int place_of(const QString& shown) { return window.findChild<QComboBox*>("preset")->findText(shown); }

  QTemporaryDir folder;
  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

TEST_F(PresetNames, AreChosenAsTheyAreWritten) {
  for (const QString name : {"my preset", "größe & mehr", "a/b", "name.xml", ".hidden"}) {
    ASSERT_TRUE(save(name)) << name.toStdString() << workbench.messages().text();
    const auto matches = [&](const QString& reference) {
      Diagnostics diagnostics;
      const auto read = read_settings(workbench.target(), reference, {}, diagnostics);
      return read && read->preset == name;
    };
    const QStringList presets = workbench.presets();
    const auto found = std::find_if(presets.begin(), presets.end(), matches);
    ASSERT_NE(found, presets.end()) << name.toStdString();
    const int place = window.findChild<QComboBox*>("preset")->findData(*found);
    ASSERT_GE(place, 0);
    choose(place);
    ASSERT_TRUE(wait_until([&] { return lanes() == 32; })) << name.toStdString() << workbench.messages().text();
    EXPECT_EQ(workbench.preset(), name);
    EXPECT_FALSE(workbench.messages().has_errors()) << workbench.messages().text();
  }
  EXPECT_GE(place_of("my preset"), 0);
}

TEST_F(PresetNames, ComeBackWithASession) {
  ASSERT_TRUE(save("my preset"));
  workbench.load_preset("my preset");
  ASSERT_TRUE(wait_until([&] { return lanes() == 32; }));
  bool saved = false;
  window.session().save(folder.filePath("a.convscope"), [&](bool done) { saved = done; });
  ASSERT_TRUE(wait_until([&] { return saved; }));
  Workbench next{catalogue::standard()};
  next.open_session(folder.filePath("a.convscope"));
  ASSERT_TRUE(wait_until([&] { return !next.busy() && next.preset() == "my preset"; })) << next.messages().text();
  EXPECT_EQ(next.preset_machine().at(0), 32);
}

TEST_F(PresetNames, OfThePresetsThatComeWithTheProgramAreNotTaken) {
  workbench.set_parameter(0, 32);
  workbench.save_preset(user_preset_folder() + "/" + standard() + ".xml", standard(), "");
  ASSERT_TRUE(wait_until([&] { return workbench.messages().has_errors(); }));
  EXPECT_FALSE(QFile::exists(user_preset_folder() + "/" + standard() + ".xml"));
  PresetDialog dialog(*workbench.target(), standard());
  EXPECT_NE(dialog.name(), standard()) << "no name that is refused is proposed";
  auto* name = dialog.findChild<QLineEdit*>("preset-name");
  name->setText(standard());
  EXPECT_TRUE(dialog.findChild<QLabel*>("preset-place")->text().contains("has this name"));
  name->setText("another");
  EXPECT_TRUE(dialog.findChild<QLabel*>("preset-place")->text().contains("another.xml"));
}

/// One that is there all the same, e.g. of an older program.
TEST_F(PresetNames, ThatOthersHaveAreChosenByTheirFile) {
  const QString file = user_preset_folder() + "/" + standard() + ".xml";
  Settings own = workbench.settings();
  own.values.set_at(0, 32);
  Diagnostics diagnostics;
  ASSERT_TRUE(write_preset_file(file, own.values, standard(), "", diagnostics));
  workbench.set_target("nmp");
  ASSERT_TRUE(wait_until([&] { return workbench.target()->id() == "nmp"; }));
  workbench.set_target("nve");
  ASSERT_TRUE(wait_until([&] { return offered(file); }));
  choose(window.findChild<QComboBox*>("preset")->findData(file));
  ASSERT_TRUE(wait_until([&] { return lanes() == 32; }));
  EXPECT_EQ(workbench.preset(), standard());
  EXPECT_EQ(workbench.preset_reference(), file);
  EXPECT_EQ(window.findChild<QComboBox*>("preset")->currentData(), file);
  workbench.load_preset(standard());
  EXPECT_TRUE(wait_until([&] { return lanes() != 32; }));
  EXPECT_EQ(workbench.preset_reference(), standard());
}

TEST_F(PresetNames, OfMegabytesAreRefused) {
  const QString file = folder.filePath("long.xml");
  Diagnostics diagnostics;
  ASSERT_TRUE(write_preset_file(file, workbench.machine(), QString(500'000, 'x'), "", diagnostics));
  workbench.load_preset(file);
  ASSERT_TRUE(wait_until([&] { return workbench.messages().has_errors(); }));
  EXPECT_NE(workbench.messages().text().find("500000 bytes"), std::string::npos);
  EXPECT_EQ(workbench.preset(), standard());
}

TEST_F(PresetNames, ALevelThatIsChosenWhileAPresetIsReadStays) {
  const auto& levels = workbench.target()->levels();
  const auto other = QString::fromStdString(levels.front().name);
  ASSERT_NE(workbench.level(), other);
  workbench.set_parameter(0, 32);
  workbench.load_preset(standard());
  workbench.set_level(other);
  ASSERT_TRUE(wait_until([&] { return lanes() != 32; }));
  EXPECT_EQ(workbench.level(), other);
}

TEST_F(PresetNames, APresetThatIsWrittenLateIsNotTheNextSessions) {
  workbench.set_parameter(0, 32);
  workbench.save_preset(user_preset_folder() + "/late.xml", "late", "");
  window.session().start_new();
  ASSERT_TRUE(wait_until([&] { return offered("late"); }));
  EXPECT_NE(workbench.preset(), "late");
  EXPECT_FALSE(window.session().modified());
  EXPECT_FALSE(workbench.undo_stack().canUndo());
}

}  // namespace
}  // namespace convscope::ui::test
