#pragma once
// What the passes hand to each other: one iteration of a program's loop, as operations with a schedule.

#include <cstdint>
#include <string>
#include <vector>

#include "core/nve/architecture/instruction.h"
#include "core/nve/architecture/machine.h"
#include "core/nve/architecture/stored_column.h"
#include "core/schedule/problem/problem.h"

namespace convscope::nve {

/// Kernel and subsampling of a layer, and how its pixels are laid out for the vector.
struct Window {
  int kernel_height = 1, kernel_width = 1, stride_height = 1, stride_width = 1;
  bool polyphase = false;    ///< columns are stored de-interleaved by row phase
  bool half_vector = false;  ///< strips of half as many rows, in the vector's upper half, whose pixels port B brings
  int dilation_height = 1, dilation_width = 1;  ///< rows and columns from one weight of the kernel to the next
  bool operator==(const Window&) const = default;

  int weights() const { return kernel_height * kernel_width; }  ///< per connection
  /// Columns from the kernel's first to its last.
  int span_width() const { return (kernel_width - 1) * dilation_width + 1; }
  /// Columns that an iteration adds to the local buffer; the others are reused.
  int new_columns() const { return span_width() < stride_width ? span_width() : stride_width; }
  int initial_columns() const { return span_width() - new_columns(); }
  StoredColumn column(const SchedulingMachine& machine) const {
    return {machine, kernel_height, stride_height, polyphase, dilation_height};
  }
  /// Input column behind column `column` of an iteration's window.
  int image_column(std::int64_t iteration, int column) const {
    return static_cast<int>(iteration * stride_width + column);
  }
};

/// A program without names: which input positions each of its maps accumulates. Programs of equal structure have
/// equal schedules.
struct Structure {
  int inputs = 0;
  std::vector<std::vector<int>> maps;
  bool operator==(const Structure&) const = default;
};

/// Optimizations of chapters 4 and 5, and beyond the thesis, each its own switch.
struct Switches {
  bool packing = false;  ///< section 5.1
  bool modulo = false;   ///< section 5.2
  bool fusion = false;   ///< section 5.3
  // Beyond the thesis.
  bool exact = false;        ///< the loop's schedule at its lower bound, in place of the thesis's three steps
  bool circular = false;     ///< with exact: coefficient words that straddle bodies and iterations
  bool peeling = false;      ///< with exact: initial writes in free slots of a peeled first iteration
  bool partition = false;    ///< with fusion: groups by the cost of the whole layer, not greedily
  bool polyphase = false;    ///< columns stored de-interleaved by row phase, where that is faster
  bool half_vector = false;  ///< strips of half a vector, where that is faster
  bool tiling = false;       ///< with partition: several parts of a map in one loop, where nothing else fills its words
  bool sharing = false;      ///< with partition: groups and layout for all cores, and for what transfers take
  bool looped = false;       ///< programs with an inner loop, where the machine has one and they are faster
  bool operator==(const Switches&) const = default;
};

enum class LoopOperationKind : std::uint8_t {
  read_coefficients,
  read_pixels,
  write_pixels,
  set_weights,
  shift_weights,
  set_image,
  set_shift_image,
  shift_image,
  set_bias,
  mac,
  activate
};

/// One operation of an iteration. Fields that a kind doesn't use are -1.
struct LoopOperation {
  LoopOperationKind kind = LoopOperationKind::mac;
  Field field = Field::vmac;
  int map = -1;       ///< position in the structure; -1 for writes, which all maps share
  int ordinal = -1;   ///< coefficient that the operation serves (0: bias), or the first of a word
  int position = -1;  ///< of that coefficient in the order in which the body uses them
  int input = -1;     ///< position in the structure's inputs
  int column = -1;    ///< of the window, counted in pixels: kernel column times horizontal dilation
  int word = -1;      ///< word of a pixel column, or coefficient word of the map
  int group = -1;     ///< of set_image
  int half = -1;      ///< of activate
  // Of looped programs (looped_body.h): `column` 1 marks a word of coefficients that stays in the buffer.
  int unit = -1;     ///< of its pass
  int stretch = -1;  ///< 0: of the head, 1: of a pass
};

/// Resources of NVE's scheduling problems: the issue fields, in the order of Field, and the output of port A, which
/// `set rw` and `set ri` both take.
inline constexpr int port_a_output = field_count;
std::vector<schedule::Resource> loop_resources();
/// The issue fields that an initiation interval is measured by: all but ACT, whose operations belong to the iteration
/// before.
std::vector<int> interval_fields();

/// Ordinals of a body's coefficients in the order in which it uses them: bias, then for each input and kernel column
/// the rows from the top, phase by phase where columns are de-interleaved.
std::vector<int> coefficient_order(const Window& window, int connections);

/// One iteration: first its problem, complete before anything is placed, then a schedule of it. Operations stand in the
/// order: bodies of the maps, writes, activations. `cycles` are relative to the iteration; activations lie in the
/// cycles of the iteration after.
struct Loop {
  std::vector<LoopOperation> operations;
  schedule::Problem problem;
  std::vector<int> bodies;    ///< first operation of each map's body; one more for the first write
  std::vector<int> set_bias;  ///< operation of each body
  int first_activation = 0;
  std::vector<std::int64_t> cycles;  ///< empty until scheduled
  std::int64_t initiation_interval = 0;

  int add(LoopOperation operation, std::vector<schedule::ResourceUse> uses, std::string name);
  void depend(int from, int to, int distance, int iterations = 0) {
    problem.dependences.push_back({from, to, distance, iterations});
  }
  int first_write() const { return bodies.back(); }
  std::int64_t first_cycle() const;
  std::int64_t last_cycle() const;
};

}  // namespace convscope::nve
