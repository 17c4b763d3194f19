// Passes over a whole network, a linked program, a quick level first, and measurements: with a made-up target.

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "core/engine/measure.h"
#include "tests/core/engine/counting_target.h"
#include "tests/made/mill/mill_target.h"

namespace convscope::engine::test {
namespace {

using std::chrono::milliseconds;

Request mill_request(int layers, milliseconds fine_time = {}) {
  const auto target = made::make_mill(fine_time);
  return Request{.network = made_up_network(layers),
                 .target = target,
                 .machine = arch::ParameterValues(target->machine()),
                 .level = "fine",
                 .preset = "",
                 .only_layers = {}};
}

double seconds_of(const CompiledNetwork& compiled) {
  double seconds = 0;
  for (const auto& layer : compiled.layers) seconds += layer->metrics().seconds.value;
  return seconds;
}

TEST(WholeNetwork, IsPreparedAndLinked) {
  const auto executor = make_thread_executor(2);
  const auto cache = make_memory_cache();
  const CompiledNetwork compiled = compile(mill_request(5), *executor, *cache);
  ASSERT_TRUE(compiled.plan);
  ASSERT_TRUE(compiled.linked);
  EXPECT_EQ(compiled.layers, compiled.linked->layers());
  EXPECT_EQ(compiled.total.cycles.value, compiled.linked->metrics().cycles.value);
  EXPECT_NEAR(compiled.total.seconds.value, seconds_of(compiled), 1e-12);
  EXPECT_EQ(compiled.linked->timeline(0)->sections().size(), 5u);
  EXPECT_EQ(static_cast<double>(compiled.linked->timeline(0)->length()), compiled.total.cycles.value);
  EXPECT_EQ(compile(mill_request(5), *executor, *cache).plan, compiled.plan) << "memoized";
}

TEST(WholeNetwork, IsNotLinkedFromSomeOfItsLayers) {
  const auto executor = make_thread_executor(1);
  const auto cache = make_memory_cache();
  Request request = mill_request(5);
  request.only_layers = {1, 3};
  const CompiledNetwork compiled = compile(request, *executor, *cache);
  EXPECT_TRUE(compiled.plan);
  EXPECT_FALSE(compiled.linked);
  EXPECT_FALSE(compiled.complete);
  EXPECT_GT(compiled.total.cycles.value, 0);
}

TEST(WholeNetwork, NeedsNeitherPlanNorLinkedProgram) {
  const auto executor = make_thread_executor(1);
  const auto cache = make_memory_cache();
  const CompiledNetwork compiled = compile(request_for(std::make_shared<CountingTarget>(), 3), *executor, *cache);
  EXPECT_FALSE(compiled.plan);
  EXPECT_FALSE(compiled.linked);
}

/// What a job told, in its order: "layer coarse", "quick", "layer fine", "finished", "cancelled".
struct Told {
  std::mutex mutex;
  std::vector<std::string> words;
  std::shared_ptr<const CompiledNetwork> quick, finished;

  void say(const std::string& word) {
    const std::lock_guard lock(mutex);
    if (words.empty() || words.back() != word) words.push_back(word);
  }
  bool knows(const std::string& word) {
    const std::lock_guard lock(mutex);
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  JobListener listener() {
    JobListener result;
    result.layer_done = [this](int, const std::shared_ptr<const target::CompiledLayer>& layer) {
      say("layer " + std::string(layer->metrics().text("grist")));
    };
    result.quick = [this](std::shared_ptr<const CompiledNetwork> compiled) {
      quick = std::move(compiled);
      say("quick");
    };
    result.finished = [this](std::shared_ptr<const CompiledNetwork> compiled) {
      finished = std::move(compiled);
      say("finished");
    };
    result.cancelled = [this] { say("cancelled"); };
    return result;
  }
};

TEST(QuickFirst, BothAreCompleteResultsOfTheirLevels) {
  Told told;
  Engine engine(make_thread_executor(2));
  Request request = mill_request(4);
  request.quick_level = "coarse";
  engine.submit(request, told.listener());
  engine.wait();
  EXPECT_EQ(told.words, (std::vector<std::string>{"layer groats", "quick", "layer flour", "finished"}));
  ASSERT_TRUE(told.quick && told.finished);
  EXPECT_EQ(told.quick->level, "coarse");
  EXPECT_EQ(told.finished->level, "fine");
  EXPECT_TRUE(told.quick->complete && told.finished->complete);
  EXPECT_TRUE(told.quick->linked);
  EXPECT_GT(told.quick->total.cycles.value, told.finished->total.cycles.value);
}

TEST(QuickFirst, IsThereLongBeforeTheBetterOne) {
  Told told;
  Engine engine(make_thread_executor(1));
  Request request = mill_request(4, std::chrono::minutes(10));
  request.quick_level = "coarse";
  engine.submit(request, told.listener());
  while (!told.knows("quick")) std::this_thread::sleep_for(milliseconds(1));
  engine.cancel();
  engine.wait();
  EXPECT_EQ(told.words, (std::vector<std::string>{"layer groats", "quick", "cancelled"}));
  EXPECT_TRUE(told.quick->complete);
}

TEST(Measurement, IsInOrderAndStopsBetweenLayers) {
  const auto cache = make_memory_cache();
  Request request = mill_request(4);
  request.only_layers = {1, 2, 3};
  const target::OptionValues options(request.target->measurement_tools()->options());
  Diagnostics diagnostics;
  std::stop_source stop;
  int told = 0;
  const auto progress = [&](double, const std::string&) {
    if (++told == 3) stop.request_stop();
  };
  const Measurement measured = measure(request, options, *cache, stop.get_token(), progress, diagnostics);
  EXPECT_TRUE(measured.stopped);
  ASSERT_EQ(measured.layers.size(), 2u);
  EXPECT_EQ(measured.layers[0].layer, 1);
  ASSERT_EQ(measured.layers[0].observations.size(), 1u);
  EXPECT_EQ(measured.layers[0].observations[0].value.origin, Origin::measured);
}

/// A mill at which two measurements must never meet.
class Scales : public target::MeasurementTools {
 public:
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  std::vector<artifact::Observation> measure(const target::CompileRequest&, const target::OptionValues&,
                                             const std::stop_token&, Diagnostics&) const override {
    if (++inside > 1) met = true;
    std::this_thread::sleep_for(milliseconds(2));
    --inside;
    return {};
  }
  mutable std::atomic<int> inside{0};
  mutable std::atomic<bool> met{false};

 private:
  std::vector<target::OptionDescription> options_;
};

class MeasuringTarget : public CountingTarget {
 public:
  const target::MeasurementTools* measurement_tools() const override { return &scales; }
  Scales scales;
};

TEST(Measurement, OneAtATimeInAProcess) {
  const auto target = std::make_shared<MeasuringTarget>();
  const auto measure_all = [&] {
    Diagnostics diagnostics;
    const auto cache = make_memory_cache();
    const target::OptionValues options({});
    EXPECT_EQ(measure(request_for(target, 5), options, *cache, {}, {}, diagnostics).layers.size(), 5u);
  };
  { const std::jthread first(measure_all), second(measure_all), third(measure_all); }
  EXPECT_FALSE(target->scales.met);
}

}  // namespace
}  // namespace convscope::engine::test
