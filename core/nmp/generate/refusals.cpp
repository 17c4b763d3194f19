#include "core/nmp/generate/refusals.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {
namespace {

constexpr int byte_field = 255, half_field = 65535;

std::string too_large(const char* what, std::int64_t value, std::int64_t limit) {
  return fmt::format("{} of {} doesn't fit the program, which has room for {}", what, value, limit);
}

/// Fields of an axis in the configuration.
std::string axis_reason(const Axis& axis, const char* name) {
  const auto reason = [&](const char* what, std::int64_t value) {
    return value > byte_field ? too_large(fmt::format("a {} along its {}", what, name).c_str(), value, byte_field)
                              : std::string();
  };
  for (const std::string& why :
       {reason("kernel", axis.kernel), reason("stride", axis.stride), reason("repetition", axis.repeat),
        reason("dilation", axis.dilation), reason("padding", axis.padding)})
    if (!why.empty()) return why;
  return {};
}

bool some_tile_has_no_input(const Axis& axis, Range outputs, int size) {
  for (int i = 0; i * size < outputs.size; ++i) {
    const Range out = piece_of(outputs, size, i);
    if (axis.needs(out.begin, out.size) == 0) return true;
  }
  return false;
}

std::string tile_reason(const LayerPlan& plan) {
  const Convolution& c = plan.convolution();
  const Tiling& t = plan.tiling();
  const std::int64_t filters = std::int64_t{t.units} * c.maps_per_unit;
  if (t.channels > half_field) return too_large("T_N", t.channels, half_field);
  if (filters > half_field) return too_large("T_M in maps", filters, half_field);
  if (c.operation == Operator::pool) return {};  // of nothing, the greatest and the mean are 0
  bool empty = some_tile_has_no_input(c.columns, {0, c.columns.out}, t.columns);
  for (int tle = 0; tle < plan.tles(); ++tle) empty |= some_tile_has_no_input(c.rows, plan.rows_of(tle), t.rows);
  return empty ? "a tile of outputs sees nothing but padding, for which there is no convolution" : "";
}

/// Every product at its largest, with a bias of 32 bit and the residual, or the partial sum before it.
std::string sum_reason(const LayerPlan& plan) {
  if (!plan.convolution().multiplies()) return {};
  constexpr int sum_bits = 48, largest_shift = 47;
  const Convolution& c = plan.convolution();
  const NumberFormat& f = plan.format();
  for (const int shift : {f.shift, f.residual_shift})
    if (shift < 0 || shift > largest_shift) return too_large("a shift", shift, largest_shift);
  const int product_bits = 16 * plan.machine().element_bytes - 2;
  const double most = static_cast<double>(c.channels) * c.taps();
  const auto power = [&](int bits) { return std::int64_t{1} << std::min(bits, sum_bits); };
  const std::int64_t first =
      power(31) + (c.residual ? power(8 * plan.machine().element_bytes - 1 + f.residual_shift) : 0);
  const std::int64_t later = power(8 * plan.machine().partial_sum_bytes - 1 + f.shift - f.guard);
  const double room = static_cast<double>(power(sum_bits - 1) - 1 - std::max(first, later));
  if (most * static_cast<double>(std::int64_t{1} << product_bits) > room)
    return fmt::format("its sums of {} products may need more than the {} bits of an accumulator", most, sum_bits);
  return {};
}

}  // namespace

std::string why_no_program(const Machine& m) {
  constexpr int most_tlts = 32, most_tles = 32;
  if (m.array.kind != ArrayKind::pooled) return "programs are made for pooled MACs alone (array=pooled)";
  if (m.joint_memory) return "programs are made for separate memories alone (memory_sharing=separate)";
  if (m.shared_bytes > 0) return "programs don't use a shared buffer (shared_buffer=0)";
  if (m.ring.on && m.tles > most_tles)
    return fmt::format("programs name the TLEs on the ring by one bit each of {}: {} are too many", most_tles, m.tles);
  if (m.tlts > most_tlts)
    return fmt::format("programs name the TLTs of a TLE by one bit each of {}: {} are too many", most_tlts, m.tlts);
  return {};
}

std::string why_no_program(const Convolution& c, const Computing& computing, const Tiling& t) {
  if (!computing.missing.empty()) return computing.missing;
  if (c.operation != Operator::pairs) return {};
  return t.rows < c.rows.out || t.columns < c.columns.out ? "programs take whole maps of both operands" : "";
}

std::string why_no_program(const Tiling& t) {
  return t.partition == Partition::channels ? "programs don't add up what several TLEs have (channel_partition=off)"
                                            : "";
}

std::string why_no_program(const LayerPlan& plan, const LayerLayout& layout, const TablePlaces& places) {
  const Convolution& c = plan.convolution();
  for (const std::string& why : {axis_reason(c.rows, "rows"), axis_reason(c.columns, "columns"), tile_reason(plan)})
    if (!why.empty()) return why;
  if (c.combines() && c.repeats > 1 && plan.machine().held_twice().any())
    return "programs of more than two operands have memories that hold one tile (double_buffering=off)";
  if (c.maps_per_unit > half_field) return too_large("a number of maps of a group", c.maps_per_unit, half_field);
  if (places.end > data_ram_bytes)
    return fmt::format("its loops and biases need {} bytes of a TLT's data RAM, which has {}", places.end,
                       data_ram_bytes);
  if (constexpr std::int64_t most = std::int64_t{1} << 30; layout.end > most)  // as in files
    return fmt::format("it needs {} bytes of DRAM; programs have at most {}", layout.end, most);
  return sum_reason(plan);
}

}  // namespace convscope::nmp
