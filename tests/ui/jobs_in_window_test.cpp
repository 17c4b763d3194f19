// Jobs where the window uses them: files that never answer, pictures under a burst, ends while work runs.

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <fstream>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/made/catalogues.h"
#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"
#include "tests/ui/sweeping.h"
#include "ui/document/baselines.h"
#include "ui/document/exploration/space_check.h"
#include "ui/export/report_job.h"
#include "ui/jobs/threads.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/published_figures/figure_maker.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

using namespace std::chrono_literals;

constexpr qint64 longest_destruction = 50;  ///< milliseconds

/// A file that never answers whoever opens it, until this goes.
class SilentFile {
 public:
  explicit SilentFile(const QString& path) : path_(path.toLocal8Bit()) {
    EXPECT_EQ(mkfifo(path_.constData(), 0600), 0);
  }
  ~SilentFile() {
    // Whoever waits for a writer finds one, and an empty file.
    while (!wait_for_threads(1ms)) {
      const int end = open(path_.constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      if (end >= 0) close(end);
    }
  }

 private:
  QByteArray path_;
};

/// A format whose files name another one, which is read as well, whatever it is.
catalogue::Reader referring_reader() {
  static constexpr std::string_view mark = "see ";
  catalogue::Reader reader;
  reader.format = {"referring", "Reference to a file", "*.see"};
  reader.recognizes = [](std::string_view content) { return content.starts_with(mark); };
  reader.read = [](const MappedFile& file, const std::string& path,
                   Diagnostics& diagnostics) -> std::optional<network::Network> {
    std::ifstream(std::string(file.bytes().substr(mark.size()))).get();
    diagnostics.error({path, 0, {}}, "there is nothing in it");
    return std::nullopt;
  };
  return reader;
}

class JobsInWindowTest : public testing::Test {
 protected:
  ~JobsInWindowTest() override { EXPECT_TRUE(wait_for_threads(1min)); }

  std::unique_ptr<Workbench> made_up_workbench() {
    catalogue::Catalogue known = *made::catalogue_of({target});
    known.readers.insert(known.readers.begin(), referring_reader());
    return std::make_unique<Workbench>(std::make_shared<const catalogue::Catalogue>(std::move(known)));
  }
  /// A network's file that never answers: pipes are refused before they are read, so it names one.
  QString network_that_sees(const QString& path) {
    QFile file(folder.filePath("network.see"));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("see " + path.toLocal8Bit());
    return file.fileName();
  }
  template <typename Owner>
  static qint64 milliseconds_to_destroy(std::unique_ptr<Owner>& owner) {
    QElapsedTimer clock;
    clock.start();
    owner.reset();
    return clock.elapsed();
  }

