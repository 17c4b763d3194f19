// What was chosen of a quantization, in sessions.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/session/session_file.h"
#include "tests/ui/session.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/exploration/wish_text.h"
#include "ui/session/session_keeper.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

QuantizationWish made_up_wish() {
  QuantizationWish wish;
  wish.bits = 8;
  wish.percentile = 99.9;
  wish.per_filter = true;
  wish.images.pixels = {123.675, 58.395};
  return wish;
}

bool save(MainWindow& window, const QString& path) {
  bool done = false, saved = false;
  window.session().save(path, [&](bool result) {
    done = true;
    saved = result;
  });
  return wait_until([&] { return done; }) && saved;
}

bool opens(Workbench& workbench, const QString& file) {
  bool opened = false;
  const auto heard = QObject::connect(&workbench, &Workbench::session_opened, [&] { opened = true; });
  workbench.open_session(file);
  const bool done = wait_until([&] { return opened; });
  QObject::disconnect(heard);
  return done;
}

TEST(QuantizationSession, ChoicesComeBackFromText) {
  EXPECT_EQ(read_wish(wish_text(made_up_wish())), made_up_wish());
  EXPECT_EQ(read_wish(wish_text({})), QuantizationWish{});
}

TEST(QuantizationSession, TakesNothingThatTheViewCouldNotOffer) {
  for (const char* text : {"", "{ nonsense", "[]", "{\"bits\": 1}", "{\"bits\": 4000000000}", "{\"bits\": \"8\"}",
                           "{\"percentile\": -1}", "{\"percentile\": 101}", "{\"scale\": 0}", "{\"scale\": -2}",
                           "{\"mean\": 1e300}", "{\"inputs\": 0}", "{\"inputs\": 2000000}", "{\"per_filter\": 1}"})
    EXPECT_EQ(read_wish(text), QuantizationWish{}) << text;
}

TEST(QuantizationSession, ChoicesComeBackWithTheirFolder) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("work.convscope");
  ASSERT_TRUE(QDir(folder.path()).mkdir("photos"));
  QuantizationWish wish = made_up_wish();
  wish.images.path = folder.filePath("photos").toStdString();
  {
    Workbench workbench{catalogue::standard()};
    MainWindow window(workbench);
    ASSERT_TRUE(save(window, file));  // without a file, what is tried is no work that could be lost
    EXPECT_FALSE(window.session().modified());
    workbench.exploration().set_quantization_wish(wish);
    EXPECT_TRUE(window.session().modified());
    workbench.undo_stack().undo();
    EXPECT_FALSE(window.session().modified()) << "as it was";
    workbench.undo_stack().redo();
    ASSERT_TRUE(save(window, file));
    EXPECT_FALSE(window.session().modified());
  }
  Diagnostics diagnostics;
  const auto stored = session::load_session(file.toStdString(), diagnostics);
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->window.at("quantization-images"), "photos") << "as seen from the session's folder";
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  ASSERT_TRUE(opens(workbench, file)) << workbench.messages().text();
  EXPECT_EQ(workbench.exploration().state()->quantization_wish, wish);
  EXPECT_FALSE(window.session().modified());
  EXPECT_FALSE(workbench.undo_stack().canUndo()) << "what a session reads is no step";
  window.session().start_new();
  EXPECT_EQ(workbench.exploration().state()->quantization_wish, QuantizationWish{});
}

TEST(QuantizationSession, NamesAFolderThatIsGone) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("work.convscope");
  session::Session stored;
  stored.machine.target = "nve";
  stored.window = {{"quantization", "{\"bits\": 8}"}, {"quantization-images", "gone"}};
  Diagnostics diagnostics;
  ASSERT_TRUE(session::save_session(stored, file.toStdString(), diagnostics)) << diagnostics.text();
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  ASSERT_TRUE(opens(workbench, file)) << workbench.messages().text();
  const QuantizationWish wish = workbench.exploration().state()->quantization_wish;
  EXPECT_EQ(wish.bits, 8);
  EXPECT_EQ(QString::fromStdString(wish.images.path), folder.filePath("gone")) << "it may be there again tomorrow";
  ASSERT_TRUE(open_and_wait(workbench, CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb"));
  workbench.exploration().quantize(workbench.exploration().state()->quantization_wish);
  ASSERT_TRUE(wait_until([&] { return !workbench.exploration().quantizing(); }));
  const auto& run = workbench.exploration().state()->quantization;
  ASSERT_TRUE(run);
  EXPECT_EQ(run->result, nullptr);
  EXPECT_NE(run->failure.find("gone"), std::string::npos) << run->failure;
}

}  // namespace
}  // namespace convscope::ui::test
