#include "core/nmp/cost/walked.h"

#include <algorithm>
#include <array>

#include "core/base/cancellation.h"
#include "core/dram/forms/walk.h"
#include "core/nmp/cost/banked.h"
#include "core/nmp/cost/floors.h"

namespace convscope::nmp {
namespace {

constexpr int block_transfers = 40;  // that follow one another, so that rows stay open between them

class Walker {
 public:
  Walker(const CostModel& model, const Tiling& tiling, const std::stop_token& stop)
      : list_(model, tiling), walk_(model.dram()), stop_(stop) {}

  std::int64_t steps() const { return list_.steps(); }
  double bytes(Moved moved) const { return bytes_[static_cast<std::size_t>(moved)]; }
  double cycles(Moved moved) const { return cycles_[static_cast<std::size_t>(moved)]; }

  /// Walks over steps from `first` on until there are enough transfers; the step after the last one.
  std::int64_t block(std::int64_t first) {
    throw_if_stopped(stop_);
    int count = 0;
    std::int64_t step = first;
    for (; step < steps() && count < block_transfers; ++step) {
      transfers_.clear();
      list_.add(step, transfers_);
      for (const Transfer& t : transfers_) {
        cycles_[static_cast<std::size_t>(t.moved)] += static_cast<double>(walk_.transfer(t.pattern));
        bytes_[static_cast<std::size_t>(t.moved)] += static_cast<double>(t.pattern.useful_bytes());
      }
      count += std::max<int>(1, static_cast<int>(transfers_.size()));
    }
    return step;
  }

 private:
  TransferList list_;
  dram::Walk walk_;
  const std::stop_token& stop_;
  std::vector<Transfer> transfers_;
  std::array<double, moved_kinds> bytes_{}, cycles_{};
};

/// Multiples of the golden section: nowhere dense, in step with no loop.
std::int64_t scattered(std::int64_t i, std::int64_t count) {
  const auto part = static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) * 2654435769U);
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(part) * static_cast<std::uint64_t>(count)) >> 32);
}

}  // namespace

double walked_seconds(const CostModel& model, const Tiling& tiling, const Totals& totals, const std::stop_token& stop,
                      std::int64_t most_lines) {
  Walker walker(model, tiling, stop);
  const auto& organization = model.dram().organization;
  const auto all = static_cast<double>(totals.all().bytes);
  const double most = static_cast<double>(most_lines) * organization.line_bytes();
  const auto walked = [&] {
    double bytes = 0;
    for (int kind = 0; kind < moved_kinds; ++kind) bytes += walker.bytes(static_cast<Moved>(kind));
    return bytes;
  };
  std::int64_t next = walker.block(0);
  if (all <= most) {
    while (next < walker.steps()) next = walker.block(next);
  } else if (next < walker.steps()) {
    for (std::int64_t i = 1; walked() < most && i < most_lines; ++i)
      walker.block(next + scattered(i, walker.steps() - next));
    walker.block(walker.steps() - 1);
  }
  double cycles = 0;
  for (int i = 0; i < moved_kinds; ++i) {
    const auto kind = static_cast<Moved>(i);
    const auto bytes = static_cast<double>(traffic_of(totals, kind).bytes);
    // Of a kind that no block met, the rate of all.
    const double rate = walker.bytes(kind) > 0 ? walker.cycles(kind) / walker.bytes(kind) : 0;
    cycles += bytes * rate;
    if (rate == 0 && bytes > 0 && walked() > 0) {
      double sum = 0;
      for (int k = 0; k < moved_kinds; ++k) sum += walker.cycles(static_cast<Moved>(k));
      cycles += bytes * sum / walked();
    }
  }
  return std::max(cycles / organization.clock_hz, all / organization.peak());
}

}  // namespace convscope::nmp
