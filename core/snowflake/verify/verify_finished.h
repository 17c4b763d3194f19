#pragma once
// Which loads are known to be over. Private to the verifier.

#include <array>
#include <cstdint>
#include <deque>

namespace convscope::snowflake::verification {

/// Loads have numbers in the order of dispatch, one count for each unit; so have vector instructions.
struct LoadId {
  int unit = 0;
  std::int64_t number = 0;   ///< of this unit
  std::int64_t vectors = 0;  ///< vector instructions that were dispatched before it
};

/// A unit's loads end in order, so who waits for one waits for those before it as well.
class FinishedLoads {
 public:
  /// Nobody asks about vector instructions with more than `queue` others behind them but as all those before.
  explicit FinishedLoads(int queue) : queue_(queue) {}

  /// Vector instruction number `vector`, the last so far, waits for a load.
  void vector_waits(const LoadId& load, std::int64_t vector);
  /// The control pipeline has waited for a load.
  void control_waited(const LoadId& load);
  /// Whether the control pipeline, or a vector instruction before number `before`, waited for it.
  bool over(const LoadId& load, std::int64_t before) const;

 private:
  struct Wait {
    std::int64_t vector = 0, number = 0;
  };
  struct Unit {
    std::int64_t finished = 0;  ///< the last that control waited for
    std::deque<Wait> waits;     ///< both members grow
  };
  std::int64_t queue_;
  std::array<Unit, 4> units_;
};

}  // namespace convscope::snowflake::verification
