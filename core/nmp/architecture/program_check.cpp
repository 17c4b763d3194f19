#include "core/nmp/architecture/program_check.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "core/arch/field_ranges.h"
#include "core/nmp/architecture/program_fields.h"

namespace convscope::nmp {
namespace {

using arch::RangeVisitor;

class ProgramCheck {
 public:
  ProgramCheck(const Program& program, const std::string& file, Diagnostics& diagnostics)
      : program_(program), file_(file), diagnostics_(diagnostics) {}

  bool all() {
    machine();
    sizes();
    if (!found_.has_errors()) ranges_of("region", program_.regions);
    if (!found_.has_errors()) ranges_of("layer", program_.layers);
    if (!found_.has_errors()) ranges_of("range", program_.ranges);
    if (!found_.has_errors()) places();
    diagnostics_.append(found_);
    return !found_.has_errors();
  }

 private:
  void fail(const std::string& element, const std::string& what, const std::string& expected) {
    found_.error({file_, 0, element}, what, expected);
  }
  void range(const std::string& element, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) fail(element, fmt::format("{}", value), fmt::format("{} to {}", low, high));
  }
  template <typename Part>
  static std::int64_t size(const std::vector<Part>& parts) {
    return static_cast<std::int64_t>(parts.size());
  }

  // Programs are not made for machines whose estimates assume more than the instructions offer.
  void machine() {
    const Machine& m = program_.machine;
    range("machine tles", m.tles, 1, 64);
    range("machine tlts", m.tlts, 1, most_tlts_of_a_tle);
    if (m.array.kind != ArrayKind::pooled) fail("machine array", "lanes or rows", "pooled MACs");
    if (m.joint_memory) fail("machine memory_sharing", "joint", "separate memories");
    if (m.shared_bytes != 0) fail("machine shared_buffer", fmt::format("{} bytes", m.shared_bytes), "0");
    if (m.ring.on) range("machine tles", m.tles, 1, most_tles_of_a_ring);
    if (m != whole_machine(m)) fail("machine double_buffering", "on or chosen", "off: memories in full size");
  }

  void sizes() {
    if (program_.name != clean(program_.name))
      fail("name", "text that is no clean UTF-8", "text without control characters");
    range("level", static_cast<std::int64_t>(program_.level), 0, static_cast<std::int64_t>(level_names.size()) - 1);
    range("dram_bytes", program_.dram_bytes, 0, most_dram_bytes);
    range("number of instructions", size(program_.code), 1, most_instructions);
    range("number of ranges", size(program_.ranges), 0, most_instructions);
    range("number of regions", size(program_.regions), 0, most_parts);
    range("number of layers", size(program_.layers), 0, most_parts);
    range("number of data RAMs", size(program_.data), program_.tlts(), program_.tlts());
    for (std::size_t i = 0; i < program_.data.size(); ++i)
      if (size(program_.data[i]) > data_ram_bytes / 4)
        range(fmt::format("words of data {}", i), size(program_.data[i]), 0, data_ram_bytes / 4);
    for (const std::int64_t bytes : program_.traffic) range("traffic", bytes, 0, std::int64_t{1} << 50);
  }

  template <typename Part>
  void ranges_of(const char* what, const std::vector<Part>& parts) {
    for (std::size_t i = 0; i < parts.size() && found_.count(Severity::error) < Diagnostics::cap; ++i) {
      RangeVisitor visitor(fmt::format("{} {}", what, i), file_, found_);
      visit_fields(visitor, parts[i]);
    }
  }

  void places() {
    regions();
    for (std::size_t i = 0; i < program_.layers.size(); ++i) layer(program_.layers[i], fmt::format("layer {}", i));
    int previous = 0;
    for (std::size_t i = 0; i < program_.ranges.size(); ++i) {
      const CodeRange& part = program_.ranges[i];
      const std::string element = fmt::format("range {}", i);
      range(element + " first", part.first, previous, size(program_.code));
      range(element + " end", std::int64_t{part.first} + part.count, part.first, size(program_.code));
      previous = part.first;
    }
  }

