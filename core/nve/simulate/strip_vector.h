#pragma once
// Accumulators and activation. Included by strip_simulator.h.

#include <algorithm>

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"

namespace convscope::nve::simulation {

inline const char* flaw_text(Flaw::Kind kind) {
  switch (kind) {
    case Flaw::Kind::none:
      break;
    case Flaw::Kind::no_bias:
      return "mac: the accumulators hold no sum; expected a set rb before";
    case Flaw::Kind::no_coefficient:
      return "rw[0] holds no coefficient; expected a set rw, and no shift beyond its last";
    case Flaw::Kind::no_pixels:
      return "mac: ri holds no complete vector; expected a set of all groups, and setsh as first shift where needed";
  }
  return "";
}

template <typename Observer>
void StripSimulator<Observer>::mark_flaw(Accumulators& accumulators, const Step& step, Flaw::Kind kind) {
  if (accumulators.flaw.kind == Flaw::Kind::none) accumulators.flaw = {kind, run_.cycles, step.address};
}

template <typename Observer>
void StripSimulator<Observer>::vector_operation(const Step& step) {
  if (step.instruction.vector == VectorOperation::set_bias) return set_bias(step);
  Accumulators& current = current_[static_cast<std::size_t>(step.instruction.accumulator)];
  if (current.flaw.kind == Flaw::Kind::no_bias && current.macs == 0)
    current.flaw = {Flaw::Kind::no_bias, run_.cycles, step.address};
  ++current.macs;
  const bool coefficient = weights_.loaded(), pixels = image_.complete();
  if (!coefficient) mark_flaw(current, step, Flaw::Kind::no_coefficient);
  if (!pixels) mark_flaw(current, step, Flaw::Kind::no_pixels);
  const std::int32_t weight = coefficient ? weights_.use() : 0;
  observer_.multiplied(step.instruction.accumulator);
  multiply_accumulate_(current.values.data(), image_.use(), layout_.stride, weight);
}

template <typename Observer>
void StripSimulator<Observer>::set_bias(const Step& step) {
  observer_.bias_set(step.instruction.accumulator);
  Accumulators& current = current_[static_cast<std::size_t>(step.instruction.accumulator)];
  Accumulators& moved = output_.push(current);
  moved.moved_cycle = run_.cycles;
  moved.moved_address = step.address;
  moved.visible_cycle = run_.cycles + machine_.output_latency;
  const bool coefficient = weights_.loaded();
  current.values.fill(static_cast<std::uint32_t>(coefficient ? weights_.use() : 0) << program_.bias_shift);
  current.macs = 0;
  current.flaw = {};
  if (!coefficient) mark_flaw(current, step, Flaw::Kind::no_coefficient);
}

template <typename Observer>
void StripSimulator<Observer>::replace_output() {
  check_halves(*output_.replaced(run_.cycles), output_.next());
  output_.pop();
}

template <typename Observer>
void StripSimulator<Observer>::check_halves(const Accumulators& old, const Accumulators& by) {
  if (old.map < 0) return;
  for (std::size_t half : {0U, 1U})
    if (halves_[static_cast<std::size_t>(old.map)][half] && !old.activated[half])
      refuse(by.moved_cycle, by.moved_address, field_name(Field::vmac),
             fmt::format("set rb: half {} of map {}, column {}, is lost; expected an ACT of it before", half, old.map,
                         old.column));
}

template <typename Observer>
void StripSimulator<Observer>::activate(const Step& step) {
  if (position_.output == position_.traffic->outputs.size())
    return refuse(step, Field::act, "the host expects no output of this ACT");
  const OutputWord& item = position_.traffic->outputs[position_.output++];
  if (item.half != step.instruction.half)
    return refuse(step, Field::act, fmt::format("the host expects half {}", item.half));
  if (host_.output_stall) run_.output_stalls += host_.output_stall(output_accesses_);
  ++output_accesses_;
  const std::int64_t column = item.iteration + (position_.repeated ? position_.repetition : 0);
  observer_.activated(item, column);
  if (column < 0 || column >= program_.out_width) return;
  Accumulators* accumulators = output_.visible(run_.cycles);
  if (check_accumulators(step, accumulators, item, column)) deliver(*accumulators, item, column);
}

template <typename Observer>
bool StripSimulator<Observer>::check_accumulators(const Step& step, const Accumulators* accumulators,
                                                  const OutputWord& item, std::int64_t column) {
  if (!accumulators || (accumulators->flaw.kind == Flaw::Kind::no_bias && accumulators->macs == 0)) {
    refuse(step, Field::act,
           fmt::format("no sum of map {}, column {}, is there; expected a set rb at least {} cycles "
                       "before that moves it out",
                       item.map, column, machine_.output_latency));
    return false;
  }
  const Flaw& flaw = accumulators->flaw;
  if (flaw.kind != Flaw::Kind::none) {
    refuse(flaw.cycle, flaw.address, field_name(Field::vmac),
           fmt::format("{} (it is part of map {}, column {})", flaw_text(flaw.kind), item.map, column));
    return false;
  }
  return check_label(step, *accumulators, item, column);
}

template <typename Observer>
bool StripSimulator<Observer>::check_label(const Step& step, const Accumulators& accumulators, const OutputWord& item,
                                           std::int64_t column) {
  if (accumulators.activated[static_cast<std::size_t>(item.half)]) {
    refuse(step, Field::act,
           fmt::format("map {}, column {}: the accumulators are stale, this half left as map {}, column {}; expected "
                       "{} cycles after the next set rb",
                       item.map, column, accumulators.map, accumulators.column, machine_.output_latency));
    return false;
  }
  if (accumulators.map >= 0 && (accumulators.map != item.map || accumulators.column != column)) {
    refuse(step, Field::act,
           fmt::format("map {}, column {}: the other half left as map {}, column {}", item.map, column,
                       accumulators.map, accumulators.column));
    return false;
  }
  return true;
}

template <typename Observer>
void StripSimulator<Observer>::deliver(Accumulators& accumulators, const OutputWord& item, std::int64_t column) {
  accumulators.map = item.map;
  accumulators.column = column;
  accumulators.activated[static_cast<std::size_t>(item.half)] = true;
  const auto count = static_cast<std::size_t>(machine_.activation_lanes());
  const std::uint32_t* from = accumulators.values.data() + static_cast<std::size_t>(item.half) * count;
  for (std::size_t lane = 0; lane < count; ++lane) {
    const std::int32_t shifted = static_cast<std::int32_t>(from[lane]) >> program_.activation_shift;
    result_[lane] = activation_[static_cast<std::size_t>(std::clamp(shifted, -512, 511) + 512)];
  }
  run_.macs += accumulators.macs * machine_.activation_lanes();
  if (host_.accept_sums) host_.accept_sums(item, position_.repetition, {from, count});
  host_.accept(item, position_.repetition, {result_.data(), count});
}

}  // namespace convscope::nve::simulation
