#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/nmp/artifacts/plan.h"

namespace convscope::nmp {
namespace {

using artifact::OperationClass;
using artifact::TileMove;
using artifact::TileOperation;
using artifact::TileTensor;
using artifact::TimelineCell;
using artifact::TimelineSection;

constexpr std::int64_t stationary_budget = 1000;  // stretches with the same weights, each a section of its own

class Drawer {
 public:
  Drawer(const Convolution& c, const Machine& m, const Solution& s) : model_(c, m), s_(s), t_(s.tiling) {
    const auto& share = model_.sums().of(t_.partition);
    spatial_ = divide_up(share.slice_rows, t_.rows) * divide_up(c.columns.out, t_.columns);
    units_ = divide_up(share.tlt_units, t_.units);
    channels_ = divide_up(model_.channel_limit(t_.partition, t_.schedule), t_.channels);
    ws_ = t_.schedule == Schedule::weight_stationary;
    is_ = t_.schedule == Schedule::input_stationary;
    resident_ = is_ && model_.weights_resident(t_.partition);
    chunks_ = model_.chunks(t_.partition, t_.schedule);
    shares_channels_ = share.channel_slices > 1;
    const Seconds counted = seconds_of(s.totals, m);
    scale_ = counted.dram() > 0 ? s.seconds.dram() / counted.dram() : 1;
  }

  std::shared_ptr<const artifact::Timeline> make() {
    const Convolution& c = model_.convolution();
    const std::int64_t tiles = spatial_ * (is_ ? 1 : units_ * chunks_) * c.repeats;
    const std::int64_t steps = spatial_ * units_ * chunks_ * channels_ * c.repeats;
    input_ = cycles(s_.totals.in) / static_cast<double>(tiles * channels_);
    ring_input_ = ring_cycles(s_.totals.ring_in) / static_cast<double>(tiles * channels_);
    const std::int64_t weight_phases = resident_ ? c.repeats : ws_ ? units_ * chunks_ * c.repeats : steps;
    weights_ = cycles(s_.totals.weights) / static_cast<double>(weight_phases);
    ring_weights_ = ring_cycles(s_.totals.ring_weights) / static_cast<double>(weight_phases);
    const std::int64_t complete = tiles / chunks_,
                       incomplete = shares_channels_ ? tiles : std::max<std::int64_t>(1, tiles - complete);
    partial_load_ = cycles(s_.totals.partial_loads) / static_cast<double>(incomplete);
    partial_store_ = cycles(s_.totals.partial_stores) / static_cast<double>(incomplete);
    output_ = cycles(s_.totals.out) / static_cast<double>(complete);
    residual_ = cycles(s_.totals.residual) / static_cast<double>(complete);
    mac_ = s_.seconds.mac * model_.machine().clock_hz / static_cast<double>(steps);
    const std::int64_t stationary = resident_ ? c.repeats : ws_ ? units_ * chunks_ * c.repeats : 0;
    if (stationary > stationary_budget) return nullptr;
    if (stationary == 0) {
      body(0, tiles, 0);
    } else {
      const std::int64_t tiles_each = tiles / stationary;
      for (std::int64_t i = 0; i < stationary; ++i) {
        begin("weights", i * tiles_each);
        move(weights_, "W", transfer(TileMove::load, TileTensor::weights, 0), ring_weights_);
        end(1);
        body(i * tiles_each, tiles_each, i % chunks_);
      }
    }
    return finish();
  }

 private:
  double cycles(const Traffic& t) const {
    const Machine& m = model_.machine();
    const double dram = static_cast<double>(t.bytes) / m.bandwidth + static_cast<double>(t.bursts) * m.cas_seconds;
    return (dram * scale_ + static_cast<double>(t.commands) * m.command_seconds) * m.clock_hz;
  }

  double ring_cycles(const RingTraffic& t) const { return model_.machine().ring.seconds(t.bytes, t.hops, 1); }

  static TileOperation transfer(TileMove move, TileTensor tensor, std::int64_t position) {
    return {false, move, tensor, -1, position};
  }

