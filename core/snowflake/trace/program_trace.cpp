#include "core/snowflake/trace/program_trace.h"

#include <algorithm>
#include <cassert>
#include <mutex>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/trace/machine_replay.h"
#include "core/snowflake/trace/trace_accesses.h"
#include "core/snowflake/trace/window_words.h"
#include "core/target/checkpoints.h"

namespace convscope::snowflake {
namespace {

using artifact::CycleChanges;
using artifact::StateValues;
using artifact::UnitActivity;
using artifact::UnitCycle;

constexpr std::int64_t first_distance = 4096;  // cycles between checkpoints, as long as they are few

/// Of UnitCycle::what, where it is no cause of a stall.
enum Idle : std::int64_t { nothing_queued = 100, run_over, waits_for_stores, waits_for_memory };

class ProgramTrace : public target::Trace {
 public:
  ProgramTrace(Program program, const ProgramData& data, std::int64_t checkpoint_bytes)
      : program_(std::move(program)),
        blocks_(program_),
        replay_(program_, blocks_.images, dram_image(program_, data), most_traced_instructions),
        checkpoints_(checkpoint_bytes, first_distance,
                     [this](const MachineReplay::Moment& moment, const MachineReplay::Moment* before) {
                       return MachineReplay::bytes(moment, before, program_.machine);
                     }) {}

  /// The whole run once, to lay checkpoints and to learn how it ends.
  void run(const std::stop_token& stop) {
    while (true) {
      throw_if_stopped(stop);
      const std::int64_t next = std::min(checkpoints_.next(), replay_.at() + first_distance);
      replay_.learn(next, stop);
      if (replay_.over() && ending() <= next) break;
      replay_.advance(next, stop);
      if (next == checkpoints_.next())
        checkpoints_.keep(next, std::make_unique<const MachineReplay::Moment>(replay_.moment()));
    }
    cycles_ = ending();
    if (const auto& refusal = replay_.core().refusal())
      refusal_ =
          fmt::format("refused in cycle {}, instruction {}: {}", refusal->cycle, refusal->instruction, refusal->what);
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
        result.texts.push_back(text_element(cycle, block, i));
      else
        result.numbers.push_back(element(cycle, block, i));
    }
    return result;
  }

  std::vector<artifact::WindowPixel> window(std::int64_t cycle) const override {
    if (blocks_.window < 0 || cycle < 0) return {};
    const std::lock_guard lock(mutex_);
    seek(cycle + 1);
    const TraceLog::Vector* running = replay_.log().running_at(cycle);
    if (running == nullptr) return {};
    const std::int64_t columns = blocks_.schema.blocks[static_cast<std::size_t>(blocks_.window)].columns;
    const WindowWords words(*running, program_.machine);
    std::vector<artifact::WindowPixel> pixels;
    for (int cu = 0; cu < program_.machine.cus; ++cu)
      for (std::int64_t i = 0; i < std::min(columns, words.count(cu)); ++i) {
        const auto pixel =
            blocks_.images.read(running->entry.word->layer, replay_.origin(cu, words.buffer_word(cu, i)));
        if (!pixel) continue;
        const int block = blocks_.first_image + static_cast<int>(pixel->image);
        const std::int64_t width = blocks_.schema.blocks[static_cast<std::size_t>(block)].columns;
        pixels.push_back({cu * columns + i, block, static_cast<std::int32_t>(pixel->element / width),
                          static_cast<std::int32_t>(pixel->element % width), words.lane(i, cycle)});
      }
    return pixels;
  }

  std::string text(int unit, const CycleChanges& changes) const override {
    const std::lock_guard lock(mutex_);
    seek(changes.cycle + 1);
    const UnitCycle& did = changes.units[static_cast<std::size_t>(unit)];
    if (did.activity == UnitActivity::busy) return work_text(unit, changes.cycle);
    return idle_text(unit, did.what);
  }

  std::string instruction(std::int64_t address) const override {
    if (address < 0 || address >= static_cast<std::int64_t>(program_.code.size())) return {};
    return instruction_text(program_.code[static_cast<std::size_t>(address)]);
  }

 private:
  std::int64_t ending() {
    const auto& refusal = replay_.core().refusal();
    return refusal ? std::max<std::int64_t>(0, refusal->cycle) : replay_.core().end_cycle();
  }

  /// Does the cycles before this one, and no more.
  void seek(std::int64_t cycle) const {
    if (replay_.at() == cycle) return;
    const auto [kept, kept_cycle] = checkpoints_.before(cycle);
    if (replay_.at() > cycle || kept_cycle > replay_.at()) {
      if (kept != nullptr)
        replay_.restore(*kept, kept_cycle);
      else
        replay_.restart();
    }
    replay_.advance(cycle);
  }

