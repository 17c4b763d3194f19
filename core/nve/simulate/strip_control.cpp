#include <utility>

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"
#include "core/nve/simulate/strip_simulator.h"

namespace convscope::nve::simulation {
namespace {

std::array<std::int64_t, 3> initial_updates(const Instruction& instruction) {
  return {instruction.mema.update, instruction.memb.update, instruction.memw.update};
}

}  // namespace

StripSimulator::StripSimulator(const Program& program, const ActivationTable& activation, const Host& host)
    : program_(program),
      machine_(program.machine),
      activation_(activation),
      host_(host),
      layout_(machine_, program.lane_stride()),
      buffer_(machine_),
      port_a_(machine_.read_to_set),
      port_b_(machine_.read_to_set),
      weights_(program),
      image_(layout_),
      multiply_accumulate_(multiply_accumulate_for(machine_.lanes)) {
  note_halves();
}

StripRun StripSimulator::run(const std::stop_token& stop) {
  if (load() && run_section(program_.initial, 0, program_.initial_size, 1, false, stop) &&
      run_section(program_.repeat, program_.initial_size, program_.repeat_size, program_.iterations, true, stop) &&
      run_section(program_.final, program_.initial_size + program_.repeat_size, program_.final_size, 1, false, stop))
    finish();
  return std::move(run_);
}

void StripSimulator::refuse(std::int64_t cycle, int address, std::string field, std::string text) {
  if (!run_.hazard) run_.hazard = Hazard{cycle, address, std::move(field), std::move(text)};
}

void StripSimulator::refuse(const Step& step, Field field, const std::string& text) {
  refuse(run_.cycles, step.address, field_name(field), field_text(step.instruction, field) + ": " + text);
}

void StripSimulator::note_halves() {
  halves_.assign(program_.maps.size(), {});
  for (const SectionTraffic* section : {&program_.initial, &program_.repeat, &program_.final})
    for (const OutputWord& output : section->outputs)
      halves_[static_cast<std::size_t>(output.map)][static_cast<std::size_t>(output.half)] = true;
}

bool StripSimulator::load() {
  steps_.reserve(program_.words.size());
  for (const EncodedWord& word : program_.words) {
    std::string error;
    const auto instruction = decode(word, machine_, &error);
    if (!instruction) {
      refuse(0, static_cast<int>(steps_.size()), "load", error);
      return false;
    }
    steps_.push_back({*instruction, static_cast<int>(steps_.size()), initial_updates(*instruction)});
  }
  run_.load_cycles = static_cast<std::int64_t>(steps_.size());
  return true;
}

bool StripSimulator::run_section(const SectionTraffic& traffic, int begin, int size, int repetitions, bool repeated,
                                 const std::stop_token& stop) {
  Step* const first = steps_.data() + begin;
  for (std::int64_t repetition = 0; repetition < repetitions; ++repetition) {
    if (stop.stop_requested()) return false;
    position_ = {&traffic, repeated, repetition, 0, 0};
    for (Step* step = first; step != first + size; ++step) {
      execute(*step);
      if (run_.hazard) return false;
      ++run_.cycles;
    }
    if (size > 0 && !traffic_used_up(*(first + size - 1))) return false;
  }
  return true;
}

bool StripSimulator::traffic_used_up(const Step& last) {
  const std::size_t words = position_.traffic->stream.size() - position_.stream;
  const std::size_t outputs = position_.traffic->outputs.size() - position_.output;
  if (words == 0 && outputs == 0) return true;
  refuse(
      run_.cycles - 1, last.address, "host",
      fmt::format("{} words and {} outputs of the section have no write or ACT; expected none left", words, outputs));
  return false;
}

void StripSimulator::execute(Step& step) {
  const Instruction& instruction = step.instruction;
  port_a_.arrive(run_.cycles);
  port_b_.arrive(run_.cycles);
  apply_registers();
  if (instruction.vector != VectorOperation::none) vector_operation(step);
  if (output_.replaced(run_.cycles)) replace_output();
  if (instruction.activate) activate(step);
  issue_registers(step);
  for (Field field : {Field::mema, Field::memb, Field::memw})
    if (instruction.memory(field).kind == MemoryKindOfAccess::write) write(step, field);
  for (Field field : {Field::mema, Field::memb, Field::memw})
    if (instruction.memory(field).kind == MemoryKindOfAccess::read) read(step, field);
}

void StripSimulator::finish() {
  for (std::size_t i = 0; i < output_.size(); ++i) check_halves(output_.at(i), output_.at(i));
}

}  // namespace convscope::nve::simulation
