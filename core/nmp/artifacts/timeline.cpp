#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/nmp/artifacts/plan.h"

namespace convscope::nmp {
namespace {

using artifact::OperationClass;
using artifact::TimelineCell;
using artifact::TimelineSection;

constexpr std::size_t cell_budget = 100'000;
constexpr std::int64_t stationary_budget = 1000;  // stretches with the same weights, each a section of its own

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

class Drawer {
 public:
  Drawer(const Convolution& c, const Machine& m, const Solution& s) : model_(c, m), s_(s), t_(s.tiling) {
    const auto& share = model_.sums().of(t_.partition);
    spatial_ = divide_up(share.slice_rows, t_.rows) * divide_up(c.columns.out, t_.columns);
    units_ = divide_up(share.tlt_units, t_.units);
    channels_ = divide_up(model_.channel_limit(t_.schedule), t_.channels);
    ws_ = t_.schedule == Schedule::weight_stationary;
    is_ = t_.schedule == Schedule::input_stationary;
    resident_ = is_ && model_.weights_resident(t_.partition);
    chunks_ = ws_ ? model_.sums().chunks : 1;
    const Seconds counted = seconds_of(s.totals, m);
    scale_ = counted.dram() > 0 ? s.seconds.dram() / counted.dram() : 1;
  }

  std::shared_ptr<const artifact::Timeline> make() {
    const Convolution& c = model_.convolution();
    const std::int64_t tiles = spatial_ * (is_ ? 1 : units_ * chunks_) * c.repeats;
    const std::int64_t steps = spatial_ * units_ * chunks_ * channels_ * c.repeats;
    input_ = cycles(s_.totals.in) / static_cast<double>(tiles * channels_);
    const std::int64_t weight_phases = resident_ ? c.repeats : ws_ ? units_ * chunks_ * c.repeats : steps;
    weights_ = cycles(s_.totals.weights) / static_cast<double>(weight_phases);
    partial_ = cycles(s_.totals.partial_loads) / static_cast<double>(tiles);
    output_ = (cycles(s_.totals.out) + cycles(s_.totals.partial_stores)) / static_cast<double>(tiles);
    mac_ = s_.seconds.mac * model_.machine().clock_hz / static_cast<double>(steps);
    const std::int64_t stationary = resident_ ? c.repeats : ws_ ? units_ * chunks_ * c.repeats : 0;
    if (stationary > stationary_budget) return nullptr;
    if (stationary == 0) {
      body(tiles);
    } else {
      for (std::int64_t i = 0; i < stationary; ++i) {
        begin("weights");
        load(weights_, "W");
        end(1);
        body(tiles / stationary);
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

  void body(std::int64_t repeats) {
    begin("tile");
    load(partial_, "partial sums");
    for (std::int64_t n = 0; n < channels_ && !too_large_; ++n) {
      load(input_, "IN");
      for (std::int64_t u = 0; u < (is_ ? units_ : 1) && !too_large_; ++u) {
        if (!ws_ && !resident_) load(weights_, "W");
        compute();
      }
    }
    move(output_, "OUT", OperationClass::write);
    end(repeats);
  }

  void begin(const char* name) {
    sections_.push_back({name, 0, 1, static_cast<std::int64_t>(sections_.size()), -1, {}});
    at_ = 0;
  }

  void end(std::int64_t repeats) {
    TimelineSection& section = sections_.back();
    section.length = std::llround(at_);
    section.repeats = repeats;
    cells_ += section.cells.size();
    too_large_ = too_large_ || cells_ > cell_budget;
    std::stable_sort(section.cells.begin(), section.cells.end(), [](const TimelineCell& a, const TimelineCell& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.resource < b.resource;
    });
    if (section.length == 0) sections_.pop_back();
  }

  int tles() const { return model_.machine().tles; }

  void cell(int resource, double begin, double end, const char* label, OperationClass kind) {
    const std::int64_t first = std::llround(begin), length = std::llround(end) - first;
    if (length > 0) sections_.back().cells.push_back({resource, first, length, 0, 0, kind, label});
    too_large_ = too_large_ || sections_.back().cells.size() > cell_budget;
  }

  void load(double length, const char* label) { move(length, label, OperationClass::read); }

  // One transfer at a time: the DMA engines take turns.
  void move(double length, const char* label, OperationClass kind) {
    if (length <= 0) return;
    cell(0, at_, at_ + length, label, kind);
    for (int i = 0; i < tles(); ++i)
      cell(1 + i, at_ + length * i / tles(), at_ + length * (i + 1) / tles(), label, kind);
    at_ += length;
  }

  void compute() {
    for (int i = 0; i < tles(); ++i) cell(1 + tles() + i, at_, at_ + mac_, "MAC", OperationClass::multiply_accumulate);
    at_ += mac_;
  }

  std::shared_ptr<const artifact::Timeline> finish() {
    if (too_large_ || sections_.empty()) return nullptr;
    std::vector<std::string> names{"DRAM"};
    for (int i = 0; i < tles(); ++i) names.push_back(fmt::format("DMA {}", i));
    for (int i = 0; i < tles(); ++i) names.push_back(fmt::format("TLE {}", i));
    return std::make_shared<const artifact::Timeline>(std::move(names), std::move(sections_));
  }

  CostModel model_;
  const Solution& s_;
  const Tiling& t_;
  bool ws_ = false, is_ = false, resident_ = false, too_large_ = false;
  std::int64_t spatial_ = 1, units_ = 1, channels_ = 1, chunks_ = 1;
  std::size_t cells_ = 0;
  double scale_ = 1, input_ = 0, weights_ = 0, partial_ = 0, output_ = 0, mac_ = 0, at_ = 0;
  std::vector<TimelineSection> sections_;
};

}  // namespace

std::shared_ptr<const artifact::Timeline> make_timeline(const Convolution& convolution, const Machine& machine,
                                                        const Solution& solution) {
  if (machine.double_buffering) return nullptr;
  return Drawer(convolution, machine, solution).make();
}

}  // namespace convscope::nmp