  void tell(std::int64_t cycle, CycleChanges& changes) const override {
    const std::lock_guard lock(mutex_);
    seek(cycle + 1);
    const TraceLog& log = replay_.log();
    changes.cycle = cycle;
    changes.address = control_address(cycle);
    changes.iteration = changes.address < 0 ? -1 : replay_.core().code()[static_cast<int>(changes.address)].tile;
    changes.accesses = accesses_of(cycle, log, replay_.core().code(), blocks_, program_.machine);
    changes.units.clear();
    changes.units.push_back(control(cycle));
    changes.units.push_back(compute(cycle));
    for (int unit = 0; unit < program_.machine.load_units; ++unit) changes.units.push_back(load_unit(unit, cycle));
    const bool stores = log.stored_bytes_waiting(cycle) + log.stored_bytes_waiting(cycle - 1) > 0;
    changes.units.push_back({stores ? UnitActivity::busy : UnitActivity::idle, nothing_queued});
  }

  /// Of the instruction that is issued or waits; -1 when the program has halted.
  std::int64_t control_address(std::int64_t cycle) const {
    if (const TraceLog::Issue* issue = replay_.log().issue_at(cycle)) return issue->instruction;
    const TraceLog::Stall* stall = TraceLog::stall_at(replay_.log().control_stalls, cycle);
    return stall ? stall->instruction : -1;
  }

  UnitCycle control(std::int64_t cycle) const {
    if (replay_.log().issue_at(cycle) != nullptr) return {UnitActivity::busy, 0};
    const TraceLog::Stall* stall = TraceLog::stall_at(replay_.log().control_stalls, cycle);
    if (stall == nullptr) return {UnitActivity::idle, run_over};
    return {UnitActivity::stalled, stall->cause};
  }

  UnitCycle compute(std::int64_t cycle) const {
    if (replay_.log().running_at(cycle) != nullptr) return {UnitActivity::busy, 0};
    const TraceLog::Stall* stall = TraceLog::stall_at(replay_.log().vector_stalls, cycle);
    if (stall == nullptr) return {UnitActivity::idle, run_over};
    return {UnitActivity::stalled, stall->cause};
  }

  UnitCycle load_unit(int unit, std::int64_t cycle) const {
    if (replay_.log().streaming_at(unit, cycle) != nullptr) return {UnitActivity::busy, 0};
    const auto pending = replay_.log().pending_at(unit, cycle);
    if (pending.empty()) return {UnitActivity::idle, nothing_queued};
    return {UnitActivity::stalled, pending.front()->held_at(cycle) ? waits_for_stores : waits_for_memory};
  }

  std::string work_text(int unit, std::int64_t cycle) const {
    const TraceLog& log = replay_.log();
    if (unit == TraceBlocks::control_unit) return instruction(control_address(cycle));
    if (unit == TraceBlocks::compute_unit) return vector_text(*log.running_at(cycle));
    if (unit == blocks_.store_unit) return fmt::format("stores, {} bytes wait", log.stored_bytes_waiting(cycle));
    return load_text(log.streaming_at(unit - TraceBlocks::first_load_unit, cycle)->entry);
  }

  std::string idle_text(int unit, std::int64_t what) const {
    constexpr const char* control[] = {"waits for the result of an instruction before", "the vector queue is full",
                                       "the load unit holds as many loads as it can",
                                       "waits for the other bank's instructions"};
    constexpr const char* vector[] = {"waits for loads of what it reads",
                                      "the queue is empty while the control pipeline works, or the first vector starts",
                                      "the queue is empty while the control pipeline waits for instructions",
                                      "the queue is empty while an LD waits for room in its unit",
                                      "waits for room in the store FIFO",
                                      "write-backs of cooperative MACs come too fast"};
    if (what == run_over) return "nothing is left to do";
    if (what == nothing_queued) return unit == blocks_.store_unit ? "nothing is to be stored" : "holds no load";
    if (what == waits_for_stores) return "its load reads words that are still to be stored";
    if (what == waits_for_memory) return "its load waits for the memory's latency, or for the gap between two streams";
    return unit == TraceBlocks::control_unit ? control[what] : vector[what];
  }

  std::string vector_text(const TraceLog::Vector& vector) const { return instruction(vector.entry.instruction); }

  static std::string load_text(const simulation::LoadEntry& load) {
    constexpr const char* targets[] = {"maps", "kernels", "instructions"};
    return fmt::format("{} words of {} from {} to {}", load.words, targets[static_cast<std::size_t>(load.target)],
                       load.dram_word, load.buffer_word);
  }

