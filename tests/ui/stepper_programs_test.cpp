// The stepper on programs that were compiled: the window's pixels on the image, causes of idleness, and what every
// machine's blocks look like.

#include <set>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "tests/ui/views_fixture.h"
#include "ui/views/program/stepper/stepper_painter.h"

namespace convscope::ui::test {
namespace {

class StepperOn : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    workbench.set_target(GetParam());
    ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
    ASSERT_EQ(workbench.target()->id(), GetParam());
    workbench.select({1, 0});
  }
  std::unique_ptr<CanvasPainter> at(std::int64_t cycle) {
    Snapshot snapshot = workbench.snapshot();
    snapshot.selection.cycle = cycle;
    return make_stepper_canvas(snapshot, {}, &shelf, {});
  }

  Workbench workbench{catalogue::standard()};
  TraceShelf shelf;
};

TEST_P(StepperOn, EveryCycleShowsWhatTheTraceHas) {
  const auto first = at(-1);
  const auto* painter = dynamic_cast<const StepperPainter*>(first.get());
  ASSERT_NE(painter, nullptr);
  const auto trace = painter->scene().trace;
  ASSERT_GT(trace->cycles(), 100);
  for (const std::int64_t cycle : {std::int64_t{0}, trace->cycles() / 3, trace->cycles() / 2, trace->cycles() - 1}) {
    const auto canvas = at(cycle);
    const StepperScene& scene = dynamic_cast<const StepperPainter&>(*canvas).scene();
    EXPECT_EQ(scene.cycle, cycle);
    EXPECT_EQ(scene.changes, trace->changes(cycle));
    for (const StepperBlock& block : scene.blocks) {
      for (const StepperLine& line : block.lines) {
        const auto values = trace->values(cycle, block.block, line.first, static_cast<std::int64_t>(line.cells.size()));
        for (std::size_t i = 0; i < line.cells.size(); ++i)
          ASSERT_EQ(line.cells[i].text.toStdString(), artifact::state_text(scene.schema(block.block), values, i));
      }
    }
    for (const StepperUnit& unit : scene.units) EXPECT_FALSE(unit.text.isEmpty()) << unit.name.toStdString();
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, StepperOn, testing::Values("nve", "snowflake"),
                         [](const auto& each) { return std::string(each.param); });

class StepperWindow : public StepperOn {};

TEST_P(StepperWindow, ShowsTheWindowOnTheImage) {
  const auto first = at(-1);
  const std::int64_t cycles = dynamic_cast<const StepperPainter&>(*first).scene().trace->cycles();
  std::set<int> lanes;
  std::size_t held = 0;
  bool busy = false;
  for (std::int64_t i = 0; i < 24; ++i) {
    const auto canvas = at(i * cycles / 24);
    const StepperScene& scene = dynamic_cast<const StepperPainter&>(*canvas).scene();
    for (const StepperPicture& picture : scene.pictures) {
      for (const StepperPixel& pixel : picture.pixels) {
        held += pixel.held ? 1u : 0u;
        if (pixel.lane >= 0) lanes.insert(pixel.lane);
      }
    }
    busy = busy || std::any_of(scene.units.begin(), scene.units.end(),
                               [](const StepperUnit& unit) { return unit.activity == artifact::UnitActivity::busy; });
  }
  EXPECT_GT(held, 0u);
  EXPECT_GT(lanes.size(), 0u);
  EXPECT_TRUE(busy);
}

INSTANTIATE_TEST_SUITE_P(Targets, StepperWindow, testing::Values("nve", "snowflake"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace convscope::ui::test
