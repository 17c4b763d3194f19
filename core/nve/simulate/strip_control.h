#pragma once
// The control logic: load, initial, repeat, final (thesis, section 3.3). Included by strip_simulator.h.

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"

namespace convscope::nve::simulation {

template <typename Observer>
StripSimulator<Observer>::StripSimulator(const Program& program, const ActivationTable& activation, const Host& host,
                                         Observer& observer)
    : program_(program),
      machine_(program.machine),
      activation_(activation),
      host_(host),
      observer_(observer),
      layout_(machine_, program.lane_stride()),
      buffer_(machine_),
      port_a_(machine_.read_to_set),
      port_b_(machine_.read_to_set),
      weights_(program),
      image_(layout_, program.dilation_height),
      multiply_accumulate_(multiply_accumulate_for(machine_.lanes)),
      coefficient_source_(program),
      current_(static_cast<std::size_t>(machine_.accumulators)) {
  note_halves();
  begin_section(0);
}

template <typename Observer>
StripRun StripSimulator<Observer>::run(const std::stop_token& stop) {
  if (load() && run_until(std::numeric_limits<std::int64_t>::max(), stop)) finish();
  return std::move(run_);
}

template <typename Observer>
void StripSimulator<Observer>::refuse(std::int64_t cycle, int address, std::string field, std::string text) {
  if (!run_.hazard) run_.hazard = Hazard{cycle, address, std::move(field), std::move(text)};
}

template <typename Observer>
void StripSimulator<Observer>::refuse(const Step& step, Field field, const std::string& text) {
  refuse(run_.cycles, step.address, field_name(field), field_text(step.instruction, field) + ": " + text);
}

template <typename Observer>
void StripSimulator<Observer>::note_halves() {
  halves_.assign(program_.maps.size(), {});
  for (const SectionTraffic* section : {&program_.initial, &program_.repeat, &program_.pass, &program_.final})
    for (const OutputWord& output : section->outputs)
      halves_[static_cast<std::size_t>(output.map)][static_cast<std::size_t>(output.half)] = true;
}

template <typename Observer>
bool StripSimulator<Observer>::load() {
  steps_.reserve(program_.words.size());
  for (const EncodedWord& word : program_.words) {
    std::string error;
    const auto instruction = decode(word, machine_, &error);
    if (!instruction) {
      refuse(0, static_cast<int>(steps_.size()), "load", error);
      return false;
    }
    steps_.push_back({*instruction,
                      static_cast<int>(steps_.size()),
                      {instruction->mema.update, instruction->memb.update, instruction->memw.update}});
  }
  run_.load_cycles = static_cast<std::int64_t>(steps_.size());
  return true;
}

template <typename Observer>
auto StripSimulator<Observer>::section(int number) const -> Section {
  const int initial = program_.initial_size, repeat = program_.repeat_size;
  if (number == 0) return {&program_.initial, 0, initial, 1, false};
  if (number == 1) return {&program_.repeat, initial, repeat, program_.iterations, true};
  return {&program_.final, initial + repeat, program_.final_size, 1, false};
}

template <typename Observer>
void StripSimulator<Observer>::begin_section(int number) {
  section_ = number;
  if (number == sections) return;
  const Section begun = section(number);
  next_ = begun.begin;
  position_ = {begun.traffic, begun.repeated, 0, 0, 0, 0};
}

template <typename Observer>
int StripSimulator<Observer>::stretch_end() const {
  const Section running = section(section_);
  const int end = running.begin + running.size;
  return running.repeated && position_.pass == 0 ? end - program_.pass_size : end;
}

template <typename Observer>
void StripSimulator<Observer>::end_stretch() {
  const Section running = section(section_);
  if (running.repeated) {
    ring_pointer_ += program_.increment;
    if (ring_pointer_ == program_.toggle) ring_pointer_ = 0;
  }
  if (running.repeated && position_.pass < program_.passes) {
    position_ = {&program_.pass, true, position_.repetition, 0, 0, position_.pass + 1};
    next_ = running.begin + running.size - program_.pass_size;
  } else {
    position_ = {running.traffic, running.repeated, position_.repetition + 1, 0, 0, 0};
    next_ = running.begin;
  }
}

template <typename Observer>
bool StripSimulator<Observer>::run_until(std::int64_t cycle, const std::stop_token& stop) {
  for (; section_ < sections; begin_section(section_ + 1)) {
    const Section running = section(section_);
    while (position_.repetition < running.repetitions) {
      const int end = stretch_end();
      if (stop.stop_requested() || !run_steps(end, cycle)) return false;
      if (next_ < end) return true;
      if (running.size > 0 && end > 0 && !traffic_used_up(steps_[static_cast<std::size_t>(end - 1)])) return false;
      end_stretch();
    }
  }
  return true;
}

/// The instructions up to `end`, as far as they come before the cycle.
template <typename Observer>
bool StripSimulator<Observer>::run_steps(int end, std::int64_t cycle) {
  const std::int64_t count = std::min<std::int64_t>(end - next_, cycle - run_.cycles);
  Step* step = steps_.data() + next_;
  for (Step* const last = step + count; step != last; ++step) {
    execute(*step);
    if (run_.hazard) return false;
    ++run_.cycles;
  }
  next_ += static_cast<int>(count);
  return true;
}

template <typename Observer>
bool StripSimulator<Observer>::traffic_used_up(const Step& last) {
  const std::size_t words = position_.traffic->stream.size() - position_.stream;
  const std::size_t outputs = position_.traffic->outputs.size() - position_.output;
  if (words == 0 && outputs == 0) return true;
  refuse(
      run_.cycles - 1, last.address, "host",
      fmt::format("{} words and {} outputs of the section have no write or ACT; expected none left", words, outputs));
  return false;
}

template <typename Observer>
void StripSimulator<Observer>::execute(Step& step) {
  const Instruction& instruction = step.instruction;
  if (port_a_.arrive(run_.cycles)) observer_.arrived(Field::mema);
  if (port_b_.arrive(run_.cycles)) observer_.arrived(Field::memb);
  apply_registers();
  if (instruction.vector != VectorOperation::none) vector_operation(step);
  if (output_.replaced(run_.cycles)) replace_output();
  if (output_.appears(run_.cycles)) observer_.output_visible();
  if (instruction.activate) activate(step);
  issue_registers(step);
  for (Field field : {Field::mema, Field::memb, Field::memw})
    if (instruction.memory(field).kind == MemoryKindOfAccess::write) write(step, field);
  for (Field field : {Field::mema, Field::memb, Field::memw})
    if (instruction.memory(field).kind == MemoryKindOfAccess::read) read(step, field);
}

template <typename Observer>
void StripSimulator<Observer>::finish() {
  for (std::size_t i = 0; i < output_.size(); ++i) check_halves(output_.at(i), output_.at(i));
}

}  // namespace convscope::nve::simulation