  std::string text_element(std::int64_t cycle, int block, std::int64_t index) const {
    const TraceLog& log = replay_.log();
    if (cycle < 0) return {};
    if (block == blocks_.control) {
      const UnitCycle did = control(cycle);
      return did.activity == UnitActivity::busy ? instruction(control_address(cycle))
                                                : idle_text(TraceBlocks::control_unit, did.what);
    }
    if (block == blocks_.units) {
      const UnitCycle did = compute(cycle);
      return did.activity == UnitActivity::busy ? vector_text(*log.running_at(cycle))
                                                : idle_text(TraceBlocks::compute_unit, did.what);
    }
    if (block == blocks_.loads) {
      const TraceLog::Load* load = log.streaming_at(static_cast<int>(index), cycle);
      return load ? load_text(load->entry) : std::string();
    }
    const auto queued = log.queued_at(cycle);
    const auto place = static_cast<std::size_t>(index);
    return place < queued.size() ? vector_text(*queued[place]) : std::string();
  }

  std::int64_t element(std::int64_t cycle, int block, std::int64_t index) const {
    const Machine& m = program_.machine;
    const auto i = static_cast<std::size_t>(index);
    if (block == blocks_.registers) return replay_.value(i);
    if (block == blocks_.counters) return counter(index);
    if (block == blocks_.results) return result(cycle, index);
    if (block == blocks_.waiting)
      return static_cast<std::int64_t>(replay_.log().pending_at(static_cast<int>(index), cycle).size());
    if (block == blocks_.fifo) return replay_.log().stored_bytes_waiting(cycle);
    if (blocks_.window >= 0 && block >= blocks_.first_image) return image_element(block, index);
    if (block == blocks_.window) return window_element(cycle, index);
    if (block >= blocks_.first_kernels) {
      const std::int64_t words = 2 * std::int64_t{m.kernel_bank_stride()};
      return replay_.data().kernels(block - blocks_.first_kernels,
                                    static_cast<int>(index / words))[static_cast<std::size_t>(index % words)];
    }
    if (block >= blocks_.first_maps) return replay_.data().maps(block - blocks_.first_maps)[i];
    const int vmac = static_cast<int>(index / m.macs), cu = vmac / m.vmacs;
    const auto lane = static_cast<std::size_t>(index % m.macs);
    if (block == blocks_.accumulators) return replay_.data().accumulators(cu, vmac % m.vmacs)[lane];
    if (block == blocks_.bias) return replay_.data().bias(cu, vmac % m.vmacs)[lane];
    return replay_.data().bypass(cu, vmac % m.vmacs)[lane];
  }

  std::int64_t image_element(int block, std::int64_t index) const {
    const auto number = static_cast<std::size_t>(block - blocks_.first_image);
    const std::int64_t grows = blocks_.images.growing_pixel({number, index});
    if (grows >= 0 && !replay_.computed(grows)) return artifact::no_value;
    return replay_.dram(blocks_.images.dram_word(blocks_.images.images()[number], index));
  }

  std::int64_t window_element(std::int64_t cycle, std::int64_t index) const {
    const TraceLog::Vector* running = cycle < 0 ? nullptr : replay_.log().running_at(cycle);
    if (running == nullptr) return artifact::no_value;
    const std::int64_t columns = blocks_.schema.blocks[static_cast<std::size_t>(blocks_.window)].columns;
    const int cu = static_cast<int>(index / columns);
    const WindowWords words(*running, program_.machine);
    if (index % columns >= words.count(cu)) return artifact::no_value;
    return replay_.data().maps(cu)[static_cast<std::size_t>(words.buffer_word(cu, index % columns))];
  }

  std::int64_t counter(std::int64_t which) const {
    const int instruction = replay_.last_issue().instruction;
    if (instruction < 0) return artifact::no_value;
    if (which == TraceBlocks::address) return instruction;
    const simulation::CodeWord& word = replay_.core().code()[instruction];
    return which == TraceBlocks::layer ? word.layer : word.tile;
  }

  /// The register whose result can be read `index` + 1 cycles behind the cycle.
  std::int64_t result(std::int64_t cycle, std::int64_t index) const {
    const TraceLog::Issue* issue = replay_.log().issue_at(cycle + 1 + index - program_.machine.result_latency);
    if (issue == nullptr || issue->cycle > cycle || issue->number == 0) return artifact::no_value;
    return issue->number;
  }

  const Program program_;
  const TraceBlocks blocks_;
  mutable std::mutex mutex_;
  mutable MachineReplay replay_;
  target::Checkpoints<MachineReplay::Moment> checkpoints_;
  std::int64_t cycles_ = 0;
  std::string refusal_;
};

}  // namespace

std::shared_ptr<const target::Trace> trace_program(Program program, const ProgramData& data,
                                                   std::int64_t checkpoint_bytes, const std::stop_token& stop) {
  auto trace = std::make_shared<ProgramTrace>(std::move(program), data, checkpoint_bytes);
  trace->run(stop);
  return trace;
}

}  // namespace convscope::snowflake
