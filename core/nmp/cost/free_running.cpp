#include "core/nmp/cost/free_running.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

#include "core/base/cancellation.h"
#include "core/nmp/cost/free_running_work.h"

namespace convscope::nmp {
namespace {

using free_running::SharedLoad;
using free_running::StepWork;
using free_running::Tiles;
using free_running::Work;

class Simulation {
 public:
  Simulation(const CostModel& model, const Tiling& t, double dram_scale, const std::stop_token& stop,
             const TurnVisitor& visit)
      : tiles_(model, t, dram_scale), stop_(stop), visit_(visit), steps_(tiles_.steps()) {
    const TleGrid grid = model.sums().of(t.partition).grid;
    of_rows_.resize(static_cast<std::size_t>(grid.rows));
    of_filters_.resize(static_cast<std::size_t>(grid.filters));
    for (int row = 0; row < grid.rows; ++row)
      for (int filter = 0; filter < grid.filters; ++filter) {
        tles_.push_back({Work(tiles_, row * grid.filters + filter, row, filter), row, filter});
        const Sharing sharing = tles_.back().work.sharing();
        if (sharing.input) of_rows_[static_cast<std::size_t>(row)].add(tles_.size() - 1);
        if (sharing.weights) of_filters_[static_cast<std::size_t>(filter)].add(tles_.size() - 1);
      }
  }

