// What the stepper shows of one cycle: every value as the trace has it, marks, causes, maps; and its searches and keys.

#include <QTest>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/ui/made_up_target.h"
#include "tests/ui/made_up_trace.h"
#include "tests/ui/views_fixture.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/views/program/stepper/stepper_painter.h"
#include "ui/views/program/stepper/stepper_search.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

std::shared_ptr<const StepperScene> scene_at(std::int64_t cycle, std::int64_t compared = -1) {
  const MadeUpLayer layer;
  return make_stepper_scene({made_up_trace(), {0, 0}, cycle, compared, layer.timeline(0), layer.task_graph(0)});
}

const StepperBlock* block(const StepperScene& scene, int which) {
  for (const StepperBlock& each : scene.blocks)
    if (each.block == which) return &each;
  return nullptr;
}

const StepperPicture* picture(const StepperScene& scene, int which) {
  for (const StepperPicture& each : scene.pictures)
    if (each.block == which) return &each;
  return nullptr;
}

std::uint8_t marks(const StepperScene& scene, int which, std::int64_t index) {
  const StepperCell* cell = scene.cell({which, index});
  return cell == nullptr ? 0 : cell->marks;
}

TEST(StepperScene, EveryShownValueIsTheTraces) {
  for (const std::int64_t cycle : {0, 1, 2, 17, 30, 64, 65}) {
    const auto scene = scene_at(cycle, cycle % 2 == 0 ? 5 : -1);
    std::size_t shown = 0;
    for (const StepperBlock& each : scene->blocks) {
      const auto& about = scene->schema(each.block);
      for (const StepperLine& line : each.lines) {
        const auto count = static_cast<std::int64_t>(line.cells.size());
        const auto values = scene->trace->values(cycle, each.block, line.first, count);
        for (std::size_t i = 0; i < line.cells.size(); ++i, ++shown)
          EXPECT_EQ(line.cells[i].text.toStdString(), artifact::state_text(about, values, i)) << about.name;
      }
    }
    EXPECT_GT(shown, 37u);  // four lines of the buffer, and what else there is
  }
}

TEST(StepperScene, MarksWhatIsReadAndWritten) {
  const auto load = scene_at(15), mac = scene_at(16);
  EXPECT_EQ(marks(*load, made_up_registers, 1), mark::written);
  EXPECT_EQ(marks(*load, made_up_registers, 2), 0);
  EXPECT_EQ(marks(*mac, made_up_registers, 1), mark::read);
  EXPECT_EQ(marks(*mac, made_up_sum, 0), mark::written);
  EXPECT_EQ(load->touched().front(), (StepperPick{made_up_step, 0}));
}

TEST(StepperScene, LargeBlocksShowWhereSomethingHappens) {
  const auto scene = scene_at(15);  // reads word 100 of 512
  const StepperBlock* buffer = block(*scene, made_up_buffer);
  ASSERT_NE(buffer, nullptr);
  EXPECT_NE(scene->cell({made_up_buffer, 0}), nullptr);
  EXPECT_EQ(marks(*scene, made_up_buffer, 803), mark::read);
  EXPECT_EQ(scene->cell({made_up_buffer, 1600}), nullptr);
  EXPECT_GT(buffer->hidden, 3900);
  EXPECT_LT(buffer->lines.size(), 25u);
}

TEST(StepperScene, TellsWhatUnitsDoAndWhyTheyDont) {
  const auto scene = scene_at(17);
  ASSERT_EQ(scene->units.size(), 2u);
  EXPECT_EQ(scene->units[0].activity, artifact::UnitActivity::stalled);
  EXPECT_EQ(scene->units[0].text, "the port is taken");
  EXPECT_TRUE(scene->units[0].why.contains("LOAD works in 1 of the loop's 3 cycles"))
      << scene->units[0].why.toStdString();
  EXPECT_EQ(scene->units[1].text, "act");
  EXPECT_TRUE(scene->units[1].why.isEmpty());
  EXPECT_EQ(scene->instruction, "word 2");
}

