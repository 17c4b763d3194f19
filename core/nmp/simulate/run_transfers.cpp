// What a run does with loads and stores.

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/nmp/simulate/machine_run.h"

namespace convscope::nmp::simulation {
namespace {

/// To behind the last byte that a transfer touches in DRAM; at least the first byte.
std::int64_t end_in_dram(const TransferRun& t) {
  const TransferShape& s = t.shape;
  if (s.size() == 0) return t.dram_byte;
  return std::int64_t{t.dram_byte} + (s.maps - 1) * s.map_pitch + (s.rows - 1) * s.row_pitch + s.row_bytes;
}

TrafficKind traffic_kind(RegionKind kind, bool store) {
  switch (kind) {
    case RegionKind::input:
      return TrafficKind::input;
    case RegionKind::maps:
      return store ? TrafficKind::output : TrafficKind::input;
    case RegionKind::tables:
      return TrafficKind::tables;
    case RegionKind::weights:
      return TrafficKind::weights;
    case RegionKind::partial_sums:
      return store ? TrafficKind::partial_stores : TrafficKind::partial_loads;
    case RegionKind::output:
      break;
  }
  return TrafficKind::output;
}

}  // namespace

void MachineRun::give_transfer(int tlt, double now) {
  Tlt& t = at(tlt);
  const Instruction& i = *t.core.next();
  const TransferFunction function = transfer_function(i.funct7);
  const auto local = local_address(t.core.x(i.rs2));
  const bool fetches = i.operation == Operation::fetch;
  if (!local || (local->memory == Memory::data) != fetches)
    return refuse(tlt, now,
                  fmt::format("the local address 0x{:08x} is {}", t.core.x(i.rs2),
                              fetches ? "not in the data RAM" : "in none of MB0 to MB2"));
  TransferRun transfer;
  transfer.tle = tle_of(tlt);
  transfer.tlt = tlt % machine_.tlts;
  transfer.instruction = t.core.position();
  transfer.issued = now;
  transfer.store = i.operation == Operation::store || i.operation == Operation::store_3d;
  transfer.shape = transfer_shape(t.core.configuration(), function.shape,
                                  i.operation == Operation::load_3d || i.operation == Operation::store_3d);
  if (!function.multicast) transfer.shape.multicast = 0;
  if (!function.ring) transfer.shape.ring = 0;
  transfer.dram_byte = t.core.x(i.rs1);
  transfer.local = *local;
  transfer.semaphore = i.rd;
  if (function.multicast && transfer.shape.multicast == 0) return refuse(tlt, now, "its multicast goes to no TLT");
  if (function.ring && !ring_fits(tlt, transfer, now)) return;
  if (!transfer_fits(tlt, transfer, now)) return;
  Tle& tle = tles_[static_cast<std::size_t>(transfer.tle)];
  if (tle.transfers.size() >= dma_queue) {
    hold_up(tlt, Tlt::State::queues, now);
    tle.queues.push_back(tlt);
    return;
  }
  tle.transfers.push_back(transfer);
  if (shows_cycles_) observer_.transfer_given(transfer);
  if (tle.transfers.size() == 1) start_command(transfer.tle, now);
  if (fetches)
    hold_up(tlt, Tlt::State::fetches, now);
  else
    after(tlt, now);
}

bool MachineRun::ring_fits(int tlt, const TransferRun& t, double now) {
  const std::uint32_t own = t.tle < 32 ? std::uint32_t{1} << t.tle : 0, mask = t.shape.ring;
  std::string why;
  if (!machine_.ring.on)
    why = "it goes around a ring, and the machine has none";
  else if (machine_.tles < 32 && mask >> machine_.tles != 0)
    why = fmt::format("it goes to TLEs 0x{:x}; there are {}", mask, machine_.tles);
  else if ((mask & own) == 0 || mask == own)
    why = fmt::format("it goes around the ring to TLEs 0x{:x}; expected its own and others", mask);
  if (!why.empty()) refuse(tlt, now, why);
  return why.empty();
}

bool MachineRun::transfer_fits(int tlt, const TransferRun& t, double now) {
  const std::uint32_t mask = t.shape.multicast;
  if (machine_.tlts < 32 && mask >> machine_.tlts != 0) {
    refuse(tlt, now, fmt::format("it goes to TLTs 0x{:x}; its TLE has {}", mask, machine_.tlts));
    return false;
  }
  if (end_in_dram(t) > program_.dram_bytes) {
    refuse(tlt, now,
           fmt::format("it reaches DRAM byte {}; expected less than {}", end_in_dram(t) - 1, program_.dram_bytes));
    return false;
  }
  if (t.local.memory == Memory::data && !is_table(t)) {
    refuse(tlt, now, fmt::format("bytes {} to {} of DRAM are no words of a table", t.dram_byte, end_in_dram(t) - 1));
    return false;
  }
  const std::int64_t work = has_data_ ? t.shape.size() : cost_.work(t.shape);
  return in_memory(tlt, t.local, t.shape.size(), t.store ? "what it stores" : "what it loads", now) &&
         spend(work, tlt, now);
}

bool MachineRun::is_table(const TransferRun& t) const {
  const Region* const region = program_.tables_region();
  return region && t.dram_byte % 4 == 0 && t.local.byte % 4 == 0 && t.shape.row_bytes % 4 == 0 &&
         t.dram_byte >= region->first_byte && end_in_dram(t) <= region->first_byte + region->bytes;
}

// In lockstep the command is a part of what the DRAM does; else it is over before the DRAM is asked.
void MachineRun::start_command(int tle, double now) {
  TransferRun& transfer = tles_[static_cast<std::size_t>(tle)].transfers.front();
  transfer.command_seconds = taken(machine_.command_seconds);
  if (program_.commands_hold_dram)
    ask(tle, now);
  else
    events_.plan(now + transfer.command_seconds, Happening::dma_asks, tle);
}

void MachineRun::ask(int tle, double now) {
  Tle& t = tles_[static_cast<std::size_t>(tle)];
  t.asks = true;
  t.asked = now;
  if (!dram_busy_) events_.plan(now, Happening::dram_chooses, 0);
}

// The earliest asked first; of those that asked together the lower TLE.
int MachineRun::earliest(bool Tle::*asks) const {
  int chosen = -1;
  for (int tle = 0; tle < static_cast<int>(tles_.size()); ++tle) {
    const Tle& t = tles_[static_cast<std::size_t>(tle)];
    if (t.*asks && (chosen < 0 || t.asked < tles_[static_cast<std::size_t>(chosen)].asked)) chosen = tle;
  }
  return chosen;
}

void MachineRun::choose(double now) {
  if (dram_busy_) return;
  const int chosen = earliest(&Tle::asks);
  if (chosen < 0) return;
  Tle& tle = tles_[static_cast<std::size_t>(chosen)];
  TransferRun& transfer = tle.transfers.front();
  tle.asks = false;
  dram_busy_ = true;
  transfer.begin = now;
  if (shows_cycles_) observer_.transfer_began(transfer);
  const double moves = taken(cost_.seconds(transfer.shape, transfer.dram_byte, transfer.store));
  transfer.end = transfer.dram_end = now + (program_.commands_hold_dram ? transfer.command_seconds : 0) + moves;
  count(transfer, moves);
  events_.plan(transfer.end, transfer.rings() ? Happening::leaves_dram : Happening::transfer_ends, chosen);
}

// In lockstep nobody else has the DRAM before the tile is where it goes.
void MachineRun::leave_dram(int tle, double now) {
  Tle& t = tles_[static_cast<std::size_t>(tle)];
  t.asks_ring = true;
  t.asked = now;
  if (!ring_busy_) events_.plan(now, Happening::ring_chooses, 0);
  if (program_.commands_hold_dram) return;
  dram_busy_ = false;
  events_.plan(now, Happening::dram_chooses, 0);
}

void MachineRun::choose_for_ring(double now) {
  if (ring_busy_) return;
  const int chosen = earliest(&Tle::asks_ring);
  if (chosen < 0) return;
  Tle& tle = tles_[static_cast<std::size_t>(chosen)];
  TransferRun& transfer = tle.transfers.front();
  tle.asks_ring = false;
  ring_busy_ = true;
  transfer.ring_begin = now;
  if (shows_cycles_) observer_.ring_began(transfer);
  const double moves = taken(ring_seconds(transfer));
  transfer.end = now + moves;
  result_.ring_seconds += moves;
  events_.plan(transfer.end, Happening::transfer_ends, chosen);
}

// Upwards, behind the last TLE on to the first, until all have it.
double MachineRun::ring_seconds(const TransferRun& t) const {
  int hops = 0;
  for (int tle = 0; tle < std::min(machine_.tles, 32); ++tle)
    if ((t.shape.ring >> tle & 1U) != 0) hops = std::max(hops, (tle - t.tle + machine_.tles) % machine_.tles);
  return machine_.ring.seconds(t.shape.size(), hops, machine_.clock_hz);
}

void MachineRun::count(const TransferRun& t, double seconds) {
  TleRun& tle = result_.tles[static_cast<std::size_t>(t.tle)];
  ++tle.transfers;
  tle.transfer_seconds += seconds;
  tle.command_seconds += t.command_seconds;
  result_.dram_seconds += seconds;
  for (const Region& region : program_.regions)
    if (t.dram_byte >= region.first_byte && t.dram_byte - region.first_byte < region.bytes)
      result_.traffic[static_cast<std::size_t>(traffic_kind(region.kind, t.store))] += t.shape.size();
}

void MachineRun::end_transfer(int tle, double now) {
  Tle& t = tles_[static_cast<std::size_t>(tle)];
  const TransferRun transfer = t.transfers.front();
  t.transfers.pop_front();
  if (!transfer.rings() || program_.commands_hold_dram) dram_busy_ = false;
  if (transfer.rings()) ring_busy_ = false;
  const bool fetches = transfer.local.memory == Memory::data;
  observer_.transferred(transfer);
  if (has_data_ && !fetches) move(transfer);
  if (fetches) end_fetch(tle * machine_.tlts + transfer.tlt, transfer, now);
  const auto [first, last] = may_receive(transfer);
  for (int other = first; other < last && !result_.refusal && !fetches; ++other)
    if (transfer.receives(tle_of(other), other % machine_.tlts)) add_post(other, transfer.semaphore, now);
  if (result_.refusal) return;
  if (!t.transfers.empty()) start_command(tle, now);
  if (!t.queues.empty()) {
    const int waiting = t.queues.front();
    t.queues.pop_front();
    released(waiting, now);
    act(waiting, now);
  }
  events_.plan(now, Happening::dram_chooses, 0);
  if (transfer.rings()) events_.plan(now, Happening::ring_chooses, 0);
}

std::pair<int, int> MachineRun::may_receive(const TransferRun& t) const {
  if (t.rings()) return {0, static_cast<int>(tlts_.size())};
  return {t.tle * machine_.tlts, (t.tle + 1) * machine_.tlts};
}

// Tables are known whether data are run or not.
void MachineRun::end_fetch(int tlt, const TransferRun& t, double now) {
  const auto first = static_cast<std::size_t>((t.dram_byte - program_.tables_region()->first_byte) / 4);
  at(tlt).core.set_data(t.local.byte,
                        std::span(program_.tables).subspan(first, static_cast<std::size_t>(t.shape.row_bytes / 4)));
  released(tlt, now);
  after(tlt, now);
}

void MachineRun::move(const TransferRun& t) {
  const TransferShape& s = t.shape;
  if (s.size() == 0) return;
  const auto length = static_cast<std::size_t>(s.row_bytes);
  const auto [first, last] = may_receive(t);
  for (int other = first; other < last; ++other) {
    if (!t.receives(tle_of(other), other % machine_.tlts)) continue;
    std::uint8_t* local = at(other).memory(t.local.memory).data() + t.local.byte;
    for (std::int64_t map = 0; map < s.maps; ++map)
      for (std::int64_t row = 0; row < s.rows; ++row, local += s.row_bytes) {
        std::uint8_t* const there = dram_.data() + t.dram_byte + map * s.map_pitch + row * s.row_pitch;
        if (t.store)
          std::memcpy(there, local, length);
        else
          std::memcpy(local, there, length);
      }
  }
}

}  // namespace convscope::nmp::simulation
