// A tiling by hand that takes long: the next one stops it.

#include <QLabel>
#include <QSpinBox>
#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "tests/ui/tiling_layers.h"
#include "ui/jobs/threads.h"
#include "ui/views/layer/tiling/tiling_widget.h"

namespace convscope::ui::test {
namespace {

using namespace std::chrono_literals;
using Sizes = std::vector<std::int64_t>;

/// How often tilings were asked for, and how often one was stopped.
struct Calls {
  std::atomic<int> begun{0}, stopped{0};
};

/// One strategy of one size. A size of `slow` takes until it is stopped.
class PatientTools : public target::TilingTools {
 public:
  static constexpr std::int64_t chosen = 4, slow = 3;

  explicit PatientTools(std::shared_ptr<Calls> calls) : calls_(std::move(calls)) {}

  std::vector<std::string> strategies() const override { return {"patient"}; }
  target::Alternative best(const std::string&, const std::stop_token&) const override { return of(chosen); }
  target::Alternative evaluate(const std::string&, const Sizes& sizes, const std::stop_token& stop) const override {
    ++calls_->begun;
    if (sizes.front() != slow) return of(sizes.front());
    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
    ++calls_->stopped;
    throw Cancelled();
  }

 private:
  static target::Alternative of(std::int64_t size) {
    target::Alternative result;
    result.strategy = "patient";
    result.sizes = {{"T", "rows", size, 8}};
    result.fits = true;
    result.chosen = size == chosen;
    return result;
  }

  std::shared_ptr<Calls> calls_;
};

/// Another layer with patient tools of its own.
class PatientLayer : public target::CompiledLayer {
 public:
  PatientLayer(std::shared_ptr<const target::CompiledLayer> layer, std::shared_ptr<Calls> calls)
      : layer_(std::move(layer)), calls_(std::move(calls)) {}

  const artifact::Metrics& metrics() const override { return layer_->metrics(); }
  const std::string& reason() const override { return layer_->reason(); }
  std::shared_ptr<const artifact::TilePlan> tile_plan() const override { return layer_->tile_plan(); }
  std::unique_ptr<const target::TilingTools> tiling_tools() const override {
    return std::make_unique<const PatientTools>(calls_);
  }

 private:
  std::shared_ptr<const target::CompiledLayer> layer_;
  std::shared_ptr<Calls> calls_;
};

/// Shows one picture that never changes.
class StillHost : public ViewHost {
 public:
  explicit StillHost(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}

  const Snapshot& snapshot() const override { return snapshot_; }
  const Theme& theme() const override { return light_theme(); }
  void select(const artifact::Ref&) override {}
  MachineActions& machines() override { return workbench_.machines(); }

 private:
  Snapshot snapshot_;
  Workbench workbench_{catalogue::standard()};
};

TEST(TilingJobs, TheNextTilingByHandStopsTheOneBefore) {
  const auto calls = std::make_shared<Calls>();
  Snapshot snapshot = nmp_snapshot("squeezenet_1_0", 0);
  auto run = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  run->layers[0] = std::make_shared<const PatientLayer>(run->layers[0], calls);
  snapshot.compiled = run;
  StillHost host(std::move(snapshot));
  TilingWidget widget(host, nullptr);
  widget.resize(1000, 760);
  widget.show();
  const auto box = [&] { return widget.findChild<QSpinBox*>("tiling-size-T"); };
  ASSERT_TRUE(wait_until([&] { return widget.settled() && box() && box()->value() == PatientTools::chosen; }));
  box()->setValue(PatientTools::slow);
  ASSERT_TRUE(wait_until([&] { return calls->begun == 1; }));
  box()->setValue(2);
  const auto result = [&] { return widget.findChild<QLabel*>("tiling-hand-result")->text(); };
  ASSERT_TRUE(wait_until([&] { return widget.settled() && result().startsWith("Fits"); })) << result().toStdString();
  EXPECT_EQ(calls->stopped, 1);
  EXPECT_EQ(calls->begun, 2);
  EXPECT_TRUE(wait_for_threads(1min));
}

}  // namespace
}  // namespace convscope::ui::test
