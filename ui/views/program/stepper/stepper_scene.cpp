#include "ui/views/program/stepper/stepper_scene.h"

#include <algorithm>
#include <sstream>

#include "core/base/cancellation.h"
#include "core/schedule/explain/idle_text.h"
#include "ui/parts/drawing.h"
#include "ui/views/program/stepper/stepper_blocks.h"
#include "ui/views/program/stepper/stepper_pictures.h"

namespace convscope::ui {
namespace {

using artifact::StateKind;
using artifact::UnitActivity;

/// What the schedule proves of an idle slot; a trace's units are named as the timeline's resources.
QString idle_words(const StepperWish& wish, const std::string& unit, std::int64_t cycle) {
  if (!wish.timeline || cycle >= wish.timeline->length()) return {};
  const auto& names = wish.timeline->resources();
  const auto found = std::find(names.begin(), names.end(), unit);
  if (found == names.end()) return {};
  return to_text(schedule::idle_text(*wish.timeline, wish.graph.get(), static_cast<int>(found - names.begin()), cycle));
}

std::vector<StepperUnit> units_of(const StepperWish& wish, const StepperScene& scene) {
  std::vector<StepperUnit> units;
  const auto& names = scene.trace->schema().units;
  for (std::size_t unit = 0; unit < names.size(); ++unit) {
    const UnitActivity activity = scene.changes.units[unit].activity;
    units.push_back({to_text(names[unit]), activity, to_text(scene.trace->text(static_cast<int>(unit), scene.changes)),
                     activity == UnitActivity::busy ? QString() : idle_words(wish, names[unit], scene.cycle)});
  }
  return units;
}

bool is_cells(const artifact::StateBlock& block, bool window_shown) {
  return block.kind != StateKind::image && !(block.kind == StateKind::window && window_shown);
}

/// Cells of all blocks, the cycle's own before those of the cycle compared with: each is one seek.
std::vector<StepperBlock> blocks_of(const StepperScene& scene, bool window_shown, const std::stop_token& stop) {
  std::vector<int> shown;
  for (int block = 0; block < static_cast<int>(scene.trace->schema().blocks.size()); ++block)
    if (is_cells(scene.schema(block), window_shown)) shown.push_back(block);
  const bool compared = scene.compared >= 0;
  std::vector<StepperValues> values(shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i)
    values[i].now = whole_block(*scene.trace, scene.cycle, shown[i], compared);
  for (std::size_t i = 0; i < shown.size() && compared; ++i) {
    throw_if_stopped(stop);
    values[i].before = whole_block(*scene.trace, scene.compared, shown[i], compared);
  }
  std::vector<StepperBlock> blocks;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    throw_if_stopped(stop);
    blocks.push_back(make_stepper_block(scene, shown[i], values[i]));
  }
  return blocks;
}

QString marks_text(std::uint8_t marks) {
  QStringList words;
  if (marks & mark::read) words << QStringLiteral("read");
  if (marks & mark::written) words << QStringLiteral("written");
  if (marks & mark::differs) words << QStringLiteral("differs");
  return words.join(' ');
}

}  // namespace

std::int64_t shown_cycle(const target::Trace& trace, const artifact::Timeline* timeline, std::int64_t selected) {
  const std::int64_t last = std::max<std::int64_t>(0, trace.cycles() - 1);
  if (selected >= 0) return std::min(selected, last);
  return timeline ? std::clamp<std::int64_t>(timeline->section_start(timeline->steady_state()), 0, last) : 0;
}

std::shared_ptr<const StepperScene> make_stepper_scene(const StepperWish& wish, const std::stop_token& stop) {
  auto scene = std::make_shared<StepperScene>();
  scene->trace = wish.trace;
  scene->subject = wish.subject;
  scene->cycle = shown_cycle(*wish.trace, wish.timeline.get(), wish.cycle);
  scene->compared = wish.compared < wish.trace->cycles() && wish.compared != scene->cycle ? wish.compared : -1;
  scene->changes = wish.trace->changes(scene->cycle);
  throw_if_stopped(stop);
  if (scene->changes.address >= 0) scene->instruction = to_text(wish.trace->instruction(scene->changes.address));
  scene->units = units_of(wish, *scene);
  const auto window = wish.trace->window(scene->cycle);
  scene->pictures = make_stepper_pictures(*scene, window, stop);
  scene->blocks = blocks_of(*scene, !window.empty(), stop);
  return scene;
}

std::vector<StepperPick> StepperScene::touched() const {
  std::vector<StepperPick> found;
  for (const StepperBlock& block : blocks) {
    for (const StepperLine& line : block.lines)
      for (std::size_t i = 0; i < line.cells.size(); ++i)
        if (line.cells[i].marks & (mark::read | mark::written))
          found.push_back({block.block, line.first + static_cast<std::int64_t>(i)});
  }
  return found;
}

const StepperCell* StepperScene::cell(const StepperPick& pick) const {
  const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b.block == pick.block; });
  if (block == blocks.end()) return nullptr;
  for (const StepperLine& line : block->lines) {
    const std::int64_t offset = pick.index - line.first;
    if (offset >= 0 && offset < static_cast<std::int64_t>(line.cells.size()))
      return &line.cells[static_cast<std::size_t>(offset)];
  }
  return nullptr;
}

QString StepperScene::name(const StepperPick& pick) const {
  if (pick.block < 0)
    return QStringLiteral("unit ") + to_text(trace->schema().units[static_cast<std::size_t>(pick.index)]);
  const artifact::StateBlock& block = schema(pick.block);
  const QString name = to_text(block.name);
  if (block.size() == 1) return name;
  if (block.rows == 1) return QStringLiteral("%1[%2]").arg(name).arg(pick.index);
  return QStringLiteral("%1[%2, %3]").arg(name).arg(pick.index / block.columns).arg(pick.index % block.columns);
}

std::string StepperScene::csv() const {
  std::ostringstream out;
  out << "cycle,kind,name,element,value,marks,before\n";
  for (const StepperUnit& unit : units)
    out << cycle << ",activity," << csv_field(unit.name.toStdString()) << ",," << csv_field(unit.text.toStdString())
        << ',' << artifact::unit_activity_name(unit.activity) << ",\n";
  for (const StepperBlock& block : blocks) {
    const std::string head = std::string(artifact::state_kind_name(schema(block.block).kind)) + ',' +
                             csv_field(schema(block.block).name) + ',';
    for (const StepperLine& line : block.lines)
      for (std::size_t i = 0; i < line.cells.size(); ++i) {
        const StepperCell& cell = line.cells[i];
        out << cycle << ',' << head << line.first + static_cast<std::int64_t>(i) << ','
            << csv_field(cell.text.toStdString()) << ',' << marks_text(cell.marks).toStdString() << ','
            << csv_field(cell.before.toStdString()) << '\n';
      }
  }
  return out.str();
}

}  // namespace convscope::ui