  std::shared_ptr<MadeUpTarget> target = std::make_shared<MadeUpTarget>();
  QTemporaryDir folder;
};

TEST_F(JobsInWindowTest, AFileThatNeverAnswersCanBeCancelledAndDelaysNoOther) {
  const QString path = folder.filePath("silent.xml");
  const SilentFile silent(path);
  const QString network = network_that_sees(path);
  auto workbench = made_up_workbench();
  workbench->open_network(network);
  EXPECT_TRUE(workbench->busy());
  QTest::qWait(20);
  workbench->cancel();
  EXPECT_FALSE(workbench->busy());
  QElapsedTimer clock;
  clock.start();
  ASSERT_TRUE(open_and_wait(*workbench, sample("speed_sign")));
  EXPECT_LT(clock.elapsed(), 5000);
  // Likewise without cancelling it, and for a session.
  workbench->open_network(network);
  workbench->open_session(path);
  ASSERT_TRUE(open_and_wait(*workbench, sample("face_detection")));
  workbench->open_network(network);
  QTest::qWait(20);
  EXPECT_LT(milliseconds_to_destroy(workbench), longest_destruction);
}

TEST_F(JobsInWindowTest, APresetThatNeverAnswersDelaysNoNetwork) {
  const QString path = folder.filePath("silent.xml");
  const SilentFile silent(path);
  auto workbench = made_up_workbench();
  workbench->load_preset(path);
  ASSERT_TRUE(open_and_wait(*workbench, sample("speed_sign")));
}

TEST_F(JobsInWindowTest, ABaselineThatNeverAnswersHoldsBackNoOther) {
  const QString path = folder.filePath("silent.xml");
  const SilentFile silent(path);
  auto workbench = made_up_workbench();
  ASSERT_TRUE(open_and_wait(*workbench, sample("speed_sign")));
  std::vector<BaselineRecord> records;
  const QString silent_network = network_that_sees(path);
  for (const QString& file : {silent_network, sample("face_detection"), silent_network})
    records.push_back({QStringLiteral("baseline %1").arg(records.size()), workbench->settings(), file});
  Diagnostics diagnostics;
  ASSERT_TRUE(records.back().settings.values.set("lanes", "2", diagnostics)) << diagnostics.text();
  workbench->restore_baselines(records, 1);
  ASSERT_TRUE(wait_until([&] { return workbench->baselines().entries[1].result->run != nullptr; }));
  EXPECT_TRUE(workbench->baselines().entries[0].pending());
  EXPECT_TRUE(workbench->baselines().entries[2].pending());
  EXPECT_TRUE(wait_until([&] { return target->waiting > 0; })) << "nor the levels that charts show";
  EXPECT_LT(milliseconds_to_destroy(workbench), longest_destruction);
}

/// Threads of this process.
qsizetype threads() {
  return QDir("/proc/self/task").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
}

class SpaceCheckTest : public JobsInWindowTest {
 protected:
  void expect_delays_no_other(SweepSetup waits);