TEST(StepperScene, EmptyPlacesOfAQueueAreLeftOut) {
  EXPECT_EQ(block(*scene_at(2), made_up_queue)->lines.size(), 1u);
  EXPECT_EQ(block(*scene_at(4), made_up_queue)->lines.size(), 2u);
  EXPECT_TRUE(block(*scene_at(6), made_up_queue)->lines.empty());
}

TEST(StepperScene, TheWindowsPixelsLieOnTheImageWithTheirLanes) {
  const auto scene = scene_at(15);
  EXPECT_EQ(block(*scene, made_up_window), nullptr) << "it is on the image";
  const StepperPicture* image = picture(*scene, made_up_image);
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(image->overview.size(), QSize(16, 24));
  EXPECT_TRUE(image->detail.contains(QRect(5, 4, 1, 5)));
  int held = 0;
  for (std::size_t i = 0; i < image->pixels.size(); ++i) {
    const int row = image->detail.top() + static_cast<int>(i) / image->detail.width();
    const int column = image->detail.left() + static_cast<int>(i) % image->detail.width();
    EXPECT_EQ(image->pixels[i].value, (row * 16 + column) % 256);
    EXPECT_EQ(image->pixels[i].held, column == 5 && row >= 4 && row < 9);
    EXPECT_EQ(image->pixels[i].lane, column == 5 && row >= 4 && row < 8 ? row - 4 : -1);
    held += image->pixels[i].held ? 1 : 0;
  }
  EXPECT_EQ(held, 5);
}

