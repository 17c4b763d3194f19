// Background jobs: order of callbacks, superseding, cancelling, failing, and silence after the destructor.

#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "tests/core/engine/counting_target.h"

namespace convscope::engine::test {
namespace {

/// Writes down what a job's listener was told; asserts that calls never overlap and end with exactly one verdict.
class Record {
 public:
  JobListener listener() {
    JobListener result;
    result.layer_done = [this](int layer, const auto& compiled) {
      const Call call(*this);
      EXPECT_TRUE(compiled);
      layers_.push_back(layer);
    };
    result.progress = [this](double, const std::string&) { const Call call(*this); };
    result.finished = [this](std::shared_ptr<const CompiledNetwork> compiled) {
      const Call call(*this);
      compiled_ = std::move(compiled);
      ++verdicts_;
    };
    result.cancelled = [this] {
      const Call call(*this);
      cancelled_ = true;
      ++verdicts_;
    };
    result.failed = [this](const std::string& text) {
      const Call call(*this);
      failure_ = text;
      ++verdicts_;
    };
    return result;
  }

  // Only to be read after Engine::wait() or its destructor, except calls() and verdicts().
  const std::vector<int>& layers() const { return layers_; }
  const std::shared_ptr<const CompiledNetwork>& compiled() const { return compiled_; }
  bool cancelled() const { return cancelled_; }
  const std::string& failure() const { return failure_; }
  int verdicts() const { return verdicts_; }
  int calls() const { return calls_; }

 private:
  struct Call {
    explicit Call(Record& owner) : record(owner) {
      EXPECT_FALSE(record.busy_.exchange(true)) << "two callbacks of one job at the same time";
      EXPECT_EQ(record.verdicts_, 0) << "a callback after the verdict";
      ++record.calls_;
    }
    ~Call() { record.busy_ = false; }
    Record& record;
  };

