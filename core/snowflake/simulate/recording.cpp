#include "core/snowflake/simulate/recording.h"

#include <algorithm>

#include "core/snowflake/simulate/core.h"

namespace convscope::snowflake {
namespace {

using simulation::Tick;

bool same_kind(const RecordedInterval& a, const RecordedInterval& b) {
  return a.activity == b.activity && a.layer == b.layer && a.tile == b.tile;
}

/// Intervals of one resource; the resolution doubles until they are few enough.
class Lane {
 public:
  void add(const RecordedInterval& interval, std::size_t most) {
    if (!intervals_.empty() && joins(intervals_.back(), interval))
      join(intervals_.back(), interval);
    else
      intervals_.push_back(interval);
    while (intervals_.size() > most) coarsen();
  }
  std::vector<RecordedInterval> take() { return std::move(intervals_); }
  double resolution() const { return resolution_; }

 private:
  bool joins(const RecordedInterval& a, const RecordedInterval& b) const {
    return (same_kind(a, b) && b.begin - a.end() <= resolution_) || b.end() - a.begin <= resolution_;
  }
  static void join(RecordedInterval& a, const RecordedInterval& b) {
    const double end = std::max(a.end(), b.end());
    if (same_kind(a, b)) {
      a.longest += b.longest;
    } else if (b.longest > a.longest) {
      const RecordedInterval whole = a;
      a = b;
      a.begin = whole.begin;
      a.busy = whole.busy;
    }
    a.length = end - a.begin;
    a.busy += b.busy;
  }
  void coarsen() {
    resolution_ = std::max(1.0, resolution_ * 2);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < intervals_.size(); ++i) {
      if (joins(intervals_[kept], intervals_[i]))
        join(intervals_[kept], intervals_[i]);
      else
        intervals_[++kept] = intervals_[i];
    }
    intervals_.resize(kept + 1);
  }

  std::vector<RecordedInterval> intervals_;
  double resolution_ = 0;
};

class Recorder : public simulation::NoObserver {
 public:
  Recorder(const Program& program, std::size_t most) : code_(program), most_(std::max<std::size_t>(2, most)) {}

  void issued(std::int64_t cycle, int instruction, int /*layer*/) {
    add(Resource::control, cycles(cycle), 1, Activity::issue, instruction);
  }
  void control_stalled(std::int64_t from, std::int64_t to, ControlStall cause, int instruction, int /*layer*/) {
    constexpr std::array causes{Activity::wait_raw, Activity::wait_queue, Activity::wait_load_unit,
                                Activity::wait_bank};
    add(Resource::control, cycles(from), cycles(to - from), causes[static_cast<std::size_t>(cause)], instruction);
  }
  void vector_stalled(std::int64_t from, std::int64_t to, VectorStall cause, const simulation::VectorEntry& vector) {
    constexpr std::array causes{Activity::stall_data,      Activity::stall_bookkeeping, Activity::stall_bank,
                                Activity::stall_load_unit, Activity::stall_store,       Activity::stall_gather};
    add(Resource::compute_units, cycles(from), cycles(to - from), causes[static_cast<std::size_t>(cause)],
        vector.instruction);
  }
  void vector_ran(const simulation::VectorEntry& vector, std::int64_t /*free*/, std::int64_t start, std::int64_t end) {
    Activity activity = Activity::mac;
    if (vector.word->opcode == Opcode::max) activity = Activity::max;
    if (vector.word->opcode == Opcode::vmov) activity = Activity::vmov;
    add(Resource::compute_units, cycles(start), cycles(end - start), activity, vector.instruction);
  }
  void load_streamed(int unit, const simulation::LoadEntry& load, Tick begin, Tick end) {
    constexpr std::array targets{Activity::load_maps, Activity::load_kernels, Activity::load_instructions};
    add(static_cast<Resource>(static_cast<int>(Resource::load_unit_0) + unit), ticks(begin), ticks(end - begin),
        targets[static_cast<std::size_t>(load.target)], load.instruction);
  }
  void store_drained(Tick begin, Tick end, int /*layer*/, int instruction) {
    add(Resource::store, ticks(begin), ticks(end - begin), Activity::store_outputs, instruction);
  }

  void finish(Recording& recording) {
    for (std::size_t i = 0; i < resources; ++i) {
      recording.resolution[i] = lanes_[i].resolution();
      recording.intervals[i] = lanes_[i].take();
    }
  }

 private:
  static double cycles(std::int64_t cycle) { return static_cast<double>(cycle); }
  static double ticks(Tick tick) {
    return static_cast<double>(tick) / static_cast<double>(simulation::ticks_per_cycle);
  }

  void add(Resource resource, double begin, double length, Activity activity, int instruction) {
    const simulation::CodeWord& word = code_[instruction];
    lanes_[static_cast<std::size_t>(resource)].add(
        {begin, length, length, length, activity, instruction, word.layer, word.tile}, most_);
  }

  const simulation::DecodedCode code_;
  std::array<Lane, resources> lanes_;
  std::size_t most_;
};

}  // namespace

Recording record(const Program& program, std::size_t most_intervals, const SimulationOptions& options,
                 const std::stop_token& stop) {
  simulation::NoData data;
  Recorder recorder(program, most_intervals);
  Recording recording;
  recording.result = simulation::Core(program, data, recorder).run(options.instruction_budget, stop);
  recorder.finish(recording);
  return recording;
}

}  // namespace convscope::snowflake
