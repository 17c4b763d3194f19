#pragma once
// One cycle of a run as the stepper draws it: what the units did and why, what the blocks hold, what was read and
// written, where the window's pixels lie. Plain values, made from a Trace away from the window's thread.

#include <QImage>
#include <QRect>
#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/artifact/ref.h"
#include "core/artifact/task_graph.h"
#include "core/artifact/timeline.h"
#include "core/target/trace.h"

namespace convscope::ui {

/// What can be picked to ask for: an element of a block, or a unit.
struct StepperPick {
  int block = -1;          ///< -1: a unit is picked
  std::int64_t index = 0;  ///< of the element, or of the unit
  bool operator==(const StepperPick&) const = default;
};

namespace mark {
inline constexpr std::uint8_t read = 1, written = 2, differs = 4;  ///< bits of a cell's marks
}

struct StepperCell {
  QString text;
  QString before = {};  ///< in the cycle that is compared with, if it differs
  std::uint8_t marks = 0;
};

/// Some elements of a block that stand side by side.
struct StepperLine {
  std::int64_t first = 0;
  std::vector<StepperCell> cells;
};

/// A block, as far as it is shown: large ones only where something happens, and at their beginning.
struct StepperBlock {
  int block = 0;
  int across = 1;   ///< elements of a full line
  int letters = 1;  ///< of the longest element
  std::vector<StepperLine> lines;
  std::int64_t hidden = 0;     ///< elements that aren't shown
  std::int64_t differing = 0;  ///< elements that differ from the cycle that is compared with
};

struct StepperPixel {
  std::int64_t value = 0;
  std::uint8_t marks = 0;
  bool held = false;  ///< by the window
  int lane = -1;      ///< that works with it; -1: none
};

/// A map: all of it small, and the part where something happens pixel by pixel.
struct StepperPicture {
  int block = 0;
  QImage overview;                        ///< grey; transparent where nothing has been computed
  QRect detail;                           ///< columns and rows; empty if nothing happens in it
  std::vector<StepperPixel> pixels = {};  ///< of `detail`, row by row
};

struct StepperUnit {
  QString name;
  artifact::UnitActivity activity = artifact::UnitActivity::idle;
  QString text;  ///< what it does, or why it does nothing
  QString why;   ///< what the schedule says of an idle slot; may be empty
};

struct StepperScene {
  std::shared_ptr<const target::Trace> trace;  ///< never null
  artifact::Ref subject;                       ///< layer and program
  std::int64_t cycle = 0;
  std::int64_t compared = -1;  ///< cycle; -1: none
  artifact::CycleChanges changes;
  QString instruction;
  std::vector<StepperUnit> units;
  std::vector<StepperBlock> blocks;  ///< in the schema's order
  std::vector<StepperPicture> pictures;

  const artifact::StateBlock& schema(int block) const {
    return trace->schema().blocks[static_cast<std::size_t>(block)];
  }
  /// Elements that the cycle reads or writes and that are shown, in reading order.
  std::vector<StepperPick> touched() const;
  /// Null if the element isn't shown as a cell.
  const StepperCell* cell(const StepperPick& pick) const;
  /// "ri[3]", "local buffer[12, 5]", "unit MEMA".
  QString name(const StepperPick& pick) const;
  std::string csv() const;
};

struct StepperWish {
  std::shared_ptr<const target::Trace> trace;  ///< of a run of at least one cycle
  artifact::Ref subject;
  std::int64_t cycle = -1;                             ///< clamped; -1: where the steady state begins
  std::int64_t compared = -1;                          ///< a cycle to compare with; -1: none
  std::shared_ptr<const artifact::Timeline> timeline;  ///< says more about idle units; may be null
  std::shared_ptr<const artifact::TaskGraph> graph;    ///< may be null
};

/// Costs a seek or two. Throws Cancelled.
std::shared_ptr<const StepperScene> make_stepper_scene(const StepperWish& wish, const std::stop_token& stop = {});

/// The cycle that is shown if `selected` is selected.
std::int64_t shown_cycle(const target::Trace& trace, const artifact::Timeline* timeline, std::int64_t selected);

}  // namespace convscope::ui
