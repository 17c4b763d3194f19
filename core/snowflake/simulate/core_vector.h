#pragma once
// The queue of vector instructions and the CUs that execute them in order. Included by core.h.

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake::simulation {

template <typename Data, typename Observer>
bool Core<Data, Observer>::dispatch() {
  const CodeWord& word = *word_;
  const bool writes = word.writes_back;
  const Cycle ready =
      operands_ready(word.rs1, word.opcode == Opcode::mac ? word.rs2 : std::uint8_t{0}, configuration_register,
                     writes ? word.rd : std::uint8_t{0}, writes ? std::uint8_t{cu_stride_register} : std::uint8_t{0});
  wait_control(ready, ControlStall::raw);
  VectorEntry vector;
  vector.word = &word;
  vector.instruction = instruction_;
  vector.configuration = configuration(static_cast<std::uint32_t>(value(configuration_register)));
  std::string what;
  if (!set_operands(vector, machine_, value(word.rd), value(word.rs1), value(word.rs2), value(cu_stride_register),
                    what))
    return refuse(cycle_, instruction_, std::move(what));
  if (vector.output.words > 0 && !check_output(vector)) return false;
  if (!advance(cycle_)) return false;
  while (queue_.size() == static_cast<std::size_t>(machine_.queue))
    if (!step_or_refuse("room in the vector queue")) return false;
  const Cycle free = std::max(cycle_, now_cycle());
  if (!advance(free)) return false;
  wait_control(free, ControlStall::queue_full);
  vector.dispatched = cycle_;
  vector.earliest = cycle_ + (queue_.empty() ? machine_.vector_start : 0);
  vector.bank_wait = std::exchange(bank_wait_, 0);
  vector.unit_wait = std::exchange(unit_wait_, 0);
  if (vector.output.words > 0) vector.write = writes_dispatched_++;
  RunStatistics& statistics = layer(word.layer);
  ++statistics.vector_instructions;
  statistics.macs += macs_of(vector, machine_);
  observer_.issued(cycle_, instruction_, word.layer);
  observer_.vector_dispatched(vector);
  queue_.push(vector);
  if (head_ == Head::none) {
    move(cycle_ * ticks_per_cycle);
    start_head();
  }
  next_word();
  return true;
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::check_output(const VectorEntry& vector) {
  const OutputWords& output = vector.output;
  if (output.low() < 0 || output.high() > program_.dram_words)
    return refuse(
        cycle_, instruction_,
        fmt::format("writes DRAM words {} to {} of {}", output.low(), output.high() - 1, program_.dram_words));
  if (output.bytes() > machine_.store_fifo_bytes)
    return refuse(cycle_, instruction_,
                  fmt::format("writes {} bytes at once, expected at most the store FIFO's {}", output.bytes(),
                              machine_.store_fifo_bytes));
  if (code_.overlaps(output.low(), output.high() - output.low()))
    for (int cu = 0; cu < machine_.cus; ++cu)
      if ((output.cus >> cu & 1) != 0 && code_.overlaps(output.first + output.stride * cu, output.words))
        return refuse(
            cycle_, instruction_,
            fmt::format("CU {} writes DRAM word {}, which holds instructions", cu, output.first + output.stride * cu));
  return true;
}

// Settles when the first instruction of the queue runs, as far as that is known now.
template <typename Data, typename Observer>
void Core<Data, Observer>::start_head() {
  const VectorEntry& vector = queue_.front();
  if (loads_ > 0 && head_ != Head::waits_for_room && waits_for_loads(vector)) {
    head_ = Head::waits_for_data;
    return;
  }
  if (head_ != Head::waits_for_room) data_ready_ = std::max({vector.earliest, free_, now_cycle()});
  if (vector.output.words > 0 && storing_ && room_level(vector) > streams_.served()) {
    head_ = Head::waits_for_room;
    changed_ = true;
    return;
  }
  set_running(std::max(data_ready_, now_cycle()));
}

template <typename Data, typename Observer>
void Core<Data, Observer>::set_running(Cycle start) {
  const VectorEntry& vector = queue_.front();
  if (head_ == Head::waits_for_room) changed_ = true;
  head_ = Head::running;
  const bool gathers = vector.word->opcode == Opcode::mac && vector.word->writes_back && !vector.word->mode &&
                       !vector.configuration.lanes;
  gather_wait_ = gathers ? std::max<Cycle>(0, last_gather_ + machine_.gather - start - vector.cycles) : 0;
  start_ = start + gather_wait_;
  end_ = start_ + vector.cycles;
  if (gathers) last_gather_ = end_;
  vector_end_ = end_ * ticks_per_cycle;
  count_stalls(vector, start_);
  observer_.vector_started(start_, end_);
}

// From when the CUs were free: first the queue was empty (while the control pipeline waited for a bank, for a load
// unit, or worked), then data missed, then room, then the gather adder.
template <typename Data, typename Observer>
void Core<Data, Observer>::count_stalls(const VectorEntry& vector, Cycle start) {
  RunStatistics& statistics = layer(vector.word->layer);
  Cycle at = free_;
  periods_.next_vector();
  const auto add = [&](VectorStall cause, Cycle until) {
    if (until <= at) return;
    statistics.vector_stall_cycles[static_cast<std::size_t>(cause)] += until - at;
    periods_.idle(cause, at, until);
    observer_.vector_stalled(at, until, cause, vector);
    at = until;
  };
  add(VectorStall::instruction_bank, std::min(vector.earliest, at + vector.bank_wait));
  add(VectorStall::load_unit, std::min(vector.earliest, at + vector.unit_wait));
  add(VectorStall::bookkeeping, vector.earliest);
  add(VectorStall::data, data_ready_);
  add(VectorStall::store, start - gather_wait_);
  add(VectorStall::gather, start);
  statistics.vector_cycles += vector.cycles;
  periods_.busy(start, start + vector.cycles);
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::finish_vector() {
  const VectorEntry& vector = queue_.front();
  data_.execute(vector);
  observer_.vector_ran(vector, free_, start_, end_);
  if (vector.output.words > 0 && !push_output(vector)) return false;
  free_ = end_;
  vector_end_ = never;
  head_ = Head::none;
  queue_.pop();
  return true;
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::push_output(const VectorEntry& vector) {
  const std::int64_t low = vector.output.low(), high = vector.output.high();
  for (const LoadUnit& unit : units_)
    for (std::size_t i = 0; i < unit.loads.size(); ++i) {
      const LoadEntry& load = unit.loads[i];
      if (load.dram_word < high && load.dram_end() > low && load.after < vector.write &&
          vector.output.touches(load.dram_word, load.dram_end()))
        return refuse(end_, vector.instruction,
                      fmt::format("writes DRAM words {} to {}, which the LD at {} issued before still reads", low,
                                  high - 1, load.instruction));
    }
  const std::int64_t bytes = vector.output.bytes();
  layer(vector.word->layer).bytes[static_cast<std::size_t>(Traffic::outputs)] += bytes;
  const Work from = storing_ ? fifo_.back().level : streams_.served();
  observer_.output_queued(end_, bytes);
  fifo_.push({vector.output, vector.word->layer, vector.instruction, from + streams_.work(bytes)});
  if (!storing_) {
    storing_ = true;
    store_began_ = streams_.now();
    streams_.begin();
  }
  changed_ = true;
  return true;
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::waits_for_loads(const VectorEntry& vector) const {
  for (const LoadUnit& unit : units_)
    for (std::size_t i = 0; i < unit.loads.size(); ++i)
      if (reads_region_of(vector, unit.loads[i])) return true;
  return false;
}

/// Of Streams::served from which on the FIFO has room for the results.
template <typename Data, typename Observer>
Work Core<Data, Observer>::room_level(const VectorEntry& vector) const {
  return fifo_.back().level + streams_.work(vector.output.bytes()) - fifo_capacity_;
}

}  // namespace convscope::snowflake::simulation
