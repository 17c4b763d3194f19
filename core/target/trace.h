#pragma once
// Machine state at any cycle of a program's run: the simulator that proves programs, with an observer. A bounded number
// of checkpoints makes every jump cost about the same, forwards and backwards.

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/artifact/state.h"

namespace convscope::target {

/// Memory that a trace's checkpoints take at most, in bytes.
inline constexpr std::int64_t default_checkpoint_bytes = std::int64_t{64} << 20;

/// What a search looks for; what is left at its default doesn't matter. A cycle is found if everything holds in it.
struct TracePredicate {
  enum class Access { any, read, written } access = Access::any;
  int block = -1;  ///< of which elements [first, first + count) are accessed
  std::int64_t first = 0, count = std::numeric_limits<std::int64_t>::max() / 2;
  int unit = -1;                                        ///< whose activity is asked for
  std::optional<artifact::UnitActivity> activity = {};  ///< of the unit, or of any
  std::int64_t address = -1;                            ///< of the instruction
  std::int64_t iteration = -1;

  bool holds(const artifact::CycleChanges& changes) const;
};

enum class Direction { forwards, backwards };

/// One run of one program. Cycles count from 0, as in the program's unrolled timeline.
/// May be asked from several threads; answers come one at a time.
class Trace {
 public:
  virtual ~Trace() = default;

  virtual const artifact::StateSchema& schema() const = 0;
  virtual std::int64_t cycles() const = 0;
  /// Why the run ended early, with cycle and reason; empty if it ran to its end.
  virtual const std::string& refusal() const = 0;
  /// Memory that checkpoints take, in bytes; never more than the bound that the trace was opened with.
  virtual std::int64_t checkpoint_bytes() const = 0;

  /// Elements [first, first + count) of a block at the end of a cycle, in which what it wrote is seen; cycle -1: before
  /// the first. Asserts that they exist.
  virtual artifact::StateValues values(std::int64_t cycle, int block, std::int64_t first, std::int64_t count) const = 0;
  /// What happens in the cycles [from, to), in order, until `visit` returns false. Throws Cancelled.
  void visit(std::int64_t from, std::int64_t to, const std::function<bool(const artifact::CycleChanges&)>& visit,
             const std::stop_token& stop) const;
  /// Where the pixels of the window lie at the end of a cycle; empty if the machine's window holds none.
  virtual std::vector<artifact::WindowPixel> window(std::int64_t /*cycle*/) const { return {}; }
  /// What a unit did, or why it did nothing, in a cycle that `visit` told; a line of plain text.
  virtual std::string text(int unit, const artifact::CycleChanges& changes) const = 0;
  /// The instruction at an address, as its listing has it.
  virtual std::string instruction(std::int64_t address) const = 0;

  /// All blocks at the end of a cycle: for small machines, or when all is wanted.
  artifact::MachineState state(std::int64_t cycle) const;
  artifact::CycleChanges changes(std::int64_t cycle) const;
  /// The nearest cycle behind (before) `cycle` for which the predicate holds. Throws Cancelled.
  std::optional<std::int64_t> next(const TracePredicate& predicate, std::int64_t cycle, Direction direction,
                                   const std::stop_token& stop = {}) const;

 private:
  /// Writes over `changes` what happens in a cycle. Told in order, each costs a cycle of the run.
  virtual void tell(std::int64_t cycle, artifact::CycleChanges& changes) const = 0;
};

}  // namespace convscope::target
