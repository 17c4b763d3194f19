#pragma once
// One run of one program: control pipeline, vector queue, load units and store port, driven by events
// (docs/snowflake-simulation.md). Private to the simulator; its parts are defined in core_control.h, core_vector.h,
// core_loads.h and core_memory.h. `Data` moves words (MachineData) or nothing (NoData); `Observer`: observer.h.
//
// The control pipeline runs ahead until it meets the rest of the machine (a vector instruction, an LD, a change of
// bank), then everything that happens until that cycle is made up for.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/snowflake/simulate/decoded_code.h"
#include "core/snowflake/simulate/entries.h"
#include "core/snowflake/simulate/observer.h"
#include "core/snowflake/simulate/periods.h"
#include "core/snowflake/simulate/result.h"
#include "core/snowflake/simulate/ring.h"
#include "core/snowflake/simulate/streams.h"

namespace convscope::snowflake::simulation {

/// Timing alone: no word is moved.
struct NoData {
  void load(const LoadEntry& /*load*/) {}
  void execute(const VectorEntry& /*vector*/) {}
};

template <typename Data, typename Observer>
class Core {
 public:
  Core(const Program& program, Data& data, Observer& observer);
  SimulationResult run(std::int64_t budget, const std::stop_token& stop);

  // In steps. A copy in mid-run goes on by itself: it shares program, data and observer with the original.
  using Cycle = std::int64_t;
  /// At least everything that happens until a cycle, inclusive; the control pipeline may be further.
  void run_until(Cycle cycle, std::int64_t budget, const std::stop_token& stop);
  bool over() { return !going_ || (halted_ && next_event() >= never); }
  /// Everything that the control pipeline does before this cycle has been told.
  Cycle control_cycle() const { return halted_ ? never : cycle_; }
  const std::optional<Refusal>& refusal() const { return result_.refusal; }
  /// Of a run that is over: the first cycle behind it.
  Cycle end_cycle() const { return std::max({cycle_, free_, now_cycle()}); }
  const DecodedCode& code() const { return code_; }
  std::int64_t bytes() const;  ///< of memory, about

 private:
  struct LoadUnit {
    Ring<LoadEntry> loads;
    bool streaming = false;
    Tick began = 0, last_end = -never;
    Work level = 0;  ///< of Streams::served at which the stream ends
  };
  enum class Head : std::uint8_t { none, running, waits_for_data, waits_for_room };

  // Refusals: every step tells whether the run goes on.
  bool refuse(Cycle cycle, int instruction, std::string what);

  // core_control.h
  void begin();
  bool issue_next(std::int64_t budget, const std::stop_token& stop);
  bool fetch();
  bool issue();
  void issue_scalar(std::int32_t value);
  Cycle operands_ready(std::uint8_t a, std::uint8_t b = 0, std::uint8_t c = 0, std::uint8_t d = 0,
                       std::uint8_t e = 0) const;
  void wait_control(Cycle until, ControlStall cause);
  bool branch(bool taken);
  bool check_slots();
  bool jump();
  void next_word();
  std::int32_t value(std::uint8_t number) const { return registers_[number]; }
  RunStatistics& layer(int index) { return result_.layers[static_cast<std::size_t>(index)].statistics; }

  // core_vector.h
  bool dispatch();
  bool check_output(const VectorEntry& vector);
  void start_head();
  void set_running(Cycle start);
  void count_stalls(const VectorEntry& vector, Cycle start);
  bool finish_vector();
  bool push_output(const VectorEntry& vector);
  bool waits_for_loads(const VectorEntry& vector) const;
  Work room_level(const VectorEntry& vector) const;

  // core_loads.h
  bool issue_load();
  bool read_load(LoadEntry& load, const LoadField& field);
  bool check_load(const LoadEntry& load, int unit);
  bool check_load_words(const LoadEntry& load, int unit);
  bool fill_bank(const LoadEntry& load);
  std::int64_t write_before(const LoadEntry& load) const;
  void count_load(const LoadEntry& load, int unit);
  Tick head_start(const LoadUnit& unit) const;
  void begin_streams();
  void end_streams();
  void complete_load(std::size_t unit);
  void release_loads();

  // core_memory.h
  bool advance(Cycle cycle);
  bool step();
  void move(Tick tick);
  Tick next_memory() const;
  Work next_level() const;
  Tick next_event();
  bool step_or_refuse(const char* waiting);
  Cycle now_cycle() const { return whole_cycle(streams_.now()); }
  void finish();

  const Program& program_;
  const Machine& machine_;
  Data& data_;
  Observer& observer_;
  const std::shared_ptr<const DecodedCode> decoded_;  ///< that copies share, as entries point into it
  const DecodedCode& code_;
  SimulationResult result_;
  bool going_ = true;

  // control pipeline
  std::array<std::int32_t, registers> registers_{};
  std::array<Cycle, registers> readable_{};
  std::array<std::vector<std::int32_t>, 2> banks_;  ///< position in Program::code of each word; -1: none
  std::array<int, 2> bank_loads_{};                 ///< LDs on their way into a bank
  std::vector<bool> slots_checked_;                 ///< by position in Program::code, of branches
  int running_bank_ = 0, pc_ = 0, target_ = 0, slots_ = 0;
  bool taken_ = false, changes_bank_ = false, halted_ = false;
  int instruction_ = 0;  ///< position in Program::code of the one that is being issued
  const CodeWord* word_ = nullptr;
  Cycle cycle_ = 0;  ///< at which the next instruction can be issued
  Cycle bank_wait_ = 0, unit_wait_ = 0;
  std::int64_t instructions_ = 0;

  // vector unit
  Ring<VectorEntry> queue_;
  Head head_ = Head::none;
  Cycle free_ = 0, data_ready_ = 0, gather_wait_ = 0, start_ = 0, end_ = 0;
  Tick vector_end_ = never;
  Cycle last_gather_;
  std::int64_t writes_dispatched_ = 0;

  // load units, store port and the memory that they share
  Streams streams_;
  std::array<LoadUnit, most_load_units> units_;
  int loads_ = 0, held_ = 0;
  Ring<StoredOutput> fifo_;
  std::int64_t drained_ = 0;  ///< write-backs stored
  bool storing_ = false;
  Tick store_began_ = 0;
  Work fifo_capacity_;
  bool changed_ = true;  ///< next_memory_ must be computed anew
  Tick next_memory_ = never;
  Periods periods_;
  struct BypassWords {
    std::int64_t first = 0, last = 0;
  };
  std::vector<BypassWords> bypass_;  ///< by layer
};

}  // namespace convscope::snowflake::simulation

#include "core/snowflake/simulate/core_control.h"
#include "core/snowflake/simulate/core_loads.h"
#include "core/snowflake/simulate/core_memory.h"
#include "core/snowflake/simulate/core_vector.h"
