#pragma once
// What the CUs did while each layer was the one that ended next, whichever layer's instructions they ran: layers
// overlap, and instructions of one run before the layer before it has stored its last output.

#include <array>
#include <cstddef>
#include <vector>

#include "core/snowflake/simulate/result.h"
#include "core/snowflake/simulate/streams.h"

namespace convscope::snowflake::simulation {

class Periods {
 public:
  explicit Periods(std::size_t layers) : ends_(layers) {}

  /// The times of the next vector instruction are known: those of the one before lie behind.
  void next_vector() { last_count_ = 0; }
  /// The CUs were idle, or are busy, from one cycle to another; one behind the other, and at most once per cause until
  /// the next vector instruction.
  void idle(VectorStall cause, std::int64_t from, std::int64_t until) {
    spend(static_cast<std::size_t>(cause), from, until);
  }
  void busy(std::int64_t from, std::int64_t until);
  /// An output of a layer is stored: the layer ends here, unless there are more. Times don't decrease.
  void stored(std::size_t layer, Tick at);

  Tick end(std::size_t layer) const { return ends_[layer].at; }
  /// Between the end of all layers before one and its own; nothing if it ends before them.
  std::vector<Period> by_layer() const;
  std::size_t bytes() const { return ends_.size() * sizeof(End) + early_.size() * sizeof(std::size_t); }

 private:
  static constexpr std::size_t activities = vector_stalls + 1;  ///< stalls, then being busy
  using Spent = std::array<Tick, activities>;
  struct Stretch {
    std::size_t on = 0;
    Tick from = 0, until = 0;
  };
  /// What had been spent when a layer ended.
  struct End {
    Tick at = 0;
    Spent spent{};
  };
  void spend(std::size_t on, std::int64_t from, std::int64_t until);

  Spent spent_{};                         ///< all stretches that are known, to their ends
  std::array<Stretch, activities> last_;  ///< of the latest vector instruction; they may lie ahead
  std::size_t last_count_ = 0;
  std::vector<std::size_t> early_;  ///< layers that ended since then: stretches that were unknown may begin before
  std::vector<End> ends_;
};

}  // namespace convscope::snowflake::simulation
