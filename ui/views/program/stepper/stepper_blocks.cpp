#include "ui/views/program/stepper/stepper_blocks.h"

#include <algorithm>
#include <set>

#include "ui/views/program/stepper/stepper_layout.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

using artifact::StateBlock;
using artifact::StateFormat;
using artifact::StateValues;

constexpr std::int64_t small_block = 1024;                        // elements that are read at once
constexpr std::int64_t largest_compared = std::int64_t{1} << 17;  // elements
constexpr std::int64_t whole_lines = 16;                          // of a block that is shown whole
constexpr std::int64_t first_lines = 4;                           // of a larger one, wherever something happens
constexpr std::size_t most_lines = 20;
constexpr std::int64_t most_texts = 16;
constexpr int text_letters = 88;

/// Letters of the longest number of so many bits.
int letters_of_type(const StateBlock& block) {
  if (block.format == StateFormat::hexadecimal) return (block.bits + 3) / 4;
  return block.bits <= 8 ? 4 : block.bits <= 16 ? 6 : block.bits <= 32 ? 11 : 16;
}

/// As few as the numbers need, in steps, so that the picture stays as it is from cycle to cycle.
int letters_of(const StateBlock& block, const StateValues& values) {
  const int most = letters_of_type(block);
  if (values.numbers.empty() || block.format == StateFormat::hexadecimal) return most;
  std::size_t longest = 1;
  for (std::size_t i = 0; i < values.numbers.size(); ++i)
    longest = std::max(longest, artifact::state_text(block, values, i).size());
  for (const int step : {4, 6, 9, 12, 16})
    if (static_cast<int>(longest) <= step) return step;
  return static_cast<int>(longest);
}

/// A row whole if it fits, else in parts of a power of two.
int elements_across(const StateBlock& block, int letters) {
  const int fits =
      std::max(1, static_cast<int>((stepper::column_width - stepper::label_width) / stepper::cell_width(letters)));
  if (block.columns <= fits) return static_cast<int>(block.columns);
  int across = 1;
  while (across * 2 <= fits) across *= 2;
  return across;
}

/// How a block is cut into lines: no line goes beyond its row.
struct Lines {
  const StateBlock& block;
  std::int64_t across;
  std::int64_t parts = (block.columns + across - 1) / across;  ///< lines of a row

  std::int64_t count() const { return block.rows * parts; }
  std::int64_t line_of(std::int64_t element) const {
    return element / block.columns * parts + element % block.columns / across;
  }
  std::int64_t first(std::int64_t line) const { return line / parts * block.columns + line % parts * across; }
  std::int64_t length(std::int64_t line) const { return std::min(across, block.columns - line % parts * across); }
};

void add_lines(std::set<std::int64_t>& chosen, const Lines& lines, std::int64_t first, std::int64_t count) {
  const std::int64_t last = std::min(first + count, lines.block.size()) - 1;
  if (first < 0 || last < first) return;
  for (std::int64_t line = lines.line_of(first); line <= lines.line_of(last); ++line) {
    if (chosen.size() >= most_lines) return;
    chosen.insert(line);
  }
}

bool differs(const StepperValues& whole, std::size_t index) {
  return whole.before && whole.now.numbers[index] != whole.before->numbers[index];
}

std::set<std::int64_t> choose_lines(const StepperScene& scene, int block, const Lines& lines,
                                    const StepperValues& whole) {
  std::set<std::int64_t> chosen;
  const std::int64_t beginning = lines.count() <= whole_lines ? lines.count() : first_lines;
  for (std::int64_t line = 0; line < beginning; ++line) chosen.insert(line);
  for (const artifact::StateAccess& access : scene.changes.accesses)
    if (access.block == block) add_lines(chosen, lines, access.first, access.count);
  for (std::size_t i = 0; i < whole.now.numbers.size() && chosen.size() < most_lines; ++i)
    if (differs(whole, i)) chosen.insert(lines.line_of(static_cast<std::int64_t>(i)));
  return chosen;
}

StepperLine make_line(const StepperScene& scene, int block, const Lines& lines, std::int64_t number,
                      const StepperValues& whole) {
  const std::int64_t first = lines.first(number), length = lines.length(number);
  const bool known = !whole.now.numbers.empty();
  const StateValues read = known ? StateValues{} : scene.trace->values(scene.cycle, block, first, length);
  StepperLine line{first, {}};
  for (std::int64_t i = 0; i < length; ++i) {
    const auto at = static_cast<std::size_t>(known ? first + i : i);
    StepperCell cell{to_text(artifact::state_text(lines.block, known ? whole.now : read, at)),
                     {},
                     marks_of(scene.changes, block, first + i)};
    if (known && differs(whole, at)) {
      cell.before = to_text(artifact::state_text(lines.block, *whole.before, at));
      cell.marks |= mark::differs;
    }
    line.cells.push_back(std::move(cell));
  }
  return line;
}

/// Texts one below the other; those that hold nothing are left out.
StepperBlock make_texts(const StepperScene& scene, int block, const StepperValues& whole) {
  StepperBlock made{block, 1, text_letters, {}, 0, 0};
  for (std::size_t i = 0; i < whole.now.texts.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const bool other = whole.before && whole.before->texts[i] != whole.now.texts[i];
    made.differing += other ? 1 : 0;
    if (whole.now.texts[i].empty() && !other) continue;
    StepperCell cell{
        to_text(artifact::state_text(scene.schema(block), whole.now, i)), {}, marks_of(scene.changes, block, index)};
    if (other) {
      cell.before = to_text(artifact::state_text(scene.schema(block), *whole.before, i));
      cell.marks |= mark::differs;
    }
    made.lines.push_back({index, {std::move(cell)}});
  }
  if (scene.schema(block).size() > most_texts)
    made.hidden = scene.schema(block).size() - static_cast<std::int64_t>(whole.now.texts.size());
  return made;
}

}  // namespace

std::uint8_t marks_of(const artifact::CycleChanges& changes, int block, std::int64_t index) {
  std::uint8_t marks = 0;
  for (const artifact::StateAccess& access : changes.accesses) {
    if (access.block != block || !access.meets(index, 1)) continue;
    marks |= access.kind == artifact::AccessKind::write ? mark::written : mark::read;
  }
  return marks;
}

StateValues whole_block(const target::Trace& trace, std::int64_t cycle, int block, bool compared) {
  const StateBlock& about = trace.schema().blocks[static_cast<std::size_t>(block)];
  if (about.format == StateFormat::text) return trace.values(cycle, block, 0, std::min(about.size(), most_texts));
  if (about.size() > (compared ? largest_compared : small_block)) return {};
  return trace.values(cycle, block, 0, about.size());
}

StepperBlock make_stepper_block(const StepperScene& scene, int block, const StepperValues& whole) {
  const StateBlock& about = scene.schema(block);
  if (about.format == StateFormat::text) return make_texts(scene, block, whole);
  StepperBlock made{block, 1, about.size() > small_block ? letters_of_type(about) : letters_of(about, whole.now),
                    {},    0, 0};
  made.across = elements_across(about, made.letters);
  const Lines lines{about, made.across};
  made.hidden = about.size();
  for (const std::int64_t line : choose_lines(scene, block, lines, whole)) {
    made.lines.push_back(make_line(scene, block, lines, line, whole));
    made.hidden -= static_cast<std::int64_t>(made.lines.back().cells.size());
  }
  for (std::size_t i = 0; i < whole.now.numbers.size(); ++i) made.differing += differs(whole, i) ? 1 : 0;
  return made;
}

}  // namespace convscope::ui
