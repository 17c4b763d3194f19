// A baseline is of the input sizes that it was pinned with, whatever is open now.

#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/session/session_file.h"
#include "tests/ui/open_size_network.h"
#include "tests/ui/session.h"
#include "ui/document/baselines.h"
#include "ui/session/session_keeper.h"

namespace convscope::ui::test {
namespace {

network::InputSizes square(int side, int batch = 1) {
  return {batch, network::Size{side, side}, {}};
}

class BaselineSizes : public testing::Test {
 protected:
  static bool settled(Workbench& workbench) {
    return wait_until([&] { return !workbench.busy() && workbench.settled(); });
  }
  static bool open(Workbench& workbench, const QString& path, const network::InputSizes& sizes) {
    workbench.open_network(path, sizes);
    return settled(workbench) && workbench.input_sizes() && *workbench.input_sizes() == sizes;
  }
  /// Height of the images that the baselines' networks were read with; 0 if there is no run.
  static std::vector<int> heights(const Workbench& workbench) {
    std::vector<int> result;
    for (const PinnedBaseline& each : workbench.baselines().entries)
      result.push_back(each.result->run ? each.result->run->network->layers.front().in.size.height : 0);
    return result;
  }
  static bool save(Workbench& workbench, const QString& path) {
    SessionKeeper keeper(workbench, [] { return std::map<std::string, std::string>(); });
    bool answered = false, saved = false;
    keeper.save(path, [&](bool written) {
      saved = written;
      answered = true;
    });
    return wait_until([&] { return answered; }) && saved;
  }

  QTemporaryDir folder;
  QString network = open_size_network(folder), session = folder.filePath("a.convscope");
};

TEST_F(BaselineSizes, AreThoseOfTheMomentItWasPinned) {
  Workbench workbench{catalogue::standard()};
  ASSERT_TRUE(open(workbench, network, square(64)));
  ASSERT_GE(workbench.pin_baseline(), 0);
  workbench.set_input_sizes(square(32));
  ASSERT_TRUE(settled(workbench));
  ASSERT_GE(workbench.pin_baseline(), 0);
  const auto records = workbench.baseline_records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_TRUE(*records[0].sizes == square(64));
  EXPECT_TRUE(*records[1].sizes == square(32));
  EXPECT_EQ(heights(workbench), (std::vector<int>{64, 32}));
}

TEST_F(BaselineSizes, AreKeptInASession) {
  {
    Workbench first{catalogue::standard()};
    ASSERT_TRUE(open(first, network, square(64, 2)));
    first.pin_baseline();
    first.set_input_sizes(square(32));
    ASSERT_TRUE(settled(first));
    first.pin_baseline();
    first.set_input_sizes(square(48));
    ASSERT_TRUE(settled(first));
    ASSERT_TRUE(save(first, session));
  }
  Workbench second{catalogue::standard()};
  second.open_session(session);
  ASSERT_TRUE(wait_until([&] { return second.network() != nullptr; }));
  ASSERT_TRUE(settled(second));
  EXPECT_TRUE(*second.input_sizes() == square(48));
  EXPECT_EQ(heights(second), (std::vector<int>{64, 32}));
  EXPECT_EQ(second.baseline_records().front().sizes->batch, 2);
}

TEST_F(BaselineSizes, ThatAnOlderSessionDoesNotTellAreThoseOfItsNetwork) {
  {
    Workbench first{catalogue::standard()};
    ASSERT_TRUE(open(first, network, square(64)));
    first.pin_baseline();
    ASSERT_TRUE(save(first, session));
  }
  Diagnostics diagnostics;
  auto old = session::load_session(session.toStdString(), diagnostics);
  ASSERT_TRUE(old) << diagnostics.text();
  old->baselines.front().network.sizes.reset();
  ASSERT_TRUE(session::save_session(*old, session.toStdString(), diagnostics));
  Workbench second{catalogue::standard()};
  ASSERT_TRUE(open(second, network, square(32)));  // what was last chosen here is none of the session's
  second.open_session(session);
  ASSERT_TRUE(wait_until([&] { return !second.baselines().entries.empty(); }));
  ASSERT_TRUE(settled(second));
  EXPECT_EQ(heights(second), std::vector<int>{64});
}

TEST_F(BaselineSizes, OfAFormatThatStatesThemAreNotAsked) {
  Workbench workbench{catalogue::standard()};
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  workbench.pin_baseline();
  EXPECT_FALSE(workbench.baseline_records().front().sizes);
  ASSERT_TRUE(save(workbench, session));
  Workbench second{catalogue::standard()};
  second.open_session(session);
  ASSERT_TRUE(wait_until([&] { return second.network() != nullptr; }));
  ASSERT_TRUE(settled(second));
  ASSERT_EQ(second.baselines().entries.size(), 1u);
  EXPECT_TRUE(second.baselines().entries.front().result->run) << second.messages().text();
}

}  // namespace
}  // namespace convscope::ui::test
