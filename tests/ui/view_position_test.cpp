// What a user saw of each view is there again when the session is opened.

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/session/session_file.h"
#include "tests/ui/session.h"
#include "ui/parts/canvas/canvas_widget.h"
#include "ui/session/session_keeper.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

struct Program {
  Program() {
    window.show();
    window.show_view("schedule");
  }
  CanvasWidget& schedule() { return *window.findChild<QWidget*>("view-schedule")->findChild<CanvasWidget*>(); }
  bool shows_schedule() {
    return wait_until([&] {
      return !workbench.busy() && workbench.settled() && schedule().painter() != nullptr &&
             schedule().painter()->subject().layer >= 0;
    });
  }
  bool save(const QString& path) {
    bool answered = false, saved = false;
    window.session().save(path, [&](bool written) {
      saved = written;
      answered = true;
    });
    return wait_until([&] { return answered; }) && saved;
  }

  Workbench workbench{catalogue::standard()};
  MainWindow window{workbench};
};

class ViewPositions : public testing::Test {
 protected:
  QString path(const char* name) const { return folder.filePath(name); }
  QTemporaryDir folder;
};

TEST_F(ViewPositions, AreThoseOfTheSession) {
  Viewport seen;
  {
    Program first;
    first.workbench.open_network(sample("speed_sign"));
    ASSERT_TRUE(first.shows_schedule());
    first.schedule().zoom(2);
    first.schedule().scroll_to({3, 40});
    seen = first.schedule().painter()->viewport();
    ASSERT_FALSE(seen.fit);
    ASSERT_TRUE(first.save(path("a.convscope")));
  }
  Program second;
  second.workbench.open_network(sample("face_detection"));
  ASSERT_TRUE(second.shows_schedule());
  second.workbench.open_session(path("a.convscope"));
  ASSERT_TRUE(
      wait_until([&] { return second.workbench.network()->source_file.find("speed_sign") != std::string::npos; }));
  ASSERT_TRUE(second.shows_schedule());
  const auto restored = [&] { return second.schedule().painter()->viewport(); };
  EXPECT_TRUE(wait_until([&] { return std::abs(restored().zoom - seen.zoom) < 1e-9; })) << restored().zoom;
  EXPECT_NEAR(restored().origin.y(), seen.origin.y(), 1e-6);
  EXPECT_FALSE(restored().fit);
}

TEST_F(ViewPositions, OfViewsThatWereNotLookedAtAreKept) {
  Program first;
  first.workbench.open_network(sample("speed_sign"));
  ASSERT_TRUE(first.shows_schedule());
  ASSERT_TRUE(first.save(path("a.convscope")));
  Diagnostics diagnostics;
  auto session = session::load_session(path("a.convscope").toStdString(), diagnostics);
  ASSERT_TRUE(session) << diagnostics.text();
  session->window["position:task-graph"] = "0 0 -1 0 1.5 2 3";
  ASSERT_TRUE(session::save_session(*session, path("a.convscope").toStdString(), diagnostics));
  Program second;
  second.workbench.open_session(path("a.convscope"));
  ASSERT_TRUE(wait_until([&] { return second.workbench.network() != nullptr; }));
  ASSERT_TRUE(second.shows_schedule());
  EXPECT_EQ(second.window.session_state().at("position:task-graph"), "0 0 -1 0 1.5 2 3");
}

TEST_F(ViewPositions, ThatMakeNoSenseChangeNothing) {
  Program first;
  first.workbench.open_network(sample("speed_sign"));
  ASSERT_TRUE(first.shows_schedule());
  ASSERT_TRUE(first.save(path("a.convscope")));
  Diagnostics diagnostics;
  const auto session = session::load_session(path("a.convscope").toStdString(), diagnostics);
  ASSERT_TRUE(session) << diagnostics.text();
  const Viewport usual = first.schedule().painter()->viewport();
  for (const char* wrong :
       {"", "fit", "0 0 -1 0 nan nan nan", "0 0 -1 0 inf 1 1", "7 0 -1 0 1 9 9", "0 0 -1 x y z", "||||"}) {
    auto changed = *session;
    changed.window["position:schedule"] = wrong;
    changed.window["position:no-such-view"] = wrong;
    ASSERT_TRUE(session::save_session(changed, path("b.convscope").toStdString(), diagnostics));
    Program second;
    second.workbench.open_session(path("b.convscope"));
    ASSERT_TRUE(wait_until([&] { return second.workbench.network() != nullptr; })) << wrong;
    ASSERT_TRUE(second.shows_schedule()) << wrong;
    EXPECT_EQ(second.schedule().painter()->viewport().zoom, usual.zoom) << wrong;
    EXPECT_EQ(second.schedule().painter()->viewport().origin, usual.origin) << wrong;
  }
}

}  // namespace
}  // namespace convscope::ui::test