  std::unique_ptr<Workbench> workbench = made_up_workbench();
  const SweepSetup answers = setup_for(workbench->settings(), sample("face_detection"), std::nullopt);
  const QString path = folder.filePath("silent.xml");
};

void SpaceCheckTest::expect_delays_no_other(SweepSetup waits) {
  const SilentFile silent(path);
  SpaceCheck check(workbench->catalogue());
  int checked = 0;
  bool ready = false;
  QObject::connect(&check, &SpaceCheck::checked, [&](const CheckedSpace& result) {
    ++checked;
    ready = result.ready();
  });
  check.check(answers);
  ASSERT_TRUE(wait_until([&] { return checked == 1; }));
  EXPECT_TRUE(ready);
  const qsizetype before = threads();
  for (int typed = 0; typed < 5; ++typed) {
    waits.draft.title += "x";
    check.check(waits);
    QTest::qWait(200);  // longer than a pause in typing
    EXPECT_TRUE(check.busy());
  }
  // Of those that were superseded one is left, which reads; the newest waits for it.
  EXPECT_TRUE(wait_until([&] { return threads() <= before + 2; }));
  EXPECT_EQ(checked, 1);
  check.check(answers);
  EXPECT_TRUE(wait_until([&] { return checked == 2; }));
  EXPECT_TRUE(wait_until([&] { return threads() <= before + 1; }));
}

TEST_F(SpaceCheckTest, ANetworkThatNeverAnswersDelaysNoOtherSpaceAndHoldsOneThread) {
  SweepSetup waits = answers;
  waits.draft.networks.front().file = network_that_sees(path).toStdString();
  expect_delays_no_other(waits);
}

TEST_F(SpaceCheckTest, APresetThatIsAPipeIsRefusedNotWaitedFor) {
  const SilentFile silent(path);
  SweepSetup piped = answers;
  piped.draft.machines.front().presets = {path.toStdString()};
  SpaceCheck check(workbench->catalogue());
  std::optional<bool> ready;
  QObject::connect(&check, &SpaceCheck::checked, [&](const CheckedSpace& result) { ready = result.ready(); });
  check.check(piped);
  ASSERT_TRUE(wait_until([&] { return ready.has_value(); }));
  EXPECT_FALSE(*ready);
}

TEST_F(JobsInWindowTest, NoBurstOfChangesPilesUpPictures) {
  auto workbench = made_up_workbench();
  ASSERT_TRUE(open_and_wait(*workbench, sample("speed_sign")));
  constexpr auto slow = 25ms;
  CanvasPanel panel(*workbench, nullptr, [slow](const Snapshot&) -> std::unique_ptr<CanvasPainter> {
    std::this_thread::sleep_for(slow);
    return std::make_unique<MessagePainter>(QStringLiteral("slow"));
  });
  int shown = 0;
  panel.on_painter = [&] { ++shown; };
  panel.show();
  ASSERT_TRUE(wait_until([&] { return panel.idle(); }));
  const std::int64_t before = panel.preparations();
  shown = 0;
  QElapsedTimer clock;
  clock.start();
  for (int change = 0; change < 200; ++change) {
    emit workbench->changed(Change::results);
    QTest::qWait(2);
  }
  const auto most = clock.elapsed() / slow.count() + 1;
  EXPECT_GE(shown, 3) << "the picture changes meanwhile";
  EXPECT_LE(panel.preparations() - before, most);
  ASSERT_TRUE(wait_until([&] { return panel.idle(); }));
  EXPECT_LE(panel.preparations() - before, most + 1) << "nothing was left to be worked off";
}

TEST_F(JobsInWindowTest, AnotherWayToPrepareAPictureStopsTheOneBefore) {
  auto workbench = made_up_workbench();
  ASSERT_TRUE(open_and_wait(*workbench, sample("speed_sign")));
  const auto message = [](const QString& text) { return std::make_unique<MessagePainter>(text); };
  CanvasPanel panel(*workbench, nullptr, [message](const Snapshot&) { return message("first"); });
  panel.show();
  ASSERT_TRUE(wait_until([&] { return panel.idle(); }));
  const auto waits = std::make_shared<std::atomic<bool>>(false), stopped = std::make_shared<std::atomic<bool>>(false);
  panel.set_prepare([=](const Snapshot&, const std::stop_token& stop) -> std::unique_ptr<CanvasPainter> {
    *waits = true;
    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
    *stopped = true;
    return message("stopped");
  });
  ASSERT_TRUE(wait_until([&] { return waits->load(); }));
  int shown = 0;
  panel.on_painter = [&] { ++shown; };
  panel.set_prepare([message](const Snapshot&) { return message("last"); });
  ASSERT_TRUE(wait_until([&] { return panel.idle(); }));
  EXPECT_TRUE(*stopped);
  EXPECT_EQ(shown, 1);
}

TEST_F(JobsInWindowTest, NoOwnerWaitsForItsWork) {
  auto workbench = made_up_workbench();
  workbench->set_level("slow");
  workbench->open_network(sample("speed_sign"));
  ASSERT_TRUE(wait_until([&] { return target->waiting > 0; }));
  EXPECT_LT(milliseconds_to_destroy(workbench), longest_destruction) << "a workbench that compiles";

  workbench = made_up_workbench();
  const auto space = space_of(*workbench, made_up_space("<parameter name='lanes' from='1' to='64'/>", "slow"));
  workbench->exploration().start_sweep({space, {}, {}, 0});
  ASSERT_TRUE(wait_until([&] { return target->waiting > 0; }));
  EXPECT_LT(milliseconds_to_destroy(workbench), longest_destruction) << "a workbench that sweeps";

  auto maker = std::make_unique<FigureMaker>(catalogue::standard());
  int news = 0;
  QObject::connect(maker.get(), &FigureMaker::progress_changed, [&] { ++news; });
  maker->make("nve-table5");
  EXPECT_LT(milliseconds_to_destroy(maker), longest_destruction) << "a figure that is being made";
  EXPECT_EQ(news, 0);

  workbench = std::make_unique<Workbench>(catalogue::standard());
  ASSERT_TRUE(open_and_wait(*workbench, sample("face_detection")));
  auto report = std::make_unique<ReportJob>(ReportContent{workbench->snapshot(), workbench->machine(),
                                                          workbench->preset(), workbench->messages(), view_entries()},
                                            folder.filePath("report.pdf"), nullptr);
  QTest::qWait(30);
  EXPECT_LT(milliseconds_to_destroy(report), longest_destruction) << "a report that is being written";
}

}  // namespace
}  // namespace convscope::ui::test
