#include "core/nmp/trace/trace_run.h"

#include <cmath>

namespace convscope::nmp {
namespace {

/// Times are sums of many numbers: what comes so little before a cycle belongs to it.
constexpr double rounding_cycles = 1e-6;

}  // namespace

TraceRun::TraceRun(const Program& program, std::vector<std::uint8_t> dram)
    : program_(program),
      code_(decode(program.code)),
      dram_(std::move(dram)),
      stored_(std::vector<std::uint8_t>(dram_.words().size())) {
  restart();
}

std::int64_t TraceRun::cycle_of(double seconds) const {
  return static_cast<std::int64_t>(std::floor(seconds * program_.machine.clock_hz + rounding_cycles));
}

void TraceRun::restart() {
  dram_.restart();
  stored_.restart();
  run_.emplace(program_, dram_.words(), true, options_, *this, stop_);
  cores_.clear();
  cores_.reserve(run_->tlts().size());
  for (const simulation::Tlt& tlt : run_->tlts()) cores_.emplace_back(tlt.core);
  owners_.assign(cores_.size(), {});
  events_ = {};
  at_ = 0;
  run_->start();
}

void TraceRun::restore(const Moment& moment, std::int64_t at) {
  run_.emplace(moment.run);
  cores_ = moment.cores;
  owners_ = moment.owners;
  events_ = moment.events;
  dram_.restore(moment.dram);
  stored_.restore(moment.written);
  at_ = at;
}

auto TraceRun::moment() -> Moment {
  return {*run_, cores_, owners_, events_, dram_.moment(), stored_.moment()};
}

std::int64_t TraceRun::bytes(const Moment& moment, const Moment* before, const Program& program) {
  const Machine& m = program.machine;
  // Each TLT has two cores here, each with its data RAM, and memories.
  std::int64_t bytes = program.tlts() * (m.input_bytes + m.weight_bytes + m.output_bytes +
                                         2 * static_cast<std::int64_t>(data_ram_bytes + sizeof(FollowedCore)));
  for (const simulation::Tlt& tlt : moment.run.tlts())
    for (const simulation::GivenConvolution& given : tlt.convolutions)
      bytes += static_cast<std::int64_t>(sizeof(given) + 4 * given.biases.size());
  bytes += static_cast<std::int64_t>(sizeof(TransferRun)) * dma_queue * m.tles;
  for (const Owners& owners : moment.owners)
    for (const ByteOwners& each : owners) bytes += each.bytes();
  return bytes + Bytes::bytes(moment.dram, before ? &before->dram : nullptr) +
         Bytes::bytes(moment.written, before ? &before->written : nullptr);
}

bool TraceRun::advance(std::int64_t cycle, const std::stop_token& stop) {
  stop_ = stop;
  const double until = (static_cast<double>(cycle) - rounding_cycles) / program_.machine.clock_hz;
  const bool more = run_->run_until(until);
  stop_ = {};
  at_ = cycle;
  for (FollowedCore& core : cores_) follow(core);
  return more;
}

// Stops by itself before a custom word: what that does the run tells.
void TraceRun::follow(FollowedCore& followed) const {
  const std::int64_t wanted = at_ - followed.begin, missing = wanted - followed.elapsed;
  if (missing <= 0) return;
  followed.elapsed = wanted;
  Core& core = followed.core;
  if (missing > 1 && core.run(missing - 1) < missing - 1) return;
  const int position = core.position();
  std::uint32_t byte = 0;
  if (position < static_cast<int>(code_.size()))
    if (const auto& next = code_[static_cast<std::size_t>(position)])
      byte = core.x(next->rs1) + static_cast<std::uint32_t>(next->immediate);
  if (core.run(1) == 0) return;
  followed.stepped_in = at_ - 1;
  followed.stepped = position;
  followed.stepped_byte = byte;
}

auto TraceRun::events_at(double seconds) -> Events& {
  const std::int64_t cycle = cycle_of(seconds);
  if (events_.cycle != cycle) {
    events_ = {};
    events_.cycle = cycle;
  }
  return events_;
}

void TraceRun::goes_on(int tlt, double seconds, const Core& core) {
  FollowedCore& followed = cores_[static_cast<std::size_t>(tlt)];
  followed.core = core;
  followed.begin = cycle_of(seconds);
  followed.elapsed = 0;
}

void TraceRun::acted(int tlt, int instruction, double seconds) {
  events_at(seconds).acts.push_back({tlt, instruction});
}

void TraceRun::counted(int tlt, int semaphore, double seconds) {
  events_at(seconds).counts.push_back({tlt, semaphore});
}

void TraceRun::transfer_given(const TransferRun& run) {
  events_at(run.issued).given.push_back(run);
}

void TraceRun::transfer_began(const TransferRun& run) {
  Events& events = events_at(run.begin);
  if (events.open_rows.empty()) events.open_rows = open_rows();
}

void TraceRun::convolution_given(const ConvolutionRun& run) {
  events_at(run.issued).computations_given.push_back(run);
}

void TraceRun::transferred(const TransferRun& run) {
  events_at(run.end).ended.push_back(run);
  if (run.store)
    note_store(run);
  else if (run.local.memory != Memory::data)
    note_load(run);
}

void TraceRun::note_store(const TransferRun& run) {
  visit_runs(run, [this](std::int64_t first, std::int64_t bytes) {
    dram_.touch(first, bytes);
    stored_.touch(first, bytes);
    std::ranges::fill(stored_.words().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(bytes)),
                      std::uint8_t{1});
  });
}

void TraceRun::note_load(const TransferRun& run) {
  const Writer writer{tlt_of(run), run.instruction, cycle_of(run.end)};
  for (int tlt = 0; tlt < program_.tlts(); ++tlt)
    if (run.receives(tlt / program_.machine.tlts, tlt % program_.machine.tlts))
      owners_[static_cast<std::size_t>(tlt)][static_cast<std::size_t>(run.local.memory) - 1].written(
          run.local.byte, run.shape.size(), writer);
}

void TraceRun::convolved(const ConvolutionRun& run) {
  events_at(run.end).computed.push_back(run);
  owners_[static_cast<std::size_t>(tlt_of(run))][buffers - 1].written(
      run.out.byte, run.settings.bytes_written(), {tlt_of(run), run.instruction, cycle_of(run.end)});
}

std::vector<int> TraceRun::open_rows() const {
  std::vector<int> rows;
  const dram::Walk* walk = run_->dram_cost().walk();
  if (walk == nullptr) return rows;
  for (const dram::ChannelWalk& channel : walk->channels())
    for (int bank = 0; bank < channel.banks(); ++bank) rows.push_back(channel.open_row(bank));
  return rows;
}

}  // namespace convscope::nmp
