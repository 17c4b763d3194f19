#pragma once
// Events in the order of their ticks; at one tick in the order of `step`. Included by core.h.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace convscope::snowflake::simulation {

template <typename Data, typename Observer>
Core<Data, Observer>::Core(const Program& program, Data& data, Observer& observer)
    : program_(program),
      machine_(program.machine),
      data_(data),
      observer_(observer),
      decoded_(std::make_shared<const DecodedCode>(program)),
      code_(*decoded_),
      slots_checked_(program.code.size()),
      last_gather_(-machine_.gather),
      streams_(machine_),
      fifo_capacity_(streams_.work(machine_.store_fifo_bytes)),
      periods_(std::max<std::size_t>(1, program.layers.size())),
      bypass_(std::max<std::size_t>(1, program.layers.size())) {
  result_.layers.resize(bypass_.size());
  for (auto& bank : banks_) bank.assign(static_cast<std::size_t>(machine_.instruction_bank), -1);
  const auto region = [&](int index) -> const Region* {
    return index >= 0 && static_cast<std::size_t>(index) < program.regions.size()
               ? &program.regions[static_cast<std::size_t>(index)]
               : nullptr;
  };
  for (std::size_t i = 0; i < program.layers.size(); ++i) {
    const ProgramLayer& layer = program.layers[i];
    const Region* bypass = region(layer.bypass.region);
    if (bypass != nullptr && layer.bypass.region != layer.in.region)
      bypass_[i] = {bypass->first_word, bypass->first_word + bypass->words};
  }
  begin();
}

/// Block 0 is in bank 0 before the run.
template <typename Data, typename Observer>
void Core<Data, Observer>::begin() {
  if (program_.blocks.empty()) return;
  const CodeBlock& first = program_.blocks.front();
  const auto size = static_cast<std::int64_t>(program_.code.size());
  for (int i = 0; i < std::min(first.count, machine_.instruction_bank); ++i)
    if (first.first >= 0 && std::int64_t{first.first} + i < size)
      banks_[0][static_cast<std::size_t>(i)] = first.first + i;
}

template <typename Data, typename Observer>
SimulationResult Core<Data, Observer>::run(std::int64_t budget, const std::stop_token& stop) {
  while (!halted_)
    if (!issue_next(budget, stop)) break;
  while (going_ && next_event() < never) going_ = step();
  if (going_ && !queue_.empty()) refuse(now_cycle(), queue_.front().instruction, "vector instruction waits for ever");
  finish();
  return std::move(result_);
}

template <typename Data, typename Observer>
void Core<Data, Observer>::run_until(Cycle cycle, std::int64_t budget, const std::stop_token& stop) {
  while (going_ && !halted_ && cycle_ <= cycle)
    if (!issue_next(budget, stop)) return;
  if (going_) advance(cycle);
}

template <typename Data, typename Observer>
std::int64_t Core<Data, Observer>::bytes() const {
  std::size_t bytes = sizeof(*this) + result_.sections.size() * sizeof(LoadSection) +
                      result_.layers.size() * (sizeof(LayerRun) + sizeof(BypassWords)) + periods_.bytes() +
                      slots_checked_.size() / 8 + (banks_[0].size() + banks_[1].size()) * sizeof(std::int32_t) +
                      queue_.size() * sizeof(VectorEntry) + fifo_.size() * sizeof(StoredOutput);
  for (const LoadUnit& unit : units_) bytes += unit.loads.size() * sizeof(LoadEntry);
  return static_cast<std::int64_t>(bytes);
}

template <typename Data, typename Observer>
Tick Core<Data, Observer>::next_event() {
  if (changed_) next_memory_ = next_memory();
  changed_ = false;
  return std::min(next_memory_, vector_end_);
}

/// Everything until the cycle, inclusive.
template <typename Data, typename Observer>
bool Core<Data, Observer>::advance(Cycle cycle) {
  const Tick until = cycle * ticks_per_cycle;
  while (next_event() <= until)
    if (!step()) return false;
  return true;
}

// At one tick: words are stored and streams end, held LDs are let go, the running vector instruction ends, the next
// one starts. The control pipeline comes after all of them; streams begin last, but nothing depends on that.
template <typename Data, typename Observer>
bool Core<Data, Observer>::step() {
  const Tick tick = next_event();
  const bool memory = next_memory_ <= tick;
  move(tick);
  if (memory) {
    end_streams();
    if (storing_ && fifo_.empty()) {
      storing_ = false;
      streams_.end();
      result_.store_busy_cycles += static_cast<double>(tick - store_began_) / ticks_per_cycle;
    }
    if (held_ > 0) release_loads();
    changed_ = true;
  }
  if (vector_end_ <= tick && !finish_vector()) return false;
  if (head_ != Head::running && !queue_.empty()) start_head();
  if (memory) begin_streams();
  return true;
}

/// Lets the memory serve until `tick`.
template <typename Data, typename Observer>
void Core<Data, Observer>::move(Tick tick) {
  while (!fifo_.empty()) {
    const StoredOutput& output = fifo_.front();
    const Tick stored = streams_.reaches(output.level);
    if (stored > tick) break;
    const StoredOutput last = output;
    periods_.stored(static_cast<std::size_t>(output.layer), stored);
    observer_.output_stored(stored);
    fifo_.pop();
    ++drained_;
    if (fifo_.empty()) observer_.store_drained(store_began_, stored, last.layer, last.instruction);
  }
  streams_.move_to(tick);
}

template <typename Data, typename Observer>
Tick Core<Data, Observer>::next_memory() const {
  Tick next = never;
  for (const LoadUnit& unit : units_)
    if (!unit.loads.empty() && !unit.streaming) next = std::min(next, head_start(unit));
  if (streams_.active() > 0) next = std::min(next, streams_.reaches(next_level()));
  return next;
}

/// Of Streams::served at which the memory changes something next.
template <typename Data, typename Observer>
Work Core<Data, Observer>::next_level() const {
  Work level = std::numeric_limits<Work>::max() / 2;
  for (const LoadUnit& unit : units_)
    if (unit.streaming) level = std::min(level, unit.level);
  if (storing_) level = std::min(level, fifo_.back().level);
  if (head_ == Head::waits_for_room) level = std::min(level, room_level(queue_.front()));
  if (held_ == 0) return level;
  for (const LoadUnit& unit : units_)
    for (std::size_t i = 0; i < unit.loads.size(); ++i) {
      const LoadEntry& load = unit.loads[i];
      const auto waiting = static_cast<std::size_t>(load.after - drained_);
      if (load.held && waiting < fifo_.size()) level = std::min(level, fifo_[waiting].level);
    }
  return level;
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::step_or_refuse(const char* waiting) {
  if (next_event() < never) return step();
  return refuse(cycle_, instruction_, fmt::format("waits for ever for {}", waiting));
}

template <typename Data, typename Observer>
void Core<Data, Observer>::finish() {
  const Cycle last = std::max(cycle_, free_);
  result_.cycles = std::max(static_cast<double>(last), static_cast<double>(streams_.now()) / ticks_per_cycle);
  double before = 0;
  const std::vector<Period> periods = periods_.by_layer();
  for (std::size_t i = 0; i < result_.layers.size(); ++i) {
    LayerRun& run = result_.layers[i];
    run.end_cycle = std::max(before, static_cast<double>(periods_.end(i)) / ticks_per_cycle);
    run.cycles = run.end_cycle - before;
    run.period = periods[i];
    before = run.end_cycle;
    result_.total += run.statistics;
  }
}

}  // namespace convscope::snowflake::simulation
