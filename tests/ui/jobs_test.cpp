// Jobs: what is superseded stops, nothing piles up, and nobody waits for them.

#include <QElapsedTimer>
#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "tests/ui/session.h"
#include "ui/jobs/apart.h"
#include "ui/jobs/latest_job.h"
#include "ui/jobs/long_job.h"
#include "ui/jobs/picture_job.h"
#include "ui/jobs/read_job.h"
#include "ui/jobs/write_job.h"

namespace convscope::ui::test {
namespace {

using namespace std::chrono_literals;

constexpr qint64 longest_teardown = 50;  ///< milliseconds

/// What workers and tests share; outlives both.
struct Shared {
  std::atomic<int> running{0}, most{0}, stopped{0}, ended{0};
  std::atomic<bool> gate{false};

  /// Counts those that run at the same time.
  void enter() {
    const int now = ++running;
    int before = most;
    while (now > before && !most.compare_exchange_weak(before, now)) {
    }
  }
  void leave() {
    --running;
    ++ended;
  }
  /// Runs until the gate opens, or until it is stopped: throws Cancelled then.
  void wait_at_gate(const std::stop_token& stop) {
    enter();
    while (!gate && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
    if (stop.stop_requested()) ++stopped;
    leave();
    throw_if_stopped(stop);
  }
  /// Hangs until the gate opens, whoever stops it.
  void hang() {
    enter();
    while (!gate) std::this_thread::sleep_for(1ms);
    leave();
  }
};

class JobsTest : public testing::Test {
 protected:
  ~JobsTest() override {
    shared->gate = true;
    EXPECT_TRUE(wait_for_threads(1min));
  }

