#pragma once
// The machine at a moment: the timing core, which may be ahead, what it told, and the words as they are at the moment.

#include <array>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/snowflake/simulate/core.h"
#include "core/snowflake/simulate/machine_data.h"
#include "core/snowflake/trace/trace_images.h"
#include "core/snowflake/trace/trace_log.h"
#include "core/snowflake/trace/word_origins.h"
#include "core/target/paged_history.h"

namespace convscope::snowflake {

class MachineReplay {
 public:
  using DramHistory = target::PagedHistory<std::int16_t>;
  using TimingCore = simulation::Core<simulation::NoData, TraceLog>;

  /// A copy to go on from.
  struct Moment {
    TimingCore core;
    TraceLog log;
    simulation::MachineData data;
    DramHistory::Moment dram;
    std::array<std::int32_t, registers> values{};
    TraceLog::Issue last;
    std::vector<WordOrigins> origins;
    std::vector<std::uint64_t> computed;
  };
  static std::int64_t bytes(const Moment& moment, const Moment* before, const Machine& machine);

  /// Program and images must outlive it.
  MachineReplay(const Program& program, const TraceImages& images, std::vector<std::int16_t> dram, std::int64_t budget);

  /// Cycles before this one are done.
  std::int64_t at() const { return at_; }
  void restart();
  void restore(const Moment& moment, std::int64_t at);
  Moment moment();
  /// Lets the core tell everything about a cycle, as far as the run goes.
  void learn(std::int64_t cycle, const std::stop_token& stop = {});
  /// Does the cycles before this one; what concerns earlier cycles alone is forgotten.
  void advance(std::int64_t cycle, const std::stop_token& stop = {});
  bool over() { return core_->over(); }

  TimingCore& core() { return *core_; }
  const TraceLog& log() const { return log_; }
  const simulation::MachineData& data() const { return *data_; }
  std::int32_t value(std::size_t number) const { return values_[number]; }
  const TraceLog::Issue& last_issue() const { return last_; }
  std::int16_t dram(std::int64_t word) { return dram_.words()[static_cast<std::size_t>(word)]; }
  /// The word of DRAM that a word of a CU's map buffer was loaded from; -1: none.
  std::int64_t origin(int cu, std::int64_t word) const { return origins_[static_cast<std::size_t>(cu)].of(word); }
  /// Of the images that grow, by TraceImages::growing_pixel.
  bool computed(std::int64_t pixel) const {
    return (computed_[static_cast<std::size_t>(pixel / 64)] >> (pixel % 64) & 1) != 0;
  }

 private:
  void do_cycles(std::int64_t until);
  void touch_outputs(const simulation::VectorEntry& vector);
  void note_load(const simulation::LoadEntry& load);
  void note_results(const simulation::VectorEntry& vector);

  const Program& program_;
  const TraceImages& images_;
  std::int64_t budget_;
  simulation::NoData no_data_;
  TraceLog log_;
  DramHistory dram_;
  std::optional<TimingCore> core_;
  std::optional<simulation::MachineData> data_;
  std::array<std::int32_t, registers> values_{};
  TraceLog::Issue last_{-1, -1, 0, 0};
  std::vector<WordOrigins> origins_;     ///< by CU, of its map buffer
  std::vector<std::uint64_t> computed_;  ///< a bit for each pixel that grows
  std::size_t effect_ = 0;               ///< of the log, that comes next
  std::int64_t at_ = 0;
};

}  // namespace convscope::snowflake
