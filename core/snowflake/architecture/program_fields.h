#pragma once
// The fields of a program's parts, each once: its name in files, its range, where it stands. Printers and readers of
// both forms visit them, so that none can forget a field or a range. Private to core/snowflake/architecture.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

// Caps of what a file may ask for.
inline constexpr std::int64_t most_dram_words = std::int64_t{1} << 29;  ///< 1 GB, all that the board has
inline constexpr std::int64_t most_instructions = std::int64_t{1} << 22;
inline constexpr std::int64_t most_parts = 1 << 16;  ///< regions or layers
inline constexpr std::int64_t largest_side = 1 << 20;
inline constexpr std::int64_t largest_kernel = 1024;
inline constexpr std::size_t largest_text = std::size_t{64} << 20;  ///< bytes of either form

inline constexpr std::array<std::string_view, 6> region_kinds{"input",   "maps",         "output",
                                                              "kernels", "instructions", "zeros"};
inline constexpr std::array<std::string_view, 4> layer_kinds{"convolution", "max-pool", "average-pool",
                                                             "fully-connected"};
inline constexpr std::array<std::string_view, 2> kernel_orders{"cooperative", "independent"};
inline constexpr std::array<std::string_view, 5> range_kinds{"setup", "loads", "window", "loop", "jump"};

template <typename Part, typename Plain>
concept PartOf = std::is_same_v<std::remove_const_t<Part>, Plain>;

// A visitor has text(name, value), choice(name, value, names), number(name, value, lowest, highest), flag(name, value)
// and part(name, value), whose value has fields itself.

template <typename Visitor, PartOf<Region> Part>
void visit_fields(Visitor& visit, Part& region) {
  visit.text("name", region.name);
  visit.choice("kind", region.kind, region_kinds);
  visit.number("first_word", region.first_word, 0, most_dram_words);
  visit.number("words", region.words, 0, most_dram_words);
  visit.number("first_layer", region.first_layer, 0, most_parts);
  visit.number("last_layer", region.last_layer, 0, most_parts);
}

template <typename Visitor, PartOf<MapsPlace> Part>
void visit_fields(Visitor& visit, Part& place) {
  visit.number("region", place.region, -1, most_parts);
  visit.number("offset", place.offset, 0, most_dram_words);
  visit.number("height", place.height, 1, largest_side);
  visit.number("width", place.width, 1, largest_side);
  visit.number("channels", place.channels, 1, largest_side);
  visit.number("pitch", place.pitch, 1, largest_side);
}

template <typename Visitor, PartOf<KernelPlace> Part>
void visit_fields(Visitor& visit, Part& place) {
  visit.number("region", place.region, -1, most_parts);
  visit.choice("order", place.order, kernel_orders);
  visit.number("vmacs", place.vmacs, 1, 64);
  visit.number("kernels_per_vmac", place.kernels_per_vmac, 1, largest_side);
  visit.number("span", place.span, 0, largest_side);
}

template <typename Visitor, PartOf<ProgramLayer> Part>
void visit_fields(Visitor& visit, Part& layer) {
  visit.text("name", layer.name);
  visit.choice("kind", layer.kind, layer_kinds);
  visit.part("in", layer.in);
  visit.part("out", layer.out);
  visit.part("bypass", layer.bypass);
  visit.number("kernel_height", layer.kernel_height, 1, largest_kernel);
  visit.number("kernel_width", layer.kernel_width, 1, largest_kernel);
  visit.number("stride_height", layer.stride_height, 1, largest_kernel);
  visit.number("stride_width", layer.stride_width, 1, largest_kernel);
  visit.number("dilation_height", layer.dilation_height, 1, largest_kernel);
  visit.number("dilation_width", layer.dilation_width, 1, largest_kernel);
  visit.number("padding_top", layer.padding_top, 0, largest_kernel);
  visit.number("padding_left", layer.padding_left, 0, largest_kernel);
  visit.number("groups", layer.groups, 1, largest_side);
  visit.flag("relu", layer.relu);
  visit.flag("count_padding", layer.count_padding);
  visit.number("fraction", layer.fraction, 0, 15);
  visit.number("weights_fraction", layer.weights_fraction, 0, 15);
  visit.number("in_fraction", layer.in_fraction, 0, 15);
  visit.number("out_fraction", layer.out_fraction, 0, 15);
  visit.part("kernels", layer.kernels);
}

template <typename Visitor, PartOf<CodeBlock> Part>
void visit_fields(Visitor& visit, Part& block) {
  visit.number("first", block.first, 0, most_instructions);
  visit.number("count", block.count, 0, most_instructions);
  visit.number("dram_word", block.dram_word, 0, most_dram_words);
}

template <typename Visitor, PartOf<CodeRange> Part>
void visit_fields(Visitor& visit, Part& range) {
  visit.choice("kind", range.kind, range_kinds);
  visit.number("first", range.first, 0, most_instructions);
  visit.number("count", range.count, 0, most_instructions);
  visit.number("layer", range.layer, -1, most_parts);
  visit.number("tile", range.tile, -1, largest_side);
  visit.number("window", range.window, -1, largest_side);
}

}  // namespace convscope::snowflake
