#pragma once
// The load units. Included by core.h.

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake::simulation {

template <typename Data, typename Observer>
bool Core<Data, Observer>::issue_load() {
  wait_control(operands_ready(word_->rd, word_->rs1, word_->rs2), ControlStall::raw);
  const auto field = load_field(word_->immediate);
  if (!field) return refuse(cycle_, instruction_, "LD has target 3, expected maps, kernels or instructions");
  const int unit = field->unit;
  if (unit >= machine_.load_units)
    return refuse(cycle_, instruction_, fmt::format("LD has unit {}, the machine has {}", unit, machine_.load_units));
  LoadEntry load;
  if (!read_load(load, *field) || !advance(cycle_)) return false;
  LoadUnit& queue = units_[static_cast<std::size_t>(unit)];
  while (queue.loads.size() == static_cast<std::size_t>(machine_.loads_per_unit))
    if (!step_or_refuse("room in a load unit")) return false;
  const Cycle free = std::max(cycle_, now_cycle());
  if (!advance(free)) return false;
  unit_wait_ += free - cycle_;
  wait_control(free, ControlStall::load_unit_full);
  if (!check_load(load, unit)) return false;
  if (load.target == LoadTarget::instructions && !fill_bank(load)) return false;
  load.request = cycle_ * ticks_per_cycle;
  load.after = write_before(load);
  load.held = load.after >= 0;
  held_ += load.held ? 1 : 0;
  observer_.issued(cycle_, instruction_, word_->layer);
  observer_.load_issued(unit, load, cycle_);
  queue.loads.push(load);
  ++loads_;
  changed_ = true;
  count_load(load, unit);
  next_word();
  return true;
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::read_load(LoadEntry& load, const LoadField& field) {
  load.instruction = instruction_;
  load.layer = word_->layer;
  load.target = field.target;
  load.vmac = field.target == LoadTarget::kernels ? field.vmac : 0;
  load.bank = running_bank_ ^ 1;
  load.cus = static_cast<std::uint8_t>(word_->mode ? (1U << machine_.cus) - 1 : 1U << (field.cu & 7));
  load.buffer_word = value(word_->rd);
  load.dram_word = value(word_->rs1);
  load.words = value(word_->rs2);
  if (!word_->mode && load.target != LoadTarget::instructions && field.cu >= machine_.cus)
    return refuse(cycle_, instruction_, fmt::format("LD for CU {}, the machine has {}", field.cu, machine_.cus));
  if (load.target == LoadTarget::kernels && field.vmac >= machine_.vmacs)
    return refuse(cycle_, instruction_, fmt::format("LD for vMAC {}, a CU has {}", field.vmac, machine_.vmacs));
  if (load.words < 1)
    return refuse(cycle_, instruction_, fmt::format("LD of {} words, expected at least 1", load.words));
  if (load.dram_word < 0 || load.dram_end() > program_.dram_words)
    return refuse(
        cycle_, instruction_,
        fmt::format("LD of DRAM words {} to {} of {}", load.dram_word, load.dram_end() - 1, program_.dram_words));
  std::int64_t size = 2 * std::int64_t{machine_.maps_bank_words};
  if (load.target == LoadTarget::kernels) size = 2 * std::int64_t{machine_.kernel_bank_stride()};
  if (load.target == LoadTarget::instructions) size = std::int64_t{machine_.instruction_bank} * instruction_words;
  if (load.buffer_word < 0 || load.buffer_end() > size)
    return refuse(cycle_, instruction_,
                  fmt::format("LD to words {} to {} of a buffer of {}", load.buffer_word, load.buffer_end() - 1, size));
  load.regions = regions_of(load);
  return true;
}

// The machine doesn't guard its buffers: whoever loads must know that nobody reads any more.
template <typename Data, typename Observer>
bool Core<Data, Observer>::check_load(const LoadEntry& load, int unit) {
  for (std::size_t i = 0; i < queue_.size(); ++i)
    if (reads_region_of(queue_[i], load))
      return refuse(
          cycle_, instruction_,
          fmt::format("LD to buffer words {} to {}, in a region that the vector instruction at {} still reads",
                      load.buffer_word, load.buffer_end() - 1, queue_[i].instruction));
  return check_load_words(load, unit);
}

// Two units are not in order with each other.
template <typename Data, typename Observer>
bool Core<Data, Observer>::check_load_words(const LoadEntry& load, int unit) {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (u == static_cast<std::size_t>(unit)) continue;
    for (std::size_t i = 0; i < units_[u].loads.size(); ++i) {
      const LoadEntry& other = units_[u].loads[i];
      if (other.target == load.target && (other.cus & load.cus) != 0 && other.vmac == load.vmac &&
          other.buffer_word < load.buffer_end() && load.buffer_word < other.buffer_end())
        return refuse(cycle_, instruction_,
                      fmt::format("LD to buffer words {} to {}, which the LD at {} of unit {} is still to fill",
                                  load.buffer_word, load.buffer_end() - 1, other.instruction, u));
    }
  }
  return true;
}

// The bank's new words are there for jumps from now on; a jump waits for `bank_loads_`.
template <typename Data, typename Observer>
bool Core<Data, Observer>::fill_bank(const LoadEntry& load) {
  if (changes_bank_) return refuse(cycle_, instruction_, "LD of instructions in a delay slot of a jump between banks");
  if (load.buffer_word % instruction_words != 0 || load.words % instruction_words != 0)
    return refuse(
        cycle_, instruction_,
        fmt::format("LD of {} words of instructions to word {}, expected even numbers", load.words, load.buffer_word));
  const std::size_t idle = static_cast<std::size_t>(running_bank_) ^ 1;
  for (std::int64_t word = 0; word < load.words; word += instruction_words) {
    const auto index = code_.index_at(load.dram_word + word);
    if (!index)
      return refuse(cycle_, instruction_,
                    fmt::format("LD of instructions from DRAM word {}, where none are", load.dram_word + word));
    banks_[idle][static_cast<std::size_t>((load.buffer_word + word) / instruction_words)] = *index;
  }
  ++bank_loads_[idle];
  return true;
}

/// Number of the last write-back dispatched before that writes a word which `load` reads; -1: none on its way.
template <typename Data, typename Observer>
std::int64_t Core<Data, Observer>::write_before(const LoadEntry& load) const {
  for (std::size_t i = queue_.size(); i-- > 0;)
    if (queue_[i].write >= 0 && queue_[i].output.touches(load.dram_word, load.dram_end())) return queue_[i].write;
  for (std::size_t i = fifo_.size(); i-- > 0;)
    if (fifo_[i].words.touches(load.dram_word, load.dram_end())) return drained_ + static_cast<std::int64_t>(i);
  return -1;
}

template <typename Data, typename Observer>
void Core<Data, Observer>::count_load(const LoadEntry& load, int unit) {
  RunStatistics& statistics = layer(load.layer);
  const std::int64_t bytes = load.words * word_bytes;
  const BypassWords& bypass = bypass_[static_cast<std::size_t>(load.layer)];
  Traffic kind = Traffic::maps;
  if (load.target == LoadTarget::kernels) kind = Traffic::kernels;
  if (load.target == LoadTarget::instructions) kind = Traffic::instructions;
  if (kind == Traffic::maps && load.dram_word >= bypass.first && load.dram_word < bypass.last) kind = Traffic::bypass;
  ++statistics.loads;
  statistics.bytes[static_cast<std::size_t>(kind)] += bytes;
  UnitRun& run = result_.units[static_cast<std::size_t>(unit)];
  ++run.loads;
  run.bytes += bytes;
  auto& sections = result_.sections;
  if (sections.empty() || sections.back().layer != load.layer || sections.back().tile != word_->tile)
    sections.push_back({load.layer, word_->tile, {}});
  sections.back().bytes[static_cast<std::size_t>(unit)] += bytes;
}

template <typename Data, typename Observer>
Tick Core<Data, Observer>::head_start(const LoadUnit& unit) const {
  const LoadEntry& load = unit.loads.front();
  if (load.held) return never;
  return std::max(load.request + machine_.load_latency * ticks_per_cycle,
                  unit.last_end + machine_.load_gap * ticks_per_cycle);
}

template <typename Data, typename Observer>
void Core<Data, Observer>::begin_streams() {
  for (LoadUnit& unit : units_) {
    if (unit.streaming || unit.loads.empty() || head_start(unit) > streams_.now()) continue;
    unit.streaming = true;
    unit.began = streams_.now();
    observer_.load_began(static_cast<int>(&unit - units_.data()), unit.began);
    unit.level = streams_.served() + streams_.load_work(unit.loads.front().words * word_bytes);
    streams_.begin();
    changed_ = true;
  }
}

template <typename Data, typename Observer>
void Core<Data, Observer>::end_streams() {
  for (std::size_t u = 0; u < units_.size(); ++u)
    if (units_[u].streaming && units_[u].level <= streams_.served()) complete_load(u);
}

template <typename Data, typename Observer>
void Core<Data, Observer>::complete_load(std::size_t u) {
  LoadUnit& unit = units_[u];
  const LoadEntry& load = unit.loads.front();
  data_.load(load);
  observer_.load_streamed(static_cast<int>(u), load, unit.began, streams_.now());
  if (load.target == LoadTarget::instructions) --bank_loads_[static_cast<std::size_t>(load.bank)];
  result_.units[u].busy_cycles += static_cast<double>(streams_.now() - unit.began) / ticks_per_cycle;
  unit.streaming = false;
  unit.last_end = streams_.now();
  unit.loads.pop();
  --loads_;
  streams_.end();
  changed_ = true;
}

template <typename Data, typename Observer>
void Core<Data, Observer>::release_loads() {
  for (LoadUnit& unit : units_)
    for (std::size_t i = 0; i < unit.loads.size(); ++i) {
      LoadEntry& load = unit.loads[i];
      if (!load.held || load.after >= drained_) continue;
      observer_.load_released(static_cast<int>(&unit - units_.data()), i, streams_.now());
      load.held = false;
      load.request = streams_.now();
      --held_;
      changed_ = true;
    }
}

}  // namespace convscope::snowflake::simulation