  // Steps count as in the tile plan: input stationary has its filters innermost.
  void body(std::int64_t first_tile, std::int64_t repeats, std::int64_t chunk) {
    begin("tile", first_tile);
    if (chunk > 0) move(partial_load_, "partial sums", transfer(TileMove::load_partial_sums, TileTensor::output, 0));
    if (chunk == 0) move(residual_, "residual", transfer(TileMove::load_residual, TileTensor::output, 0));
    const std::int64_t inner = is_ ? units_ : 1;
    for (std::int64_t n = 0; n < channels_ && !too_large_; ++n) {
      move(input_, "IN", transfer(TileMove::load, TileTensor::input, n * inner), ring_input_);
      for (std::int64_t u = 0; u < inner && !too_large_; ++u) {
        const std::int64_t step = n * inner + u;
        if (!ws_ && !resident_) move(weights_, "W", transfer(TileMove::load, TileTensor::weights, step), ring_weights_);
        compute(step);
      }
    }
    const std::int64_t last = channels_ * inner - 1;
    if (shares_channels_) {
      move(partial_store_, "partial sums", transfer(TileMove::store_partial_sums, TileTensor::output, last));
      move(partial_load_, "partial sums", transfer(TileMove::load_partial_sums, TileTensor::output, last));
    }
    if (chunk + 1 < chunks_)
      move(partial_store_, "partial sums", transfer(TileMove::store_partial_sums, TileTensor::output, last));
    else
      move(output_, "OUT", transfer(TileMove::store, TileTensor::output, last));
    end(repeats);
  }

  void begin(const char* name, std::int64_t first_tile) {
    sections_.push_back({name, 0, 1, static_cast<std::int64_t>(sections_.size()), first_tile, {}});
    at_ = 0;
  }

  void end(std::int64_t repeats) {
    TimelineSection& section = sections_.back();
    section.length = std::llround(at_);
    section.repeats = repeats;
    cells_ += section.cells.size();
    too_large_ = too_large_ || cells_ > timeline_budget;
    std::stable_sort(section.cells.begin(), section.cells.end(), [](const TimelineCell& a, const TimelineCell& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.resource < b.resource;
    });
    if (section.length == 0) sections_.pop_back();
  }

  int tles() const { return model_.machine().tles; }

  void cell(int resource, double begin, double end, const char* label, TileOperation operation) {
    const std::int64_t first = std::llround(begin), length = std::llround(end) - first;
    if (length > 0)
      sections_.back().cells.push_back({resource, first, length, key_of(operation), 0, class_of(operation), label});
    too_large_ = too_large_ || sections_.back().cells.size() > timeline_budget;
  }

  static OperationClass class_of(const TileOperation& o) {
    if (o.work) return OperationClass::multiply_accumulate;
    return artifact::is_load(o.move) ? OperationClass::read : OperationClass::write;
  }

  // One transfer at a time: the DMA engines take turns. What they load goes on around the ring before the next one's
  // turn; all of that is drawn behind the loads.
  void move(double length, const char* label, TileOperation operation, double on_ring = 0) {
    if (length <= 0) return;
    cell(0, at_, at_ + length, label, operation);
    for (operation.group = 0; operation.group < tles(); ++operation.group) {
      const int i = operation.group;
      cell(1 + i, at_ + length * i / tles(), at_ + length * (i + 1) / tles(), label, operation);
    }
    at_ += length;
    operation.group = -1;
    if (on_ring > 0) cell(ring_resource(model_.machine()), at_, at_ + on_ring, label, operation);
    at_ += on_ring;
  }

  void compute(std::int64_t step) {
    for (int i = 0; i < tles(); ++i) cell(1 + tles() + i, at_, at_ + mac_, "MAC", {true, {}, {}, i, step});
    at_ += mac_;
  }

  std::shared_ptr<const artifact::Timeline> finish() {
    if (too_large_ || sections_.empty()) return nullptr;
    return std::make_shared<const artifact::Timeline>(timeline_resources(model_.machine()), std::move(sections_));
  }

  CostModel model_;
  const Solution& s_;
  const Tiling& t_;
  bool ws_ = false, is_ = false, resident_ = false, shares_channels_ = false, too_large_ = false;
  std::int64_t spatial_ = 1, units_ = 1, channels_ = 1, chunks_ = 1;
  std::size_t cells_ = 0;
  double scale_ = 1, input_ = 0, weights_ = 0, partial_load_ = 0, partial_store_ = 0, output_ = 0, mac_ = 0, at_ = 0;
  double residual_ = 0, ring_input_ = 0, ring_weights_ = 0;
  std::vector<TimelineSection> sections_;
};

}  // namespace

std::vector<std::string> timeline_resources(const Machine& machine) {
  std::vector<std::string> names{"DRAM"};
  for (int i = 0; i < machine.tles; ++i) names.push_back(fmt::format("DMA {}", i));
  for (int i = 0; i < machine.tles; ++i) names.push_back(fmt::format("TLE {}", i));
  if (machine.ring.on) names.emplace_back("ring");
  return names;
}

int ring_resource(const Machine& machine) {
  return 1 + 2 * machine.tles;
}

std::shared_ptr<const artifact::Timeline> make_timeline(const Convolution& convolution, const Machine& machine,
                                                        const Solution& solution) {
  if (machine.double_buffering || machine.doubled.any()) return nullptr;
  if (machine.free_running) return make_free_running_timeline(convolution, machine, solution);
  return Drawer(convolution, machine, solution).make();
}

}  // namespace convscope::nmp