TEST(StepperScene, TheOutputGrows) {
  const auto computed = [](const StepperPicture& output) {
    int count = 0;
    for (int y = 0; y < output.overview.height(); ++y)
      for (int x = 0; x < output.overview.width(); ++x) count += qAlpha(output.overview.pixel(x, y)) > 0 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(computed(*picture(*scene_at(1), made_up_output)), 0);
  EXPECT_EQ(computed(*picture(*scene_at(2), made_up_output)), 1);
  EXPECT_EQ(computed(*picture(*scene_at(65), made_up_output)), 22);
}

TEST(StepperScene, ComparesTwoCycles) {
  const auto scene = scene_at(15, 12);  // step 4 loaded register 0, step 5 register 1
  EXPECT_EQ(scene->compared, 12);
  EXPECT_EQ(block(*scene, made_up_registers)->differing, 1);
  EXPECT_EQ(scene->cell({made_up_registers, 1})->before, "1");
  EXPECT_EQ(scene->cell({made_up_registers, 1})->text, "5");
  EXPECT_EQ(block(*scene, made_up_buffer)->differing, 0);
  EXPECT_EQ(scene_at(15, 15)->compared, -1) << "a cycle is like itself";
  EXPECT_EQ(scene_at(15, 1'000'000)->compared, -1);
}

TEST(StepperScene, CyclesOutsideAreMet) {
  EXPECT_EQ(scene_at(1'000'000)->cycle, made_up_cycles - 1);
  EXPECT_EQ(scene_at(-1)->cycle, 3) << "the steady state begins there";
}

TEST(StepperSearch, WhoWroteThisAndItsNextUse) {
  const auto scene = scene_at(16);
  const auto find = [&](StepperAct act, StepperPick pick) {
    const auto search = stepper_search(act, *scene, pick, std::nullopt);
    EXPECT_TRUE(search && search->impossible.isEmpty());
    return scene->trace->next(search->predicate, search->from, search->direction);
  };
  EXPECT_EQ(find(StepperAct::writer, {made_up_registers, 1}), 15);
  EXPECT_EQ(find(StepperAct::writer, {made_up_registers, 2}), 6);
  EXPECT_EQ(find(StepperAct::writer, {made_up_sum, 0}), 16) << "the cycle itself wrote it";
  EXPECT_EQ(find(StepperAct::writer, {made_up_buffer, 5}), std::nullopt);
  EXPECT_EQ(find(StepperAct::use, {made_up_registers, 1}), 28);
  EXPECT_EQ(find(StepperAct::use, {made_up_sum, 0}), 17);
  EXPECT_EQ(find(StepperAct::stall, {made_up_sum, 0}), 17);
  EXPECT_EQ(find(StepperAct::stall_back, {-1, 0}), 14);
  EXPECT_EQ(find(StepperAct::stall, {-1, 1}), std::nullopt) << "MAC is never stalled";
  EXPECT_EQ(find(StepperAct::idle, {-1, 1}), 18);
  EXPECT_EQ(find(StepperAct::iteration, {-1, 1}), 18);
  EXPECT_EQ(find(StepperAct::iteration_back, {-1, 1}), 14);
}

TEST(StepperSearch, WhatCantBeAskedForSaysWhatIsMissing) {
  const auto scene = scene_at(1);
  const auto words = [&](StepperAct act, std::optional<StepperPick> pick) {
    return stepper_search(act, *scene, pick, std::nullopt)->impossible;
  };
  EXPECT_TRUE(words(StepperAct::writer, std::nullopt).contains("Pick"));
  EXPECT_TRUE(words(StepperAct::use, StepperPick{-1, 0}).contains("Pick"));
  EXPECT_TRUE(words(StepperAct::iteration_back, std::nullopt).contains("No iteration"));
  EXPECT_TRUE(words(StepperAct::stop_here, std::nullopt).contains("breakpoint"));
  EXPECT_FALSE(stepper_search(StepperAct::step, *scene, std::nullopt, std::nullopt));
}

TEST(StepperSearch, BreakpointsHoldWhereTheySay) {
  const auto scene = scene_at(16);
  std::set<QString> names;
  for (const auto& pick : {StepperPick{made_up_registers, 1}, StepperPick{-1, 0}}) {
    for (const StepperStop& stop : stepper_stops(*scene, pick)) {
      EXPECT_FALSE(stop.name.isEmpty());
      names.insert(stop.name);
      if (stop.name == "registers[1] is read") {
        EXPECT_TRUE(stop.predicate.holds(scene->changes));
      }
      if (stop.name == "registers[1] is written" || stop.name == "LOAD is busy") {
        EXPECT_FALSE(stop.predicate.holds(scene->changes)) << stop.name.toStdString();
      }
    }
  }
  EXPECT_TRUE(names.contains("instruction 1"));
  EXPECT_TRUE(names.contains("registers[1] is read"));
  EXPECT_TRUE(names.contains("LOAD is stalled"));
}

TEST(StepperKeys, EachActHasOneKeyAndEachKeyOneAct) {
  std::set<StepperAct> acts;
  for (const StepperKey& key : stepper_keys()) {
    Qt::KeyboardModifiers modifiers;
    modifiers.setFlag(Qt::ShiftModifier, key.shift);
    modifiers.setFlag(Qt::ControlModifier, key.control);
    EXPECT_EQ(stepper_act(QKeyEvent(QEvent::KeyPress, key.key, modifiers)), key.act) << key.text.toStdString();
    EXPECT_TRUE(acts.insert(key.act).second) << key.text.toStdString();
    EXPECT_FALSE(key_text(key.act).isEmpty());
  }
  EXPECT_EQ(stepper_act(QKeyEvent(QEvent::KeyPress, Qt::Key_Period, Qt::NoModifier)), StepperAct::step);
  EXPECT_EQ(stepper_act(QKeyEvent(QEvent::KeyPress, Qt::Key_Comma, Qt::NoModifier)), StepperAct::step_back);
  EXPECT_EQ(stepper_act(QKeyEvent(QEvent::KeyPress, Qt::Key_W, Qt::ControlModifier)), std::nullopt);
  EXPECT_EQ(stepper_act(QKeyEvent(QEvent::KeyPress, Qt::Key_S, Qt::AltModifier)), std::nullopt);
  EXPECT_EQ(stepper_act(QKeyEvent(QEvent::KeyPress, Qt::Key_Plus, Qt::NoModifier)), std::nullopt) << "zooms";
}

TEST(StepperPainter, WhatIsPickedIsWhereItIsPainted) {
  StepperPainter painter(scene_at(15));
  const QRectF area(0, 0, 1400, 1200);
  painter.set_viewport({false, 1, {}});
  const Placement placed = place(painter.geometry(area), painter.viewport());
  for (const StepperPick& pick : {StepperPick{made_up_registers, 2}, StepperPick{made_up_buffer, 801},
                                  StepperPick{made_up_image, 16 * 5 + 5}, StepperPick{-1, 1}}) {
    const QRectF box = painter.layout().box_of(painter.scene(), pick);
    ASSERT_FALSE(box.isNull());
    EXPECT_EQ(painter.pick_at(placed.pixel(box).center(), area), pick);
    EXPECT_TRUE(painter.reading(placed.pixel(box).center(), area).startsWith(painter.scene().name(pick)));
  }
  EXPECT_EQ(painter.pick_at(QPointF(1390, 1190), area), std::nullopt);
  EXPECT_TRUE(
      painter.reading(placed.pixel(painter.layout().box_of(painter.scene(), {made_up_image, 85})).center(), area)
          .contains("lane 1"));
}

TEST(StepperPainter, TheBarLeadsToACycle) {
  const StepperPainter painter(scene_at(15));
  const QRectF area(0, 0, 800, 600);
  std::set<std::int64_t> cycles;
  for (double x = 0; x <= 800; x += 2)
    for (double y = 0; y < 90; y += 2)
      if (const auto ref = painter.hit(QPointF(x, y), area)) cycles.insert(ref->cycle);
  EXPECT_EQ(static_cast<std::int64_t>(cycles.size()), made_up_cycles);
  EXPECT_EQ(*cycles.begin(), 0);
  EXPECT_EQ(*cycles.rbegin(), made_up_cycles - 1);
}

TEST(StepperPainter, AnotherCycleIsAnotherPicture) {
  const StepperPainter painter(scene_at(15));
  artifact::Ref ref{0, 0};
  EXPECT_TRUE(painter.covers(ref, 0)) << "no cycle is selected";
  ref.cycle = 15;
  EXPECT_TRUE(painter.covers(ref, 0));
  EXPECT_FALSE(painter.covers(ref, 1));
  ref.cycle = 16;
  EXPECT_FALSE(painter.covers(ref, 0));
}

TEST(StepperView, TargetsWithoutTracesHaveNoContent) {
  class NoTools : public MadeUpTarget {
    const target::ProgramTools* program_tools() const override { return nullptr; }
  };
  Snapshot snapshot = made_up_snapshot();
  const ViewEntry& view = *find_view("stepper");
  EXPECT_TRUE(view.has_content(snapshot));
  EXPECT_TRUE(view.make_painter(snapshot)->has_content());
  auto run = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  run->target = std::make_shared<const NoTools>();
  snapshot.compiled = run;
  EXPECT_FALSE(view.has_content(snapshot));
  const auto painter = view.make_painter(snapshot);
  EXPECT_FALSE(painter->has_content());
  EXPECT_NE(dynamic_cast<MessagePainter*>(painter.get()), nullptr);
}

TEST(StepperView, RefusedProgramsSayWhy) {
  StepperSetting setting;
  setting.run["refuse"] = "the moon is full";
  const auto painter = make_stepper_canvas(made_up_snapshot(), setting, nullptr, {});
  const auto* message = dynamic_cast<MessagePainter*>(painter.get());
  ASSERT_NE(message, nullptr);
  EXPECT_TRUE(message->message().contains("the moon is full"));
  setting.run = {{"limit", "12"}};
  const auto refused = make_stepper_canvas(made_up_snapshot(), setting, nullptr, {});
  EXPECT_NE(dynamic_cast<MessagePainter*>(refused.get()), nullptr) << "12 is more than 9";
}

TEST(TraceShelf, RunsAProgramOnce) {
  const Snapshot snapshot = made_up_snapshot();
  const auto source = trace_source(snapshot);
  ASSERT_TRUE(source);
  const auto& tools = dynamic_cast<const MadeUpTarget&>(*snapshot.compiled->target).tools;
  TraceShelf shelf;
  EXPECT_TRUE(shelf.must_run(*source, {}));
  const auto first = shelf.open(*source, {}, {});
  EXPECT_FALSE(shelf.must_run(*source, {}));
  EXPECT_EQ(shelf.open(*source, {}, {}).trace, first.trace);
  EXPECT_EQ(tools.opened, 1);
  EXPECT_TRUE(shelf.must_run(*source, {{"limit", "2"}}));
  TraceSource other = *source;
  other.program = 1;
  EXPECT_TRUE(shelf.must_run(other, {}));
}

}  // namespace
}  // namespace convscope::ui::test
