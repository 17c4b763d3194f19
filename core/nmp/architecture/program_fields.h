#pragma once
// The fields of a program's parts, each once: its name in files, its range, where it stands. Writer, reader and check
// visit them, so that none can forget a field or a range. Private to core/nmp/architecture.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/nmp/architecture/configuration.h"
#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

// Caps of what a file may ask for.
inline constexpr std::int64_t most_dram_bytes = std::int64_t{1} << 30;
inline constexpr std::int64_t most_instructions = std::int64_t{1} << 20;
inline constexpr std::int64_t most_parts = 1 << 12;  ///< regions, layers
inline constexpr std::int64_t largest_side = 1 << 16;
inline constexpr std::int64_t largest_kernel = 255;
inline constexpr std::int64_t most_maps = 1 << 20;
inline constexpr int most_tlts_of_a_tle = 32;                       ///< masks have a bit for each
inline constexpr int most_tles_of_a_ring = 32;                      ///< alike
inline constexpr std::size_t largest_text = std::size_t{32} << 20;  ///< bytes

inline constexpr std::array<std::string_view, region_kinds> region_kind_names{"input",  "weights", "partial-sums",
                                                                              "output", "maps",    "tables"};
inline constexpr std::array<std::string_view, code_range_kinds> range_kind_names{
    "setup", "loop", "input", "weights", "partial-sums", "compute", "store", "end"};
inline constexpr std::array<std::string_view, 4> level_names{"volume", "burst", "banked", "walk"};
inline constexpr std::array<std::string_view, traffic_kinds> traffic_names{"input",          "weights", "partial_loads",
                                                                           "partial_stores", "output",  "tables"};

/// Parameters that a file's machine may leave out.
inline constexpr std::array<std::string_view, 3> ring_parameters{"ring", "ring_bytes", "ring_latency"};

template <typename Part, typename Plain>
concept PartOf = std::is_same_v<std::remove_const_t<Part>, Plain>;

// A visitor has text(name, value), choice(name, value, names), number(name, value, lowest, highest), flag(name, value),
// numbers(name, values, lowest, highest) and part(name, value), whose value has fields itself; given(name, is) says
// whether a member that may be left out is there.

template <typename Visitor, PartOf<Region> Part>
void visit_fields(Visitor& visit, Part& region) {
  visit.text("name", region.name);
  visit.choice("kind", region.kind, region_kind_names);
  visit.number("first_byte", region.first_byte, 0, most_dram_bytes);
  visit.number("bytes", region.bytes, 0, most_dram_bytes);
}

template <typename Visitor, PartOf<MapsPlace> Part>
void visit_fields(Visitor& visit, Part& place) {
  visit.number("region", place.region, -1, most_parts);
  visit.number("first_byte", place.first_byte, 0, most_dram_bytes);
  visit.number("maps", place.maps, 0, most_maps);
  visit.number("rows", place.rows, 0, largest_side);
  visit.number("columns", place.columns, 0, largest_side);
  visit.number("row_pitch", place.row_pitch, 0, most_dram_bytes);
  visit.number("map_pitch", place.map_pitch, 0, most_dram_bytes);
}

template <typename Visitor, PartOf<WeightsPlace> Part>
void visit_fields(Visitor& visit, Part& place) {
  visit.number("region", place.region, -1, most_parts);
  visit.number("first_byte", place.first_byte, 0, most_dram_bytes);
}

template <typename Visitor, PartOf<ProgramAxis> Part>
void visit_fields(Visitor& visit, Part& axis) {
  visit.number("kernel", axis.kernel, 1, largest_kernel);
  visit.number("stride", axis.stride, 1, largest_kernel);
  visit.number("dilation", axis.dilation, 1, largest_kernel);
  visit.number("padding", axis.padding, -largest_side, largest_side);
}

template <typename Visitor, PartOf<ProgramLayer> Part>
void visit_fields(Visitor& visit, Part& layer) {
  visit.text("name", layer.name);
  visit.choice("computation", layer.computation, computation_names);
  visit.part("vertical", layer.vertical);
  visit.part("horizontal", layer.horizontal);
  visit.number("groups", layer.groups, 1, most_maps);
  visit.number("channels", layer.channels, 1, most_maps);
  visit.number("units", layer.units, 1, most_maps);
  visit.number("maps_per_unit", layer.maps_per_unit, 1, most_maps);
  visit.flag("depthwise", layer.depthwise);
  visit.number("element_bytes", layer.element_bytes, 1, 2);
  visit.number("partial_sum_bytes", layer.partial_sum_bytes, 1, 4);
  visit.number("shift", layer.shift, 0, largest_shift);
  visit.number("guard", layer.guard, 0, largest_shift);
  visit.number("clamp_low", layer.clamp_low, INT16_MIN, INT16_MAX);
  visit.number("clamp_high", layer.clamp_high, INT16_MIN, INT16_MAX);
  visit.number("slope", layer.slope, INT16_MIN, INT16_MAX);
  visit.numbers("channel_parts", layer.channel_parts, 1, most_maps);
  visit.numbers("biases", layer.biases, INT32_MIN, INT32_MAX);
  visit.part("in", layer.in);
  visit.part("out", layer.out);
  visit.part("partial_sums", layer.partial_sums);
  visit.part("weights", layer.weights);
  if (visit.given("offset", layer.offset != 0)) visit.number("offset", layer.offset, INT16_MIN, INT16_MAX);
  if (visit.given("table", !layer.table.empty())) visit.numbers("table", layer.table, INT16_MIN, INT16_MAX);
  if (!visit.given("residual", layer.residual.region >= 0)) return;
  visit.part("residual", layer.residual);
  visit.number("residual_shift", layer.residual_shift, 0, largest_shift);
}

template <typename Visitor, PartOf<CodeRange> Part>
void visit_fields(Visitor& visit, Part& range) {
  visit.choice("kind", range.kind, range_kind_names);
  visit.number("first", range.first, 0, most_instructions);
  visit.number("count", range.count, 0, most_instructions);
}

}  // namespace convscope::nmp
