#include <algorithm>
#include <cmath>
#include <vector>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/artifacts/program_view.h"
#include "core/nmp/simulate/simulator.h"

namespace convscope::nmp {
namespace {

using artifact::OperationClass;
using artifact::TimelineCell;

constexpr std::size_t joined_cells = 30'000;  // of a resource, at most about so many

enum class Doing : std::uint8_t { commands, input, weights, partial_sums, residual, output, tables, computes };

struct DoingLooks {
  OperationClass kind;
  const char* label;
};

DoingLooks looks_of(Doing doing) {
  switch (doing) {
    case Doing::commands:
      return {OperationClass::control, "commands"};
    case Doing::input:
      return {OperationClass::read, "IN"};
    case Doing::weights:
      return {OperationClass::coefficients, "W"};
    case Doing::partial_sums:
      return {OperationClass::transfer, "partial sums"};
    case Doing::residual:
      return {OperationClass::read, "residual"};
    case Doing::output:
      return {OperationClass::write, "OUT"};
    case Doing::tables:
      return {OperationClass::control, "tables"};
    case Doing::computes:
      return {OperationClass::multiply_accumulate, "MAC"};
  }
  return {OperationClass::other, ""};
}

struct Stretch {
  double begin = 0, end = 0;
  Doing doing = Doing::input;
};

/// Keeps what resources did, joined so that a run of any length stays small.
class StretchRecorder : public Observer {
 public:
  explicit StretchRecorder(const Program& program)
      : program_(program), stretches_(timeline_resources(program.machine).size()) {}

  void transferred(const TransferRun& run) override {
    const Doing doing = doing_of(run);
    const auto dma = static_cast<std::size_t>(run.tle) + 1;
    const double data = program_.commands_hold_dram ? run.begin + run.command_seconds : run.begin;
    const double command = program_.commands_hold_dram ? run.begin : run.begin - run.command_seconds;
    add(dma, {command, data, Doing::commands});
    add(dma, {data, run.dram_end, doing});
    if (program_.commands_hold_dram) add(0, {command, data, Doing::commands});
    add(0, {data, run.dram_end, doing});
    if (run.rings()) add(static_cast<std::size_t>(ring_resource(program_.machine)), {run.ring_begin, run.end, doing});
  }

  void convolved(const ConvolutionRun& run) override {
    const auto tle = static_cast<std::size_t>(program_.machine.tles) + static_cast<std::size_t>(run.tle) + 1;
    std::vector<Stretch>& of_tle = stretches_[tle];
    // TLTs of a TLE compute side by side: what overlaps is one.
    Stretch joined{run.begin, run.end, Doing::computes};
    while (!of_tle.empty() && of_tle.back().end >= joined.begin) {
      joined.begin = std::min(joined.begin, of_tle.back().begin);
      joined.end = std::max(joined.end, of_tle.back().end);
      of_tle.pop_back();
    }
    add(tle, joined);
  }

  const std::vector<std::vector<Stretch>>& stretches() const { return stretches_; }

 private:
  Doing doing_of(const TransferRun& run) const {
    const Doing load = run.local.memory == Memory::output ? Doing::residual : Doing::input;
    for (const Region& region : program_.regions) {
      if (run.dram_byte < region.first_byte || run.dram_byte >= region.first_byte + region.bytes) continue;
      if (region.kind == RegionKind::input) return load;
      if (region.kind == RegionKind::weights) return Doing::weights;
      if (region.kind == RegionKind::maps) return run.store ? Doing::output : load;
      if (region.kind == RegionKind::tables) return Doing::tables;
      return region.kind == RegionKind::output ? Doing::output : Doing::partial_sums;
    }
    return run.store ? Doing::output : Doing::input;
  }

  void add(std::size_t resource, const Stretch& stretch) {
    if (stretch.end <= stretch.begin) return;
    std::vector<Stretch>& all = stretches_[resource];
    all.push_back(stretch);
    if (all.size() >= 2 * joined_cells) join(all);
  }

  // Two and two neighbours of a kind become one, those with the smallest gaps first, until half are left.
  static void join(std::vector<Stretch>& all) {
    std::stable_sort(all.begin(), all.end(), [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
    for (double gap = (all.back().end - all.front().begin) / (8 * joined_cells); all.size() > joined_cells; gap *= 2) {
      std::vector<Stretch> kept;
      for (const Stretch& next : all) {
        const bool near = !kept.empty() && next.begin - kept.back().end <= gap;
        if (near && (kept.back().doing == next.doing || next.end - next.begin <= gap))
          kept.back().end = std::max(kept.back().end, next.end);
        else
          kept.push_back(next);
      }
      all = std::move(kept);
    }
  }

  const Program& program_;
  std::vector<std::vector<Stretch>> stretches_;
};

}  // namespace

std::shared_ptr<const artifact::Timeline> make_program_timeline(const Program& program, const std::stop_token& stop) {
  StretchRecorder recorder(program);
  const SimulationResult run = simulate(program, {}, &recorder, stop);
  if (run.refusal) return nullptr;
  const double clock = program.machine.clock_hz;
  artifact::TimelineSection section{"run", std::llround(std::ceil(run.seconds * clock)), 1, 0, 0, {}};
  for (std::size_t resource = 0; resource < recorder.stretches().size(); ++resource)
    for (const Stretch& stretch : recorder.stretches()[resource]) {
      const std::int64_t begin = std::clamp<std::int64_t>(std::llround(stretch.begin * clock), 0, section.length);
      const std::int64_t length = std::min<std::int64_t>(std::llround(stretch.end * clock), section.length) - begin;
      const DoingLooks looks = looks_of(stretch.doing);
      if (length > 0)
        section.cells.push_back({static_cast<std::int32_t>(resource), begin, length, 0, 0, looks.kind, looks.label});
    }
  std::stable_sort(section.cells.begin(), section.cells.end(), [](const TimelineCell& a, const TimelineCell& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.resource < b.resource;
  });
  std::vector<artifact::TimelineSection> sections;
  sections.push_back(std::move(section));
  return std::make_shared<const artifact::Timeline>(timeline_resources(program.machine), std::move(sections));
}

}  // namespace convscope::nmp
