#pragma once
// The timing model of docs/snowflake-simulation.md a second time, tick by tick and word by word: slow and plain, to
// hold the event-driven simulator against. It refuses nothing, so it takes programs that the other one runs to their
// end.

#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <tuple>
#include <vector>

#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

struct TickRun {
  struct Issue {
    std::int64_t cycle;
    int instruction;
    bool operator==(const Issue&) const = default;
  };
  struct Span {
    std::int64_t begin, end;  ///< cycles of a vector instruction, ticks of a stream
    int instruction;
    bool operator==(const Span&) const = default;
  };
  std::vector<Issue> issues;
  std::vector<Span> vectors, streams;    ///< in the order in which they end
  std::vector<std::int64_t> layer_ends;  ///< ticks
  double cycles = 0;
};

class TickSimulator {
 public:
  explicit TickSimulator(const Program& program);
  TickRun run();

 private:
  /// (target, CU, vMAC, region of the buffer)
  using Places = std::set<std::tuple<LoadTarget, int, int, std::int64_t>>;
  struct Vector {
    Instruction instruction;
    int index = 0, layer = 0, number = 0;
    std::int64_t earliest = 0, cycles = 1, start = -1;
    bool gathers = false;
    Places reads;
    std::set<std::int64_t> writes;  ///< DRAM words
    std::int64_t bytes = 0;
  };
  struct Load {
    int index = 0, number = 0, bank = 0;
    LoadTarget target = LoadTarget::maps;
    Places fills;
    std::int64_t dram = 0, words = 0, request = -1, begin = -1, work = 0;
  };
  struct Stored {
    std::set<std::int64_t> words;
    std::int64_t work = 0, bytes = 0;
    int layer = 0;
  };

  void memory_ends();
  void release();
  void vector_ends();
  void vector_starts();
  void streams_begin();
  void control();
  void serve();
  bool idle() const;
  bool written_later(const Load& load) const;
  bool ready(const Instruction& instruction) const;
  void issue(const Instruction& instruction);
  void scalar(const Instruction& instruction);
  void dispatch(const Instruction& instruction);
  void read_buffers(Vector& vector, const Configuration& configuration);
  void load(const Instruction& instruction);
  void branch(const Instruction& instruction);
  std::int64_t room_needed(const Vector& vector) const;

  std::uint32_t& at(int number) { return values_[static_cast<std::size_t>(number)]; }
  std::int64_t value(int number) const { return static_cast<std::int32_t>(values_[static_cast<std::size_t>(number)]); }

  const Program& program_;
  const Machine& machine_;
  TickRun run_;
  std::int64_t tick_ = 0;
  std::int64_t work_of_byte_, all_rate_, cap_rate_;
  std::array<std::uint32_t, registers> values_{};
  std::array<std::int64_t, registers> readable_{};
  std::array<std::vector<int>, 2> banks_;
  int bank_ = 0, pc_ = 0, slots_ = -1, target_ = 0;
  bool jumps_ = false, taken_ = false, halted_ = false;
  int number_ = 0;
  std::int64_t last_issue_ = -1;
  std::deque<Vector> queue_;
  std::int64_t last_gather_;
  std::int64_t last_end_ = 0, last_memory_ = 0;
  std::array<std::deque<Load>, 4> units_;
  std::array<std::int64_t, 4> unit_end_{};
  std::deque<Stored> fifo_;
  bool storing_ = false;
};

}  // namespace convscope::snowflake
