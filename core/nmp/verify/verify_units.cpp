// What the verifier does with transfers and convolutions.

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "core/nmp/verify/verify_run.h"

namespace convscope::nmp::verification {
namespace {

/// The largest amount that a convolution's sums can have, whatever the data; 2^47 and more don't fit.
bool may_leave_48_bits(const ConvolutionSettings& s) {
  if (!multiplies(s.computation)) return false;
  constexpr std::int64_t limit = (std::int64_t{1} << 47) - 1;
  const int loaded = !s.first     ? 8 * s.partial_sum_bytes - 1 + s.shift - s.guard
                     : s.residual ? 8 * s.element_bytes - 1 + s.residual_shift
                                  : 0;
  if (loaded >= 47) return true;
  const std::int64_t bias = s.first ? std::int64_t{1} << 31 : 0;
  const std::int64_t before = bias + (s.first && !s.residual ? 0 : std::int64_t{1} << loaded);
  const std::int64_t product = std::int64_t{1} << (16 * s.element_bytes - 2);
  const std::int64_t count = std::int64_t{s.channels} * s.taps();
  return before > limit || count > (limit - before) / product;
}

}  // namespace

bool Run::in_memory(int tlt, LocalAddress place, std::int64_t size, const char* what) {
  const std::int64_t there = memory_bytes(machine_, place.memory);
  if (place.byte + size <= there) return true;
  refuse(tlt, Rule::memory_end,
         fmt::format("{} end at byte {} of {}", what, place.byte + size - 1, nmp::name_of(place.memory)),
         fmt::format("less than {}", there));
  return false;
}

void Run::tell(int tlt, const Conflict& conflict, const std::string& where) {
  if (conflict.kind == Conflict::Kind::never_written)
    return report_.at(step_of(tlt), Rule::never_written, fmt::format("it reads byte {} of {}", conflict.byte, where),
                      "bytes that something has written");
  report_.at(step_of(tlt), Rule::race,
             fmt::format("byte {} of {} is {} by the {}, and nothing says who is first", conflict.byte, where,
                         conflict.kind == Conflict::Kind::written ? "written" : "read", name_of(conflict.other)),
             "a wait for it before this instruction is given");
}

void Run::local(int tlt, LocalAddress place, std::int64_t size, bool write, const Epoch& step, int owner) {
  ByteHistory& history = at(owner).memories[static_cast<std::size_t>(place.memory) - 1];
  const std::int64_t begin = place.byte;
  const Clocks& known = clocks(step.agent);
  const auto conflict =
      write ? history.write(begin, begin + size, step, known) : history.read(begin, begin + size, step, known);
  if (conflict) tell(tlt, *conflict, fmt::format("{} of {}", nmp::name_of(place.memory), report_.name_of_tlt(owner)));
}

void Run::transfer(int tlt) {
  Tlt& t = at(tlt);
  const Instruction& i = *t.core.next();
  const bool store = i.operation == Operation::store || i.operation == Operation::store_3d;
  const bool box = i.operation == Operation::load_3d || i.operation == Operation::store_3d;
  const TransferFunction function = transfer_function(i.funct7);
  const TransferShape shape = transfer_shape(t.core.configuration(), function.shape, box);
  const auto place = local_address(t.core.x(i.rs2));
  if (!place || place->memory == Memory::data)
    return refuse(tlt, Rule::illegal_operand, fmt::format("the local address 0x{:08x}", t.core.x(i.rs2)),
                  "an address in MB0, MB1 or MB2");
  const int mine = tlt % machine_.tlts, tle = tlt / machine_.tlts;
  const std::uint32_t mask = function.multicast ? shape.multicast : 1U << mine;
  if (mask == 0 || (machine_.tlts < 32 && mask >> machine_.tlts != 0))
    return refuse(tlt, Rule::illegal_operand, fmt::format("it goes to TLTs 0x{:x}", mask),
                  fmt::format("some of the {} of its TLE", machine_.tlts));
  if (function.ring && !ring_fits(tlt, shape.ring)) return;
  const auto receives = [&](int other) {
    const int other_tle = other / machine_.tlts;
    return (function.ring ? other_tle < 32 && (shape.ring >> other_tle & 1U) != 0 : other_tle == tle) &&
           (mask >> other % machine_.tlts & 1U) != 0;
  };
  const int first = function.ring ? 0 : tlt - mine;
  const int last = function.ring ? static_cast<int>(tlts_.size()) : first + machine_.tlts;
  if (!in_memory(tlt, *place, shape.size(), "its bytes") || !spend(shape.rows * shape.maps + 64)) return;
  const Epoch step = begin(tlt, Unit::dma);
  ++result_.transfers;
  if (shape.size() > 0) {
    const std::uint32_t there = t.core.x(i.rs1);
    const Region* const region = dram_.region_of(shape, there);
    const bool fixed = region && !is_written(region->kind);
    if (!region || (store && fixed) || region->kind == RegionKind::tables)
      return refuse(tlt, Rule::outside_region,
                    region ? fmt::format("it writes '{}' at DRAM byte {}", region->name, there)
                           : fmt::format("{} bytes from DRAM byte {} on lie in no region", shape.size(), there),
                    store ? "partial sums, output or maps" : "bytes of one region");
    if (const auto conflict = dram_.access(*region, shape, there, store, step, clocks(step.agent)))
      tell(tlt, *conflict, "DRAM");
    for (int other = first; other < last; ++other)
      if (receives(other)) local(tlt, *place, shape.size(), !store, step, other);
  }
  const auto known = std::make_shared<const Clocks>(clocks(step.agent));
  for (int other = first; other < last && !broken_; ++other)
    if (receives(other) && spend(static_cast<std::int64_t>(clocks_.size()))) add_post(tlt, other, i.rd, step, known);
}

bool Run::ring_fits(int tlt, std::uint32_t tles) {
  const int tle = tlt / machine_.tlts;
  const std::uint32_t own = tle < 32 ? std::uint32_t{1} << tle : 0;
  const bool beyond = machine_.tles < 32 && tles >> machine_.tles != 0;
  if (machine_.ring.on && !beyond && (tles & own) != 0 && tles != own) return true;
  refuse(tlt, Rule::illegal_operand, fmt::format("it goes around the ring to TLEs 0x{:x}", tles),
         machine_.ring.on ? fmt::format("its own and others of the {}", machine_.tles) : "a machine with a ring");
  return false;
}

// The core waits for it, and nobody else looks at its data RAM: it has come before the next instruction.
void Run::fetch(int tlt) {
  Tlt& t = at(tlt);
  const Instruction& i = *t.core.next();
  const TransferShape shape = transfer_shape(t.core.configuration(), transfer_function(i.funct7).shape, false);
  const auto place = local_address(t.core.x(i.rs2));
  const std::uint32_t there = t.core.x(i.rs1);
  if (!place || place->memory != Memory::data || place->byte % 4 != 0 || shape.row_bytes % 4 != 0 || there % 4 != 0)
    return refuse(tlt, Rule::illegal_operand,
                  fmt::format("{} bytes from DRAM byte {} to the local address 0x{:08x}", shape.row_bytes, there,
                              t.core.x(i.rs2)),
                  "whole words, to the data RAM");
  if (place->byte + shape.row_bytes > data_ram_bytes)
    return refuse(tlt, Rule::memory_end, fmt::format("a table ends at byte {}", place->byte + shape.row_bytes - 1),
                  fmt::format("less than {}", data_ram_bytes));
  if (!spend(shape.row_bytes / 4 + 64)) return;
  begin(tlt, Unit::dma);
  ++result_.transfers;
  if (shape.size() == 0) return;
  const Region* const region = dram_.region_of(shape, there);
  if (!region || region->kind != RegionKind::tables)
    return refuse(tlt, Rule::outside_region, fmt::format("{} bytes from DRAM byte {} on", shape.size(), there),
                  "bytes of the region of tables");
  dram_.count(*region, shape, false);
  t.core.set_data(place->byte, std::span(program_.tables)
                                   .subspan(static_cast<std::size_t>((there - region->first_byte) / 4),
                                            static_cast<std::size_t>(shape.row_bytes / 4)));
}

bool Run::convolution_fits(int tlt, const ConvolutionSettings& s, const LocalAddress& weights,
                           const LocalAddress& out) {
  if (!in_memory(tlt, *local_address(s.in_address), s.in_bytes(), "IN") ||
      !in_memory(tlt, weights, s.weight_bytes(), "W") ||
      !in_memory(tlt, out, std::max(s.bytes_read(), s.bytes_written()), "OUT"))
    return false;
  if (multiplies(s.computation) && s.first && (s.bias % 4 != 0 || s.bias + 4 * s.filters() > data_ram_bytes)) {
    refuse(tlt, Rule::illegal_operand, fmt::format("biases from byte {} of the data RAM on", s.bias),
           fmt::format("a multiple of 4, all below {}", data_ram_bytes));
    return false;
  }
  constexpr std::int64_t table_bytes = 4 * table_words;
  if (s.computation == Computation::table && (s.table % 4 != 0 || s.table + table_bytes > data_ram_bytes)) {
    refuse(tlt, Rule::illegal_operand, fmt::format("a table from byte {} of the data RAM on", s.table),
           fmt::format("a multiple of 4, all below {}", data_ram_bytes));
    return false;
  }
  if (may_leave_48_bits(s))
    report_.at(step_of(tlt), Rule::wide_sum,
               fmt::format("sums of {} products, shift {}, {} guard bits", std::int64_t{s.channels} * s.taps(), s.shift,
                           s.guard),
               "sums that fit 48 bits, whatever the data");
  return true;
}

void Run::convolve(int tlt) {
  Tlt& t = at(tlt);
  const Instruction& i = *t.core.next();
  std::string why;
  const auto s = convolution_settings(t.core.configuration(), computation_of(i), why);
  if (!s) return refuse(tlt, Rule::illegal_operand, why, "a computation");
  const bool has_w = has_weights(s->computation);
  const auto out = local_address(t.core.x(i.rs2)), in = local_address(s->in_address);
  const auto weights = has_w ? local_address(t.core.x(i.rs1)) : std::optional(LocalAddress{Memory::weights, 0});
  if (!in || in->memory != Memory::input || !weights || weights->memory != Memory::weights || !out ||
      out->memory != Memory::output)
    return refuse(tlt, Rule::illegal_operand,
                  fmt::format("IN is at 0x{:08x}, W at 0x{:08x}, OUT at 0x{:08x}", s->in_address, t.core.x(i.rs1),
                              t.core.x(i.rs2)),
                  "MB0, MB1 and MB2");
  if (!convolution_fits(tlt, *s, *weights, *out)) return;
  const Epoch step = begin(tlt, Unit::mac);
  ++result_.convolutions;
  local(tlt, *in, s->in_bytes(), false, step, tlt);
  const std::int64_t pitch = s->filter_pitch * s->element_bytes;
  const bool dense = pitch <= s->filter_bytes();
  if (!spend(s->filters() + static_cast<std::int64_t>(clocks_.size()))) return;
  if (has_w && dense)
    local(tlt, *weights, s->weight_bytes(), false, step, tlt);
  else if (has_w)
    for (std::int64_t filter = 0; filter < s->filters(); ++filter)
      local(tlt, {Memory::weights, weights->byte + static_cast<std::uint32_t>(filter * pitch)}, s->filter_bytes(),
            false, step, tlt);
  if (s->bytes_read() > 0) local(tlt, *out, s->bytes_read(), false, step, tlt);
  local(tlt, *out, s->bytes_written(), true, step, tlt);
  add_post(tlt, tlt, i.rd, step, std::make_shared<const Clocks>(clocks(step.agent)));
}

}  // namespace convscope::nmp::verification
