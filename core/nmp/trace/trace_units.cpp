#include "core/nmp/trace/trace_units.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/nmp/architecture/assembly.h"

namespace convscope::nmp {
namespace {

using artifact::UnitActivity;
using artifact::UnitCycle;
using State = simulation::Tlt::State;

/// The DRAM has chosen it.
bool is_moving(const TransferRun& run) {
  return run.end > 0;
}

}  // namespace

std::vector<UnitCycle> TraceUnits::all() const {
  std::vector<UnitCycle> units;
  units.reserve(blocks_.schema.units.size());
  for (int tlt = 0; tlt < program_.tlts(); ++tlt) units.push_back(core(tlt));
  for (int tlt = 0; tlt < program_.tlts(); ++tlt) units.push_back(mac_unit(tlt));
  for (int tle = 0; tle < program_.machine.tles; ++tle) units.push_back(dma(tle));
  units.push_back(dram());
  if (blocks_.ring_unit >= 0) units.push_back(ring());
  return units;
}

std::string TraceUnits::text(int unit) const {
  if (unit < blocks_.first_mac_unit) return core_text(unit);
  if (unit < blocks_.first_dma) return mac_text(unit - blocks_.first_mac_unit);
  if (unit < blocks_.dram_unit) return dma_text(unit - blocks_.first_dma);
  return unit == blocks_.dram_unit ? dram_text() : ring_text();
}

int TraceUnits::instruction(int tlt) const {
  const int position = executed(tlt);
  if (position >= 0) return position;
  return tlt_at(tlt).state == State::halted ? -1 : run_.core(tlt).core.position();
}

int TraceUnits::executed(int tlt) const {
  for (const TraceRun::Act& act : events_.acts)
    if (act.tlt == tlt) return act.instruction;
  const TraceRun::FollowedCore& core = run_.core(tlt);
  return core.stepped_in == cycle_ ? core.stepped : -1;
}

const TransferRun* TraceUnits::moving(int tle) const {
  const auto& transfers = tle_at(tle).transfers;
  if (!transfers.empty() && is_moving(transfers.front())) return &transfers.front();
  for (const TransferRun& ended : events_.ended)
    if (ended.tle == tle) return &ended;
  return nullptr;
}

const ConvolutionRun* TraceUnits::computing(int tlt) const {
  const auto& given = tlt_at(tlt).convolutions;
  if (!given.empty()) return &given.front().run;
  for (const ConvolutionRun& computed : events_.computed)
    if (static_cast<int>(program_.tlt(computed.tle, computed.tlt)) == tlt) return &computed;
  return nullptr;
}

UnitCycle TraceUnits::core(int tlt) const {
  if (const int position = executed(tlt); position >= 0) return {UnitActivity::busy, position};
  const State state = tlt_at(tlt).state;
  if (state == State::halted) return {UnitActivity::idle, -1};
  return {state == State::runs ? UnitActivity::idle : UnitActivity::stalled, instruction(tlt)};
}

UnitCycle TraceUnits::mac_unit(int tlt) const {
  const ConvolutionRun* run = computing(tlt);
  return run ? UnitCycle{UnitActivity::busy, run->instruction} : UnitCycle{UnitActivity::idle, -1};
}

UnitCycle TraceUnits::dma(int tle) const {
  const simulation::Tle& t = tle_at(tle);
  if (t.asks_ring) return {UnitActivity::stalled, t.transfers.front().instruction};
  if (const TransferRun* run = moving(tle)) return {UnitActivity::busy, run->instruction};
  if (t.transfers.empty()) return {UnitActivity::idle, -1};
  return {t.asks ? UnitActivity::stalled : UnitActivity::busy, t.transfers.front().instruction};
}

// Where commands hold the DRAM, so does the way around the ring.
const TransferRun* TraceUnits::at_dram() const {
  for (int tle = 0; tle < program_.machine.tles; ++tle)
    if (const TransferRun* run = moving(tle))
      if (!run->rings() || program_.commands_hold_dram || run_.cycle_of(run->dram_end) >= cycle_) return run;
  return nullptr;
}

const TransferRun* TraceUnits::on_ring() const {
  for (int tle = 0; tle < program_.machine.tles; ++tle)
    if (const TransferRun* run = moving(tle); run && run->ring_begin > 0) return run;
  return nullptr;
}

UnitCycle TraceUnits::dram() const {
  const TransferRun* run = at_dram();
  return run ? UnitCycle{UnitActivity::busy, run->instruction} : UnitCycle{UnitActivity::idle, -1};
}

UnitCycle TraceUnits::ring() const {
  const TransferRun* run = on_ring();
  return run ? UnitCycle{UnitActivity::busy, run->instruction} : UnitCycle{UnitActivity::idle, -1};
}

std::string TraceUnits::name_of_tlt(int tlt) const {
  return fmt::format("TLE {} TLT {}", tlt / program_.machine.tlts, tlt % program_.machine.tlts);
}

std::string TraceUnits::core_text(int tlt) const {
  if (const int position = executed(tlt); position >= 0)
    return instruction_text(program_.code[static_cast<std::size_t>(position)]);
  switch (tlt_at(tlt).state) {
    case State::waits:
      return semaphore_text(tlt);
    case State::syncs: {
      const auto& all = run_.run().tlts();
      const auto there = std::count_if(all.begin(), all.end(), [](const simulation::Tlt& each) {
        return each.state == State::syncs || each.state == State::halted;
      });
      return fmt::format("waits for the others to sync: {} of {} are there", there, all.size());
    }
    case State::queues:
      return fmt::format("waits for room in the queue of its {}",
                         is_computation(tlt_at(tlt).core.next()->operation) ? "MAC unit" : "TLE's DMA");
    case State::fetches:
      return "waits for what it fetches from DRAM";
    case State::halted:
      return "has halted";
    case State::runs:
      break;
  }
  return "is between two instructions";
}

std::string TraceUnits::semaphore_text(int tlt) const {
  const simulation::Tlt& t = tlt_at(tlt);
  const Instruction& i = *t.core.next();
  return fmt::format("waits until semaphore {} has {} posts, it has {}: {}", i.rd, t.core.x(i.rs1), t.posts[i.rd],
                     who_posts(tlt, i.rd));
}

// What was given and will post there; of several the first.
std::string TraceUnits::who_posts(int tlt, int semaphore) const {
  const int tle = tlt / program_.machine.tlts;
  const auto& computations = tlt_at(tlt).convolutions;
  for (const simulation::GivenConvolution& given : computations)
    if (given.run.semaphore == semaphore)
      return fmt::format("its MAC unit posts at the end of instruction {}", 4 * given.run.instruction);
  const auto posts = [&](const TransferRun& given) {
    return given.local.memory != Memory::data && given.semaphore == semaphore &&
           given.receives(tle, tlt % program_.machine.tlts);
  };
  std::size_t before = 0;
  for (const TransferRun& given : tle_at(tle).transfers) {
    if (posts(given))
      return fmt::format("the DMA posts at the end of instruction {} of TLT {}, {} transfers are before it",
                         4 * given.instruction, given.tlt, before);
    ++before;
  }
  for (int other = 0; other < program_.machine.tles; ++other)
    for (const TransferRun& given : tle_at(other).transfers)
      if (posts(given))
        return fmt::format("the ring brings it, at the end of instruction {} of TLE {} TLT {}", 4 * given.instruction,
                           other, given.tlt);
  return "nothing that was given posts it";
}

std::string TraceUnits::mac_text(int tlt) const {
  const ConvolutionRun* run = computing(tlt);
  if (run == nullptr) return fmt::format("has nothing to compute; its core: {}", core_text(tlt));
  const ConvolutionSettings& s = run->settings;
  return fmt::format("{} of instruction {}: {} maps of {}x{} from {} maps of {}x{}, posts semaphore {}",
                     name_of(s.computation), 4 * run->instruction, s.filters(), s.out_rows, s.out_columns, s.in_maps(),
                     s.in_rows, s.in_columns, run->semaphore);
}

std::string TraceUnits::transfer_text(const TransferRun& run) const {
  const TransferShape& shape = run.shape;
  std::string text = fmt::format("{} of TLT {}, instruction {}: {} bytes", run.store ? "store" : "load", run.tlt,
                                 4 * run.instruction, shape.size());
  const std::string local = fmt::format("{} byte {}", name_of(run.local.memory), run.local.byte);
  const std::string dram = fmt::format("DRAM byte {}", run.dram_byte);
  text += fmt::format(" from {} to {}", run.store ? local : dram, run.store ? dram : local);
  if (shape.multicast != 0) text += fmt::format(" of TLTs 0x{:x}", shape.multicast);
  if (run.rings()) text += fmt::format(", around the ring to TLEs 0x{:x}", shape.ring);
  return text;
}

std::string TraceUnits::dma_text(int tle) const {
  const simulation::Tle& t = tle_at(tle);
  if (t.asks_ring) return fmt::format("waits for the ring: {}", transfer_text(t.transfers.front()));
  if (const TransferRun* run = moving(tle)) return transfer_text(*run);
  if (t.transfers.empty()) return "no transfer is given";
  if (!t.asks) return "command of the " + transfer_text(t.transfers.front());
  if (const TransferRun* run = at_dram(); run && run->tle != tle)
    return fmt::format("waits for the DRAM, which TLE {} has", run->tle);
  return "waits for the DRAM";
}

std::string TraceUnits::dram_text() const {
  const TransferRun* run = at_dram();
  return run ? fmt::format("TLE {}: {}", run->tle, transfer_text(*run)) : "no DMA asks for it";
}

std::string TraceUnits::ring_text() const {
  const TransferRun* run = on_ring();
  return run ? fmt::format("TLE {}: {}", run->tle, transfer_text(*run)) : "carries nothing";
}

}  // namespace convscope::nmp
