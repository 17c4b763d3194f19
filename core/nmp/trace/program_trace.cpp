#include "core/nmp/trace/program_trace.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/trace/trace_accesses.h"
#include "core/nmp/trace/trace_elements.h"
#include "core/nmp/trace/trace_units.h"
#include "core/target/checkpoints.h"

namespace convscope::nmp {
namespace {

using artifact::CycleChanges;
using artifact::StateValues;

constexpr std::int64_t first_distance = 4096;  // cycles between checkpoints, as long as they are few

class ProgramTrace : public target::Trace {
 public:
  ProgramTrace(Program program, std::vector<std::uint8_t> dram, int followed, std::int64_t checkpoint_bytes)
      : program_(std::move(program)),
        blocks_(program_),
        followed_(followed),
        run_(program_, std::move(dram)),
        checkpoints_(checkpoint_bytes, first_distance,
                     [this](const TraceRun::Moment& moment, const TraceRun::Moment* before) {
                       return TraceRun::bytes(moment, before, program_);
                     }) {}

  /// The whole run once, to lay checkpoints and to learn how it ends.
  void run(const std::stop_token& stop) {
    while (true) {
      throw_if_stopped(stop);
      const std::int64_t next = std::min(checkpoints_.next(), run_.at() + first_distance);
      if (!run_.advance(next, stop)) break;
      if (next == checkpoints_.next()) checkpoints_.keep(next, std::make_unique<const TraceRun::Moment>(run_.moment()));
    }
    const SimulationResult result = run_.result();
    // A cycle that has only just begun is rounding.
    cycles_ = std::llround(std::ceil(result.seconds * program_.machine.clock_hz - 1e-6));
    if (!result.refusal) return;
    cycles_ = run_.cycle_of(result.refusal->seconds) + 1;
    refusal_ = fmt::format("refused in cycle {}: {}", cycles_ - 1, result.refusal->text());
  }

  const artifact::StateSchema& schema() const override { return blocks_.schema; }
  std::int64_t cycles() const override { return cycles_; }
  const std::string& refusal() const override { return refusal_; }
  std::int64_t checkpoint_bytes() const override { return checkpoints_.bytes(); }

  StateValues values(std::int64_t cycle, int block, std::int64_t first, std::int64_t count) const override {
    assert(cycle >= -1 && cycle < cycles_);
    const std::lock_guard lock(mutex_);
    seek(cycle + 1);
    StateValues result;
    const bool text = blocks_.schema.blocks[static_cast<std::size_t>(block)].format == artifact::StateFormat::text;
    for (std::int64_t i = first; i < first + count; ++i) {
      if (text)
        result.texts.push_back(trace_text_element(run_, blocks_, program_, block, i));
      else
        result.numbers.push_back(trace_element(run_, blocks_, program_, block, i));
    }
    return result;
  }

  std::string text(int unit, const CycleChanges& changes) const override {
    const std::lock_guard lock(mutex_);
    seek(changes.cycle + 1);
    return TraceUnits(run_, blocks_, program_).text(unit);
  }

  std::string instruction(std::int64_t address) const override {
    if (address < 0 || address / 4 >= static_cast<std::int64_t>(program_.code.size())) return {};
    return instruction_text(program_.code[static_cast<std::size_t>(address / 4)]);
  }

 private:
  /// Does the cycles before this one, and no more.
  void seek(std::int64_t cycle) const {
    if (run_.at() == cycle) return;
    const auto [kept, kept_cycle] = checkpoints_.before(cycle);
    if (run_.at() > cycle || kept_cycle > run_.at()) {
      if (kept != nullptr)
        run_.restore(*kept, kept_cycle);
      else
        run_.restart();
    }
    run_.advance(cycle);
  }

  void tell(std::int64_t cycle, CycleChanges& changes) const override {
    const std::lock_guard lock(mutex_);
    seek(cycle + 1);
    const TraceUnits units(run_, blocks_, program_);
    const int position = units.instruction(followed_);
    changes.cycle = cycle;
    changes.address = position < 0 ? -1 : 4 * std::int64_t{position};
    changes.iteration = -1;
    changes.accesses = accesses_of(run_, blocks_, program_);
    changes.units = units.all();
  }

  const Program program_;
  const TraceBlocks blocks_;
  const int followed_;
  mutable std::mutex mutex_;
  mutable TraceRun run_;
  target::Checkpoints<TraceRun::Moment> checkpoints_;
  std::int64_t cycles_ = 0;
  std::string refusal_;
};

}  // namespace

std::shared_ptr<const target::Trace> trace_program(Program program, std::vector<std::uint8_t> dram, int followed,
                                                   std::int64_t checkpoint_bytes, const std::stop_token& stop) {
  auto trace = std::make_shared<ProgramTrace>(std::move(program), std::move(dram), followed, checkpoint_bytes);
  trace->run(stop);
  return trace;
}

}  // namespace convscope::nmp