  std::shared_ptr<Shared> shared = std::make_shared<Shared>();
};

TEST_F(JobsTest, OfABurstOfQuestionsTheNewestAloneIsAnswered) {
  LatestJob job;
  std::vector<int> answers;
  for (int question = 0; question < 200; ++question) {
    job.start<int>(
        [shared = shared, question](const std::stop_token& stop) {
          if (question < 199) shared->wait_at_gate(stop);
          return question;
        },
        [&](int answer) { answers.push_back(answer); });
    if (question % 20 == 0) QTest::qWait(2);
  }
  EXPECT_TRUE(job.running());
  ASSERT_TRUE(wait_until([&] { return !job.running(); }));
  EXPECT_EQ(answers, std::vector<int>{199});
  EXPECT_EQ(job.started(), 200);
  EXPECT_LT(job.begun(), 30) << "those that waited were dropped";
  EXPECT_LE(shared->most, 1);
}

TEST_F(JobsTest, WhatIsForgottenNeverArrives) {
  LatestJob job;
  job.start<int>([](const std::stop_token&) { return 1; }, [](int) { FAIL() << "forgotten"; });
  job.forget();
  EXPECT_FALSE(job.running());
  ASSERT_TRUE(wait_for_threads(1min));
  QTest::qWait(20);
}

TEST_F(JobsTest, AJobMayGoDownWithItsOwnResult) {
  auto job = std::make_unique<LatestJob>();
  job->start<int>([](const std::stop_token&) { return 1; }, [&](int) { job.reset(); });
  EXPECT_TRUE(wait_until([&] { return job == nullptr; }));
}

TEST_F(JobsTest, ASlowPictureChangesWhileOneDrags) {
  int position = 0;
  std::vector<int> shown;
  PictureJob pictures([&]() -> PictureJob::Work {
    return [shared = shared, now = position, &shown](const Job&) {
      shared->enter();
      std::this_thread::sleep_for(30ms);
      shared->leave();
      return [now, &shown] { shown.push_back(now); };
    };
  });
  for (position = 1; position <= 100; ++position) {
    pictures.want();
    QTest::qWait(3);
  }
  position = 100;
  const std::size_t while_dragging = shown.size();
  EXPECT_GE(while_dragging, 3U) << "intermediate pictures";
  EXPECT_LT(while_dragging, 90U) << "one at a time";
  ASSERT_TRUE(wait_until([&] { return pictures.idle(); }));
  EXPECT_EQ(shown.back(), 100);
  EXPECT_EQ(shared->most, 1);
  EXPECT_EQ(pictures.begun(), static_cast<std::int64_t>(shown.size()));
}

TEST_F(JobsTest, APictureOfSomethingElseIsNotShown) {
  int subject = 1;
  std::vector<int> shown;
  PictureJob pictures([&]() -> PictureJob::Work {
    return [shared = shared, subject, &shown](const Job& job) {
      if (subject == 1) shared->wait_at_gate(job.stop());
      return [subject, &shown] { shown.push_back(subject); };
    };
  });
  pictures.want();
  ASSERT_TRUE(wait_until([&] { return shared->running == 1; }));
  subject = 2;
  pictures.want_instead();
  ASSERT_TRUE(wait_until([&] { return pictures.idle(); }));
  EXPECT_EQ(shown, std::vector<int>{2});
  EXPECT_EQ(shared->stopped, 1);
}

TEST_F(JobsTest, AReadThatHangsDelaysNoOther) {
  ReadJob reading;
  reading.start<int>(
      [shared = shared](const std::stop_token&) {
        shared->hang();
        return 1;
      },
      [](int) { FAIL() << "it was superseded"; });
  ASSERT_TRUE(wait_until([&] { return shared->running == 1; }));
  int read = 0;
  reading.start<int>([](const std::stop_token&) { return 2; }, [&](int result) { read = result; });
  ASSERT_TRUE(wait_until([&] { return read == 2; }));
  EXPECT_EQ(shared->running, 1) << "it still hangs";
  EXPECT_FALSE(reading.running());
}

TEST_F(JobsTest, ALongJobTellsHowFarItIsAndHowItEnded) {
  LongJob job;
  std::vector<int> news;
  bool cancelled = false;
  const auto work = [shared = shared, &news](const Job& each) -> Deliver {
    for (int i = 0; i < 3; ++i) each.tell([&news, i] { news.push_back(i); });
    shared->wait_at_gate(each.stop());
    return [&news] { news.push_back(100); };
  };
  job.start(work, [&] { cancelled = true; });
  ASSERT_TRUE(wait_until([&] { return news.size() == 3; }));
  job.stop();
  EXPECT_TRUE(job.running() && job.stopping());
  ASSERT_TRUE(wait_until([&] { return cancelled; }));
  EXPECT_FALSE(job.running());
  shared->gate = true;
  job.start(work, [] { FAIL() << "nobody cancelled it"; });
  ASSERT_TRUE(wait_until([&] { return !job.running(); }));
  EXPECT_EQ(news, (std::vector<int>{0, 1, 2, 0, 1, 2, 100}));
}

TEST_F(JobsTest, TwoLongJobsNeverRunAtTheSameTime) {
  LongJob job;
  int ended = 0;
  for (int i = 0; i < 5; ++i) {
    job.start([shared = shared, &ended](const Job& each) -> Deliver {
      shared->wait_at_gate(each.stop());
      return [&ended] { ++ended; };
    });
    QTest::qWait(5);
  }
  shared->gate = true;
  ASSERT_TRUE(wait_until([&] { return !job.running(); }));
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(shared->most, 1);
}

TEST_F(JobsTest, FilesAreWrittenInOrderEvenIfWhoAskedIsGone) {
  const auto written = std::make_shared<std::vector<int>>();
  {
    WriteJob writing;
    for (int i = 0; i < 50; ++i) {
      writing.start<int>(
          [shared = shared, written, i] {
            if (i == 0) shared->hang();
            written->push_back(i);
            return i;
          },
          [](int) { FAIL() << "nobody is there to hear it"; });
    }
  }
  EXPECT_FALSE(wait_for_threads(10ms));
  shared->gate = true;
  ASSERT_TRUE(wait_for_threads(1min));
  ASSERT_EQ(written->size(), 50U);
  for (int i = 0; i < 50; ++i) EXPECT_EQ((*written)[static_cast<std::size_t>(i)], i);
}

TEST_F(JobsTest, NobodyWaitsForWorkOnTheWindowsThread) {
  const auto hang = [shared = shared](const std::stop_token&) {
    shared->hang();
    return 0;
  };
  const auto refuse = [](int) { FAIL() << "nobody is there to hear it"; };
  QElapsedTimer clock;
  {
    LatestJob latest;
    ReadJob read;
    LongJob long_job;
    WriteJob write;
    PictureJob picture([&]() -> PictureJob::Work {
      return [hang](const Job& job) -> Deliver {
        hang(job.stop());
        return [] { FAIL() << "nobody looks at it"; };
      };
    });
    latest.start<int>(hang, refuse);
    read.start<int>(hang, refuse);
    long_job.start([hang](const Job& job) -> Deliver {
      hang(job.stop());
      return [] { FAIL() << "nobody is there to hear it"; };
    });
    write.start<int>([hang] { return hang({}); }, refuse);
    picture.want();
    ASSERT_TRUE(wait_until([&] { return shared->running == 5; }));
    clock.start();
  }
  EXPECT_LT(clock.elapsed(), longest_teardown);
  EXPECT_EQ(shared->running, 5);
  shared->gate = true;
  ASSERT_TRUE(wait_for_threads(1min));
  QTest::qWait(20);
}

TEST_F(JobsTest, AtTheEndOfTheProgramWorkIsAskedToStop) {
  LongJob job;
  job.start([shared = shared](const Job& each) -> Deliver {
    shared->wait_at_gate(each.stop());
    return {};
  });
  run_apart([shared = shared] { ++shared->ended; });
  EXPECT_EQ(end_jobs(7), 7);
  EXPECT_EQ(shared->running, 0);
  EXPECT_GE(shared->ended, 1);
}

}  // namespace
}  // namespace convscope::ui::test
