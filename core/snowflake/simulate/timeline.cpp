#include "core/snowflake/simulate/timeline.h"

#include <algorithm>

#include "core/snowflake/simulate/core.h"

namespace convscope::snowflake {
namespace {

using simulation::Tick;

/// One lane of one layer; joins neighbours that lie closer than a resolution, which doubles until they are few enough.
class LaneRecorder {
 public:
  void add(const TimelineInterval& interval, std::size_t most) {
    if (!intervals_.empty() && joins(intervals_.back(), interval))
      join(intervals_.back(), interval);
    else
      intervals_.push_back(interval);
    while (intervals_.size() > most) coarsen();
  }
  std::vector<TimelineInterval> take() { return std::move(intervals_); }

 private:
  bool joins(const TimelineInterval& a, const TimelineInterval& b) const {
    const bool same = a.activity == b.activity && a.activity == Activity::issue && a.end == b.begin;
    return same || b.end - a.begin <= resolution_;
  }
  static void join(TimelineInterval& a, const TimelineInterval& b) {
    if (b.main > a.main) {
      a.activity = b.activity;
      a.instruction = b.instruction;
      a.main = b.main;
    }
    a.end = std::max(a.end, b.end);
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

  std::vector<TimelineInterval> intervals_;
  double resolution_ = 0;  ///< cycles
};

class Recorder : public simulation::NoObserver {
 public:
  Recorder(const Program& program, std::size_t most)
      : layers_(std::max<std::size_t>(1, program.layers.size())), most_(std::max<std::size_t>(2, most)) {}

  void issued(std::int64_t cycle, int instruction, int layer) {
    add(TimelineLane::control, layer, cycles(cycle), cycles(cycle + 1), Activity::issue, instruction);
  }
  void control_stalled(std::int64_t from, std::int64_t to, ControlStall cause, int instruction, int layer) {
    constexpr std::array activities{Activity::wait_raw, Activity::wait_queue, Activity::wait_load_unit,
                                    Activity::wait_bank};
    add(TimelineLane::control, layer, cycles(from), cycles(to), activities[static_cast<std::size_t>(cause)],
        instruction);
  }
  void vector_stalled(std::int64_t from, std::int64_t to, VectorStall cause, const simulation::VectorEntry& vector) {
    constexpr std::array activities{Activity::stall_data,      Activity::stall_bookkeeping, Activity::stall_bank,
                                    Activity::stall_load_unit, Activity::stall_store,       Activity::stall_gather};
    add(TimelineLane::compute_units, vector.word->layer, cycles(from), cycles(to),
        activities[static_cast<std::size_t>(cause)], vector.instruction);
  }
  void vector_ran(const simulation::VectorEntry& vector, std::int64_t /*free*/, std::int64_t start, std::int64_t end) {
    Activity activity = Activity::multiply;
    if (vector.word->opcode == Opcode::max) activity = Activity::maximum;
    if (vector.word->opcode == Opcode::vmov) activity = Activity::move;
    add(TimelineLane::compute_units, vector.word->layer, cycles(start), cycles(end), activity, vector.instruction);
  }
  void load_streamed(int unit, const simulation::LoadEntry& load, Tick begin, Tick end) {
    constexpr std::array activities{Activity::load_maps, Activity::load_kernels, Activity::load_instructions};
    add(static_cast<TimelineLane>(static_cast<int>(TimelineLane::unit_0) + unit), load.layer, ticks(begin), ticks(end),
        activities[static_cast<std::size_t>(load.target)], load.instruction);
  }
  void store_drained(Tick begin, Tick end, int layer, int instruction) {
    add(TimelineLane::store, layer, ticks(begin), ticks(end), Activity::store_outputs, instruction);
  }

  RunTimeline take() {
    RunTimeline timeline;
    for (auto& layer : layers_) {
      auto& taken = timeline.layers.emplace_back();
      for (std::size_t lane = 0; lane < timeline_lanes; ++lane) taken.lanes[lane] = layer[lane].take();
    }
    return timeline;
  }

 private:
  static double cycles(std::int64_t cycle) { return static_cast<double>(cycle); }
  static double ticks(Tick tick) {
    return static_cast<double>(tick) / static_cast<double>(simulation::ticks_per_cycle);
  }

  void add(TimelineLane lane, int layer, double begin, double end, Activity activity, int instruction) {
    layers_[static_cast<std::size_t>(layer)][static_cast<std::size_t>(lane)].add(
        {begin, end, end - begin, end - begin, activity, instruction}, most_);
  }

  std::vector<std::array<LaneRecorder, timeline_lanes>> layers_;
  std::size_t most_;
};

}  // namespace

SimulationResult simulate(const Program& program, RunTimeline& timeline, std::size_t most_intervals,
                          const SimulationOptions& options, const std::stop_token& stop) {
  simulation::NoData data;
  Recorder recorder(program, most_intervals);
  SimulationResult result = simulation::Core(program, data, recorder).run(options.instruction_budget, stop);
  timeline = recorder.take();
  return result;
}

}  // namespace convscope::snowflake