  void regions() {
    std::vector<const Region*> sorted;
    for (const Region& region : program_.regions) sorted.push_back(&region);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Region* a, const Region* b) { return a->first_byte < b->first_byte; });
    tables();
    std::int64_t end = 0;
    for (const Region* region : sorted) {
      const std::string element = fmt::format("region {}", region - program_.regions.data());
      range(element + " first_byte", region->first_byte, end, program_.dram_bytes);
      end = region->first_byte + region->bytes;
      range(element + " end", end, 0, program_.dram_bytes);
    }
  }

  void tables() {
    const auto count = std::count_if(program_.regions.begin(), program_.regions.end(),
                                     [](const Region& region) { return region.kind == RegionKind::tables; });
    range("number of regions of tables", count, 0, 1);
    const Region* const region = program_.tables_region();
    const std::int64_t bytes = region ? region->bytes : 0;
    if (4 * size(program_.tables) != bytes || (region && region->first_byte % 4 != 0))
      fail("tables", fmt::format("{} words", program_.tables.size()),
           fmt::format("the {} bytes of the region of tables, from a multiple of 4 on", bytes));
  }

  void layer(const ProgramLayer& l, const std::string& element) {
    const std::int64_t maps = std::int64_t{l.units} * l.maps_per_unit;
    range(element + " maps", maps, 1, most_maps);
    if (maps > most_maps) return;
    if (l.depthwise) {
      range(element + " groups", l.groups, 1, 1);
      range(element + " channels", l.channels, 1, 1);
    }
    if (!multiplies(l.computation)) tiles(l, element);
    if (l.computation == Computation::dot_product) {
      range(element + " out rows", l.out.rows, 1, 1);
      range(element + " out columns", l.out.columns, 1, 1);
    }
    if (!is_affine(l.computation)) range(element + " offset", l.offset, 0, 0);
    const std::int64_t numbers = l.computation == Computation::table ? table_segments + 1 : 0;
    range(element + " numbers of its table", size(l.table), numbers, numbers);
    range(element + " guard", l.guard, 0, l.shift);
    if (l.partial_sum_bytes == 3 || l.partial_sum_bytes < l.element_bytes)
      fail(element + " partial_sum_bytes", fmt::format("{}", l.partial_sum_bytes),
           "1, 2 or 4, not below element_bytes");
    range(element + " clamp_high", l.clamp_high, l.clamp_low, INT16_MAX);
    const std::int64_t parts = std::accumulate(l.channel_parts.begin(), l.channel_parts.end(), std::int64_t{0});
    range(element + " sum of channel_parts", parts, l.channels, l.channels);
    if (!l.biases.empty()) range(element + " number of biases", size(l.biases), l.groups * maps, l.groups * maps);
    place(l.in, element + " in", 0, l.depthwise ? l.units : std::int64_t{l.groups} * l.channels, l.element_bytes);
    place(l.out, element + " out", 0, l.groups * maps, l.element_bytes);
    if (l.partial_sums.region >= 0)
      place(l.partial_sums, element + " partial_sums", -1, l.groups * maps, l.partial_sum_bytes);
    residual(l, element + " residual");
    if (!has_weights(l.computation)) return range(element + " weights region", l.weights.region, -1, -1);
    // groups * maps is at most 2^40, a filter's elements 2^36.
    const std::int64_t filter =
        (is_spread(l.computation) ? 1
         : is_pair(l.computation) ? std::int64_t{l.out.rows} * l.out.columns
                                  : std::int64_t{l.channels} * l.vertical.kernel * l.horizontal.kernel) *
        l.element_bytes;
    if (in_region(l.weights.region, element + " weights") && l.groups * maps <= most_dram_bytes)
      inside(l.weights.region, l.weights.first_byte, 1, 0, l.groups * maps, filter, filter, element + " weights");
  }

  void residual(const ProgramLayer& l, const std::string& element) {
    if (l.residual.region < 0) {
      if (l.residual != MapsPlace{} || l.residual_shift != 0) fail(element, "a place in no region", "a region");
      return;
    }
    if (!multiplies(l.computation)) return fail(element, std::string(name_of(l.computation)), "sums of products");
    range(element + " rows", l.residual.rows, l.out.rows, l.out.rows);
    range(element + " columns", l.residual.columns, l.out.columns, l.out.columns);
    place(l.residual, element, 0, l.out.maps, l.element_bytes);
  }

  /// Of computations that are no sums of products.
  void tiles(const ProgramLayer& l, const std::string& element) {
    if (!l.depthwise) fail(element + " depthwise", "false", "true: a map of IN for each of OUT");
    range(element + " maps_per_unit", l.maps_per_unit, 1, 1);
    if (is_pool(l.computation)) return;
    if (l.computation == Computation::nearest) return repeats(l, element);
    for (const auto& [axis, name, in, out] : {std::tuple{l.vertical, "rows", l.in.rows, l.out.rows},
                                              std::tuple{l.horizontal, "columns", l.in.columns, l.out.columns}}) {
      range(fmt::format("{} kernel of {}", element, name), axis.kernel, 1, 1);
      range(fmt::format("{} stride of {}", element, name), axis.stride, 1, 1);
      range(fmt::format("{} padding of {}", element, name), axis.padding, 0, 0);
      range(fmt::format("{} in {}", element, name), in, out, out);
    }
  }

  /// Strides say for how many outputs along an axis an input is.
  void repeats(const ProgramLayer& l, const std::string& element) {
    for (const auto& [axis, name, in, out] : {std::tuple{l.vertical, "rows", l.in.rows, l.out.rows},
                                              std::tuple{l.horizontal, "columns", l.in.columns, l.out.columns}}) {
      range(fmt::format("{} kernel of {}", element, name), axis.kernel, 1, 1);
      range(fmt::format("{} padding of {}", element, name), axis.padding, 0, 0);
      range(fmt::format("{} out {}", element, name), out, 1, std::int64_t{in} * axis.stride);
    }
  }

  bool in_region(int region, const std::string& element) {
    range(element + " region", region, 0, size(program_.regions) - 1);
    return region >= 0 && region < size(program_.regions);
  }

  void place(const MapsPlace& p, const std::string& element, int lowest, std::int64_t maps, int bytes) {
    range(element + " region", p.region, lowest, size(program_.regions) - 1);
    range(element + " maps", p.maps, maps, maps);
    range(element + " rows", p.rows, 1, largest_side);
    range(element + " columns", p.columns, 1, largest_side);
    range(element + " row_pitch", p.row_pitch, std::int64_t{p.columns} * bytes, most_dram_bytes);
    if (p.maps > 1)
      range(element + " map_pitch", p.map_pitch, (p.rows - 1) * p.row_pitch + std::int64_t{p.columns} * bytes,
            most_dram_bytes);
    if (p.region < 0 || p.region >= size(program_.regions) || p.maps != maps) return;
    inside(p.region, p.first_byte, p.rows, p.row_pitch, p.maps, p.map_pitch, std::int64_t{p.columns} * bytes, element);
  }

  /// Counts are at most 2^30, pitches and lengths 2^37: products fit.
  void inside(int region, std::int64_t first, std::int64_t rows, std::int64_t row_pitch, std::int64_t maps,
              std::int64_t map_pitch, std::int64_t length, const std::string& element) {
    const Region& r = program_.regions[static_cast<std::size_t>(region)];
    const std::int64_t whole_maps = std::min<std::int64_t>(maps, most_dram_bytes) - 1;
    // No region is larger than 2^30 bytes: longer pitches are beyond it with the second map.
    const std::int64_t end =
        first + std::min<std::int64_t>(map_pitch, std::int64_t{1} << 31) * whole_maps + (rows - 1) * row_pitch + length;
    if (first < r.first_byte || end > r.first_byte + r.bytes)
      fail(element, fmt::format("bytes {} to {}", first, end - 1),
           fmt::format("bytes inside {} to {}", r.first_byte, r.first_byte + r.bytes - 1));
  }

  const Program& program_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  Diagnostics found_;
};

}  // namespace

bool check_program(const Program& program, const std::string& file, Diagnostics& diagnostics) {
  return ProgramCheck(program, file, diagnostics).all();
}

}  // namespace convscope::nmp
