#pragma once
// A machine's state as data: which blocks it is made of, what they hold, and what happened in a cycle. Plain values,
// the same for every machine.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::artifact {

/// What a block is to the machine.
enum class StateKind {
  registers,
  memory,
  port,     ///< the word that a memory's port holds
  queue,    ///< first element: the oldest
  unit,     ///< what a unit works at, as text
  counter,  ///< of the control logic
  image,    ///< a map of the layer's input, or of its output as far as it is computed: rows x columns pixels
  window    ///< pixels that the machine holds of images; WindowPixel tells where each lies there
};
inline constexpr int state_kinds = 8;
std::string_view state_kind_name(StateKind kind);

enum class StateFormat { integer, fixed_point, hexadecimal, text };
std::string_view state_format_name(StateFormat format);

/// Rows x columns elements of one type, row by row.
struct StateBlock {
  std::string name;  ///< unique in its schema: "local buffer"
  StateKind kind = StateKind::registers;
  std::int64_t rows = 1, columns = 1;
  int bits = 32;  ///< of an element
  StateFormat format = StateFormat::integer;
  int fraction = 0;     ///< bits behind the point, of fixed_point
  bool output = false;  ///< an image that the machine computes
  std::string help = {};

  std::int64_t size() const { return rows * columns; }
};

struct StateSchema {
  std::vector<StateBlock> blocks;  ///< in the order in which they are shown
  std::vector<std::string> units;  ///< that work or are idle in a cycle: issue fields, pipelines, load units
  /// -1 if there is none of that name.
  int find(std::string_view block) const;
};

/// An element that holds nothing yet.
inline constexpr std::int64_t no_value = std::numeric_limits<std::int64_t>::min();

/// Some elements of a block: numbers, or texts if its format is text (empty: nothing).
struct StateValues {
  std::vector<std::int64_t> numbers;
  std::vector<std::string> texts;
  bool operator==(const StateValues&) const = default;
};

/// All of the machine, by block.
using MachineState = std::vector<StateValues>;

/// An element as people read it: "-3", "0.125", "0x3f"; "-" if it holds nothing.
std::string state_text(const StateBlock& block, const StateValues& values, std::size_t index);

enum class AccessKind { read, write };

/// Elements [first, first + count) of a block that were read or written in a cycle.
struct StateAccess {
  std::int32_t block = 0;
  AccessKind kind = AccessKind::read;
  std::int64_t first = 0, count = 1;
  bool meets(std::int64_t from, std::int64_t elements) const { return first < from + elements && from < first + count; }
  bool operator==(const StateAccess&) const = default;
};

enum class UnitActivity : std::uint8_t { busy, idle, stalled };
std::string_view unit_activity_name(UnitActivity activity);

/// What a unit did in a cycle. `what` is the trace's own: its text says it in words.
struct UnitCycle {
  UnitActivity activity = UnitActivity::idle;
  std::int64_t what = 0;
  bool operator==(const UnitCycle&) const = default;
};

struct CycleChanges {
  std::int64_t cycle = 0;
  std::int64_t address = -1;          ///< of the instruction that is executed or waits, as in the listing; -1: none
  std::int64_t iteration = -1;        ///< of the loop, if there is one
  std::vector<StateAccess> accesses;  ///< in the order in which they happened
  std::vector<UnitCycle> units;       ///< as StateSchema::units
  bool operator==(const CycleChanges&) const = default;
};

/// Where an element of the block of kind `window` lies.
struct WindowPixel {
  std::int64_t element = 0;
  std::int32_t image = -1;  ///< block of kind `image`
  std::int32_t row = 0, column = 0;
  std::int32_t lane = -1;  ///< that works with it; -1: none
  bool operator==(const WindowPixel&) const = default;
};

}  // namespace convscope::artifact