  std::atomic<bool> busy_ = false;
  std::atomic<int> verdicts_ = 0, calls_ = 0;
  std::vector<int> layers_;
  std::shared_ptr<const CompiledNetwork> compiled_;
  bool cancelled_ = false;
  std::string failure_;
};

class EngineTest : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Engine> engine(int threads) const {
    return std::make_unique<Engine>(make_executor(GetParam(), threads));
  }
  void slow(std::chrono::microseconds pass) { target_->pass_time = pass; }
  /// Until a compilation has started `count` layers.
  void await_start(std::size_t count = 1) const {
    while (target_->started().size() < count) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  std::shared_ptr<CountingTarget> target_ = std::make_shared<CountingTarget>();
};
INSTANTIATE_TEST_SUITE_P(Kinds, EngineTest, testing::ValuesIn(executor_kinds()),
                         [](const auto& kind) { return kind.param; });

TEST_P(EngineTest, FinishesWithEveryLayer) {
  Record record;
  const auto two_threads = engine(2);
  two_threads->submit(request_for(target_, 10), record.listener());
  two_threads->wait();
  ASSERT_TRUE(record.compiled());
  EXPECT_TRUE(record.compiled()->complete);
  EXPECT_EQ(record.layers().size(), 10u);
  EXPECT_EQ(record.verdicts(), 1);
  EXPECT_EQ(record.calls(), 10 + 10 + 1);
}

TEST_P(EngineTest, TellsOfTheVisibleLayerFirst) {
  Record record;
  const auto one_thread = engine(1);
  Request request = request_for(target_, 5);
  request.visible_layer = 4;
  one_thread->submit(request, record.listener());
  one_thread->wait();
  EXPECT_EQ(record.layers(), (std::vector<int>{4, 0, 1, 2, 3}));
}

TEST_P(EngineTest, TellsOfALayerBeforeTheNextOneStarts) {
  const auto one_thread = engine(1);
  std::vector<std::size_t> started_then;
  JobListener listener;
  listener.layer_done = [&](int, const auto&) { started_then.push_back(target_->started().size()); };
  one_thread->submit(request_for(target_, 4), listener);
  one_thread->wait();
  EXPECT_EQ(started_then, (std::vector<std::size_t>{1, 2, 3, 4}));
}

TEST_P(EngineTest, IdsAscend) {
  const auto two_threads = engine(2);
  const auto first = two_threads->submit(request_for(target_, 2), {});
  const auto second = two_threads->submit(request_for(target_, 2), {});
  EXPECT_GT(first, 0u);
  EXPECT_GT(second, first);
}

TEST_P(EngineTest, ASubmissionSupersedesTheOneBefore) {
  Record old_record, new_record;
  slow(std::chrono::seconds(60));
  const auto two_threads = engine(2);
  two_threads->submit(request_for(target_, 3), old_record.listener());
  await_start();
  const auto quick = std::make_shared<CountingTarget>();
  two_threads->submit(request_for(quick, 3), new_record.listener());
  two_threads->wait();
  EXPECT_TRUE(old_record.cancelled());
  EXPECT_EQ(old_record.calls(), 1);
  EXPECT_TRUE(new_record.compiled());
  EXPECT_EQ(new_record.verdicts(), 1);
}

TEST_P(EngineTest, SubmittingDoesNotWaitForARunningCallback) {
  const auto two_threads = engine(2);
  std::atomic<bool> in_callback = false, release = false;
  JobListener blocked;
  blocked.finished = [&](const auto&) {
    in_callback = true;
    while (!release) std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  two_threads->submit(request_for(target_, 1), blocked);
  while (!in_callback) std::this_thread::sleep_for(std::chrono::microseconds(100));
  Record record;
  two_threads->submit(request_for(target_, 2), record.listener());  // would hang here
  release = true;
  two_threads->wait();
  EXPECT_TRUE(record.compiled());
}

TEST_P(EngineTest, CancelIsAnswered) {
  Record record;
  slow(std::chrono::seconds(60));
  const auto two_threads = engine(2);
  two_threads->submit(request_for(target_, 3), record.listener());
  await_start();
  two_threads->cancel();
  two_threads->wait();
  EXPECT_TRUE(record.cancelled());
  EXPECT_EQ(record.verdicts(), 1);
}

TEST_P(EngineTest, CancellingNothingIsHarmless) {
  const auto two_threads = engine(2);
  two_threads->cancel();
  two_threads->wait();
  Record record;
  two_threads->submit(request_for(target_, 2), record.listener());
  two_threads->wait();
  two_threads->cancel();
  EXPECT_TRUE(record.compiled());
  EXPECT_FALSE(record.cancelled());
}

TEST_P(EngineTest, ACancelledJobLeavesTheCacheUsable) {
  Record cancelled, finished;
  slow(std::chrono::seconds(60));
  const auto two_threads = engine(2);
  two_threads->submit(request_for(target_, 3), cancelled.listener());
  await_start();
  two_threads->cancel();
  two_threads->wait();
  slow(std::chrono::microseconds(0));
  two_threads->submit(request_for(target_, 3), finished.listener());
  two_threads->wait();
  EXPECT_TRUE(finished.compiled());
}

TEST_P(EngineTest, AnExceptionBecomesAFailure) {
  Record record;
  target_->failing_layer = 1;
  const auto two_threads = engine(2);
  two_threads->submit(request_for(target_, 3), record.listener());
  two_threads->wait();
  EXPECT_EQ(record.failure(), "made-up failure");
  EXPECT_EQ(record.verdicts(), 1);

  Record next;
  target_->failing_layer = -1;
  two_threads->submit(request_for(target_, 3), next.listener());
  two_threads->wait();
  EXPECT_TRUE(next.compiled());
}

TEST_P(EngineTest, ACallbackMaySubmit) {
  Record record;
  const auto two_threads = engine(2);
  JobListener first;
  first.finished = [&](const auto&) { two_threads->submit(request_for(target_, 2), record.listener()); };
  two_threads->submit(request_for(target_, 2), first);
  two_threads->wait();
  EXPECT_TRUE(record.compiled());
}

TEST_P(EngineTest, MemoizesAcrossJobs) {
  const auto two_threads = engine(2);
  for (int run = 0; run < 3; ++run) {
    two_threads->submit(request_for(target_, 6), {});
    two_threads->wait();
  }
  EXPECT_EQ(target_->schedules(), 6);
}

TEST_P(EngineTest, NoCallbackAfterTheDestructor) {
  for (int run = 0; run < 30; ++run) {
    Record record;
    slow(std::chrono::microseconds(200));
    {
      const auto two_threads = engine(2);
      two_threads->submit(request_for(target_, 20), record.listener());
      std::this_thread::sleep_for(std::chrono::microseconds(run * 50));
    }
    const int calls = record.calls();
    EXPECT_EQ(record.verdicts(), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(record.calls(), calls);
  }
}

TEST_P(EngineTest, SurvivesStormsOfSubmissionsAndCancellations) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto draw = [&](unsigned count) { return random() % count; };
    const auto storm_target = std::make_shared<CountingTarget>();
    storm_target->pass_time = std::chrono::microseconds(draw(300));
    std::vector<std::unique_ptr<Record>> records;
    Record last;
    {
      Engine storm(make_executor(GetParam(), 1 + static_cast<int>(draw(4))), make_memory_cache(1 + draw(50)));
      for (int step = 0; step < 80; ++step) {
        Request request = request_for(storm_target, 1 + static_cast<int>(draw(12)));
        request.visible_layer = static_cast<int>(draw(12));
        request.machine.set_at(draw(2), 1 + static_cast<double>(draw(6)));
        records.push_back(std::make_unique<Record>());
        storm.submit(request, records.back()->listener());
        if (draw(4) == 0) storm.cancel();
        if (draw(3) != 0) std::this_thread::sleep_for(std::chrono::microseconds(draw(2000)));
      }
      storm.submit(request_for(storm_target, 12), last.listener());
      storm.wait();
    }
    for (const auto& record : records) {
      EXPECT_EQ(record->verdicts(), 1);
      EXPECT_NE(record->cancelled(), static_cast<bool>(record->compiled()));
      if (record->compiled()) {
        EXPECT_TRUE(record->compiled()->complete);
      }
    }
    EXPECT_TRUE(last.compiled());
  }
}

TEST_P(EngineTest, SubmissionsFromManyThreads) {
  std::vector<std::unique_ptr<Record>> records(40);
  for (auto& record : records) record = std::make_unique<Record>();
  const auto two_threads = engine(2);
  {
    std::vector<std::jthread> threads;
    for (std::size_t first : {0u, 10u, 20u, 30u}) {
      threads.emplace_back([&, first] {
        for (std::size_t i = first; i < first + 10; ++i)
          two_threads->submit(request_for(target_, 5), records[i]->listener());
      });
    }
  }
  two_threads->wait();
  for (const auto& record : records) EXPECT_EQ(record->verdicts(), 1);
}

}  // namespace
}  // namespace convscope::engine::test
