#include "core/nmp/cost/simulated.h"

#include <utility>

namespace convscope::nmp {
namespace {

/// The lines of a tiling's transfers in order.
class TransferLines {
 public:
  TransferLines(const CostModel& model, const Tiling& tiling, const TransferStretch& stretch)
      : list_(model, tiling),
        line_bytes_(model.dram().organization.line_bytes()),
        left_(stretch.most_lines),
        step_(stretch.first_step),
        lines_({}, line_bytes_) {}

  bool next(dram::Request& request) {
    if (left_-- <= 0) return false;
    while (lines_.done())
      if (!next_transfer()) return false;
    request = {lines_.address(), transfers_[next_ - 1].pattern.write, std::exchange(first_, false)};
    lines_.next();
    return true;
  }

 private:
  bool next_transfer() {
    while (next_ == transfers_.size()) {
      if (step_ == list_.steps()) return false;
      transfers_.clear();
      next_ = 0;
      list_.add(step_++, transfers_);
    }
    lines_ = dram::Lines(transfers_[next_++].pattern, line_bytes_);
    return first_ = true;
  }

  TransferList list_;
  std::int64_t line_bytes_, left_, step_;
  std::vector<Transfer> transfers_;
  std::size_t next_ = 0;
  dram::Lines lines_;
  bool first_ = true;
};

}  // namespace

dram::Simulation simulate_transfers(const CostModel& model, const Tiling& tiling, const TransferStretch& stretch,
                                    const dram::SimulationOptions& options, const std::stop_token& stop) {
  TransferLines lines(model, tiling, stretch);
  return dram::simulate(
      model.dram(), [&](dram::Request& request) { return lines.next(request); }, options, stop);
}

double simulated_seconds(const CostModel& model, const Tiling& tiling, const std::stop_token& stop) {
  const auto run = simulate_transfers(model, tiling, {}, {}, stop);
  return static_cast<double>(run.cycles) / model.dram().organization.clock_hz;
}

}  // namespace convscope::nmp
