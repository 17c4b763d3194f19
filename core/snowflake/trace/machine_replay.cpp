#include "core/snowflake/trace/machine_replay.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

constexpr std::int64_t stretch = 4096;  // cycles after which what is known is forgotten

std::int64_t data_bytes(const Machine& m) {
  const std::int64_t vmacs = std::int64_t{m.cus} * m.vmacs;
  return word_bytes * (std::int64_t{m.cus} * 2 * m.maps_bank_words + vmacs * 2 * m.kernel_bank_stride()) +
         vmacs * m.macs * static_cast<std::int64_t>(sizeof(std::int64_t) + 2 * sizeof(std::int16_t));
}

}  // namespace

std::int64_t MachineReplay::bytes(const Moment& moment, const Moment* before, const Machine& machine) {
  std::int64_t notes = static_cast<std::int64_t>(moment.computed.size() * sizeof(std::uint64_t));
  for (const WordOrigins& each : moment.origins) notes += each.bytes();
  return moment.core.bytes() + moment.log.bytes() + data_bytes(machine) + notes +
         DramHistory::bytes(moment.dram, before ? &before->dram : nullptr);
}

MachineReplay::MachineReplay(const Program& program, const TraceImages& images, std::vector<std::int16_t> dram,
                             std::int64_t budget)
    : program_(program), images_(images), budget_(budget), dram_(std::move(dram)) {
  restart();
}

void MachineReplay::restart() {
  log_ = {};
  dram_.restart();
  core_.emplace(program_, no_data_, log_);
  data_.emplace(program_.machine, dram_.words(), nullptr);
  values_ = {};
  last_ = {-1, -1, 0, 0};
  origins_.assign(static_cast<std::size_t>(program_.machine.cus), {});
  computed_.assign(static_cast<std::size_t>((images_.growing() + 63) / 64), 0);
  effect_ = 0;
  at_ = 0;
}

void MachineReplay::restore(const Moment& moment, std::int64_t at) {
  core_.emplace(moment.core);
  log_ = moment.log;
  data_.emplace(moment.data);
  dram_.restore(moment.dram);
  values_ = moment.values;
  last_ = moment.last;
  origins_ = moment.origins;
  computed_ = moment.computed;
  effect_ = 0;
  at_ = at;
}

auto MachineReplay::moment() -> Moment {
  log_.effects.erase(log_.effects.begin(), log_.effects.begin() + static_cast<std::ptrdiff_t>(effect_));
  effect_ = 0;
  return {*core_, log_, *data_, dram_.moment(), values_, last_, origins_, computed_};
}

void MachineReplay::learn(std::int64_t cycle, const std::stop_token& stop) {
  std::int64_t until = cycle + 1;
  while (!core_->over() && (core_->control_cycle() <= cycle || log_.vectors_told <= cycle)) {
    core_->run_until(until, budget_, stop);
    until += 64;
  }
  core_->run_until(cycle + 1, budget_, stop);
}

void MachineReplay::advance(std::int64_t cycle, const std::stop_token& stop) {
  while (at_ < cycle) {
    const std::int64_t until = std::min(cycle, at_ + stretch);
    learn(until - 1, stop);
    do_cycles(until);
    // Effects that are done go with the rest; a few cycles are still asked about.
    log_.effects.erase(log_.effects.begin(), log_.effects.begin() + static_cast<std::ptrdiff_t>(effect_));
    effect_ = 0;
    log_.forget(at_ - program_.machine.result_latency - 2);
  }
}

void MachineReplay::do_cycles(std::int64_t until) {
  const auto first = std::partition_point(log_.issues.begin(), log_.issues.end(),
                                          [&](const TraceLog::Issue& issue) { return issue.cycle < at_; });
  for (auto issue = first; issue != log_.issues.end() && issue->cycle < until; ++issue) {
    last_ = *issue;
    if (issue->number != 0) values_[static_cast<std::size_t>(issue->number)] = issue->value;
  }
  for (; effect_ < log_.effects.size() && cycle_of(log_.effects[effect_].tick) < until; ++effect_) {
    const TraceLog::Effect& effect = log_.effects[effect_];
    if (effect.loads) {
      data_->load(effect.load);
      note_load(effect.load);
    } else {
      touch_outputs(effect.vector);
      data_->execute(effect.vector);
      note_results(effect.vector);
    }
  }
  at_ = until;
}

void MachineReplay::note_load(const simulation::LoadEntry& load) {
  if (load.target != LoadTarget::maps || images_.images().empty()) return;
  for (int cu = 0; cu < program_.machine.cus; ++cu)
    if ((load.cus >> cu & 1) != 0)
      origins_[static_cast<std::size_t>(cu)].loaded(load.buffer_word, load.words, load.dram_word);
}

void MachineReplay::note_results(const simulation::VectorEntry& vector) {
  images_.visit_results(vector, program_.machine.cus, [this](const TraceImages::Pixel& pixel) {
    const std::int64_t number = images_.growing_pixel(pixel);
    computed_[static_cast<std::size_t>(number / 64)] |= std::uint64_t{1} << (number % 64);
  });
}

void MachineReplay::touch_outputs(const simulation::VectorEntry& vector) {
  if (vector.output.words == 0) return;
  for (int cu = 0; cu < program_.machine.cus; ++cu)
    if ((vector.output.cus >> cu & 1) != 0)
      dram_.touch(vector.output.first + vector.output.stride * cu, vector.output.words);
}

}  // namespace convscope::snowflake
