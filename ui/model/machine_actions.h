#pragma once
// What views of many machines, and of measurements that take their time, may ask for, besides what every view may
// (ui/model/view_host.h).

#include <QString>
#include <cstddef>
#include <cstdint>

#include "core/target/target.h"

namespace convscope::ui {

struct QuantizationWish;
struct SweepLook;

class MachineActions {
 public:
  virtual ~MachineActions() = default;

  virtual void set_look(const SweepLook& look) = 0;
  /// Marks a point, or unmarks it; of three the oldest is forgotten.
  virtual void choose(std::uint64_t point) = 0;
  /// A point's machine becomes the current one: one undo step. Does nothing for points without a row.
  virtual void open_point(std::uint64_t point) = 0;
  /// Opens the second point and compares it with the first, which is pinned and compiled in the background: two undo
  /// steps.
  virtual void compare_points(std::uint64_t first, std::uint64_t second) = 0;
  /// What a point is: lines of plain text; empty if it has no row.
  virtual QString describe(std::uint64_t point) const = 0;

  /// Measures what helps most for the current machine, level and network; what was measured before is forgotten. Does
  /// nothing without a network. It competes with the sweep, never with what the user waits for.
  virtual void analyze() = 0;
  virtual void cancel_analysis() = 0;
  /// Puts the open network into fixed point; what was made before is forgotten. Cancelled when another
  /// network or target is opened. Does nothing without a network.
  virtual void quantize(const QuantizationWish& wish) = 0;
  virtual void cancel_quantization() = 0;
  /// What the next one is asked for; one that runs is cancelled if that is something else.
  virtual void set_quantization_wish(const QuantizationWish& wish) = 0;
  /// One parameter of the current machine: one undo step. Does nothing if that is of another target.
  virtual void change_parameter(const target::Target& target, std::size_t parameter, double value) = 0;
};

}  // namespace convscope::ui