  double run() {
    for (Tle& tle : tles_) advance(tle, 0);
    for (std::int64_t turns = 0; turns < turn_budget; ++turns) {
      poll(turns);
      const auto next = std::min_element(tles_.begin(), tles_.end(), [](const Tle& a, const Tle& b) {
        return a.done != b.done ? b.done : a.asks < b.asks;
      });
      if (next->done) break;
      assert(next->asks < never);  // all that share something come to the same steps
      serve(*next);
    }
    double busiest = 0;
    for (const Tle& tle : tles_) {
      busiest = std::max(busiest, tle.mac);
      end_ = std::max(end_, tle.finished);
    }
    const double lockstep = dram_ + commands_ + ring_ + busiest;
    return lockstep > 0 ? std::min(1.0, end_ / lockstep) : 1;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// What a TLE does, or waits for.
  enum class Stage { step_done, shared_input, shared_weights, loads, stores };

  struct Tle {
    Work work;
    int row = 0, filter = 0;  ///< slices
    std::int64_t step = -1;
    StepWork current{};
    Stage stage = Stage::step_done;
    bool done = false;
    double asks = 0, finished = 0, mac = 0;
  };

  /// TLEs that get the same tile; the first of them loads it when all are there.
  struct Meeting {
    std::vector<std::size_t> members;
    std::size_t there = 0;
    double last = 0;
    void add(std::size_t tle) { members.push_back(tle); }
  };

  static double loads(const Turn& t) { return t.residual + t.partial_sums + t.input + t.weights; }

  double command(std::int64_t count) {
    const double seconds = static_cast<double>(count) * tiles_.machine().command_seconds;
    commands_ += seconds;
    return seconds;
  }

  void poll(std::int64_t count) const {
    if (count % 1024 == 0) throw_if_stopped(stop_);
  }

  /// To the next step in which the TLE has something to do, walking over those in which it hasn't.
  bool next_step(Tle& tle) const {
    while (++tle.step < steps_) {
      poll(tle.step);
      if (tle.work.at(tle.step, tle.current)) return true;
    }
    return false;
  }

  Meeting& meeting_of(const Tle& tle) {
    return tle.stage == Stage::shared_input ? of_rows_[static_cast<std::size_t>(tle.row)]
                                            : of_filters_[static_cast<std::size_t>(tle.filter)];
  }
  static const SharedLoad& shared_by(const Tle& tle) {
    return tle.stage == Stage::shared_input ? tle.current.input : tle.current.weights;
  }

  void meet(Tle& tle, double now) {
    Meeting& meeting = meeting_of(tle);
    tle.asks = never;
    meeting.last = std::max(meeting.last, now);
    if (++meeting.there < meeting.members.size()) return;
    Tle& first = tles_[meeting.members.front()];
    first.current.turn.commands = command(shared_by(first).loads);
    first.asks = meeting.last + first.current.turn.commands;
    meeting.there = 0;
    meeting.last = 0;
  }

  // From `now`, when what the stage is about is over, to the next time that the TLE asks for the DRAM or waits for
  // others.
  void advance(Tle& tle, double now) {
    while (true) {
      tle.finished = now;
      switch (tle.stage) {
        case Stage::step_done:
          tle.done = !next_step(tle);
          if (tle.done) return;
          tle.stage = Stage::shared_input;
          if (tle.current.input.joins) return meet(tle, now);
          break;
        case Stage::shared_input:
          tle.stage = Stage::shared_weights;
          if (tle.current.weights.joins) return meet(tle, now);
          break;
        case Stage::shared_weights:
          tle.stage = tle.current.has_tile ? Stage::loads : Stage::step_done;
          if (!tle.current.has_tile) break;
          tle.current.turn.commands = command(tle.current.loads);
          tle.asks = now + tle.current.turn.commands;
          if (loads(tle.current.turn) > 0) return;
          tell(tle, tle.asks);
          now = tle.asks;
          break;
        case Stage::loads:
          now = compute(tle, now);
          if (tle.stage == Stage::stores) return;
          break;
        case Stage::stores:
          tle.stage = Stage::step_done;
          break;
      }
    }
  }

  // Until the TLE asks for its stores; if there are none, until it is done with this step.
  double compute(Tle& tle, double now) {
    const Turn& turn = tle.current.turn;
    tle.mac += turn.mac;
    tle.stage = tle.current.stores > 0 ? Stage::stores : Stage::step_done;
    tle.current.turn.commands = command(tle.current.stores);
    return tle.finished = tle.asks = now + turn.mac + turn.commands;
  }

  void serve(Tle& tle) {
    const Turn& turn = tle.current.turn;
    if (tle.stage == Stage::shared_input || tle.stage == Stage::shared_weights) return serve_all(tle);
    const double time = tle.stage == Stage::stores ? turn.output : loads(turn);
    tell(tle, take_dram(tle, time));
    advance(tle, free_);
  }

  double take_dram(const Tle& tle, double time) {
    const double begin = std::max(tle.asks, free_);
    free_ = begin + time;
    dram_ += time;
    end_ = std::max(end_, free_);
    return begin;
  }

  // A tile, or the filters of a TLE, for all that share it.
  void serve_all(Tle& tle) {
    const SharedLoad load = shared_by(tle);
    Turn turn{.tle = tle.current.turn.tle, .step = tle.step};
    (tle.stage == Stage::shared_input ? turn.input : turn.weights) = load.dram;
    turn.commands = tle.current.turn.commands;
    turn.begin = take_dram(tle, load.dram);
    turn.ring_begin = std::max(free_, ring_free_);
    turn.ring = load.ring;
    ring_free_ = turn.ring_begin + load.ring;
    ring_ += load.ring;
    if (visit_) visit_(turn);
    for (const std::size_t member : meeting_of(tle).members) advance(tles_[member], ring_free_);
  }

  void tell(const Tle& tle, double begin) {
    if (!visit_) return;
    Turn turn = tle.current.turn;
    turn.begin = begin;
    if (tle.stage == Stage::stores)
      turn.residual = turn.partial_sums = turn.input = turn.weights = turn.mac = 0;
    else
      turn.output = 0;
    visit_(turn);
  }

  Tiles tiles_;
  const std::stop_token& stop_;
  const TurnVisitor& visit_;
  std::int64_t steps_;
  std::vector<Tle> tles_;
  std::vector<Meeting> of_rows_, of_filters_;  // by slice
  double free_ = 0, ring_free_ = 0, dram_ = 0, commands_ = 0, ring_ = 0, end_ = 0;
};

}  // namespace

double free_running_ratio(const CostModel& model, const Tiling& tiling, double dram_scale, const std::stop_token& stop,
                          const TurnVisitor& visit) {
  return Simulation(model, tiling, dram_scale, stop, visit).run();
}

}  // namespace convscope::nmp
