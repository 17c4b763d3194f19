#include "core/nmp/generate/tables.h"

#include <algorithm>
#include <cassert>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

constexpr int word_bytes = 4;

std::uint32_t word(std::int64_t value) {
  return static_cast<std::uint32_t>(value);
}

std::uint32_t shifted(std::int64_t value) {
  return word(value) << 16;
}

bool uses_ring(const LayerPlan& plan) {
  return plan.rings_input() || plan.rings_weights();
}

class TableWriter {
 public:
  TableWriter(const LayerPlan& plan, const LayerLayout& layout, const TablePlaces& places, int tle, int tlt)
      : plan_(plan),
        c_(plan.convolution()),
        layout_(layout),
        places_(places),
        element_(plan.machine().element_bytes),
        units_(plan.units_of(tle, tlt)),
        most_units_(plan.units_of(tle, 0)),
        rows_(plan.rows_of(tle)),
        tle_(tle),
        tlt_(tlt) {
    words_.resize(static_cast<std::size_t>(places.first / word_bytes));
    words_[0] = tlt == 0 ? 1 : 0;
  }

  std::vector<std::uint32_t> make() {
    if (uses_ring(plan_)) add_ring();
    for (int i = 0; i < c_.repeats; ++i) add_group(i);
    for (int i = 0; i < plan_.row_trips(); ++i) add_rows(i);
    for (int i = 0; i < plan_.column_trips(); ++i) add_columns(i);
    for (int i = 0; i < plan_.unit_trips(); ++i) add_units(i);
    for (int i = 0; i < plan_.parts(); ++i) add_part(i);
    for (int i = 0; i < plan_.parts(); ++i)
      for (int n = 0; n < plan_.channel_trips(i); ++n) add_channels(plan_.part(i), n);
    assert(static_cast<int>(words_.size()) * word_bytes == places_.biases);
    return std::move(words_);
  }

 private:
  void add(std::initializer_list<std::uint32_t> entry) { words_.insert(words_.end(), entry); }

  std::uint32_t first_flags() const { return first_channels | (c_.residual ? with_residual : 0); }
  std::int64_t input_map() const { return std::int64_t{c_.rows.in} * c_.columns.in * element_; }
  std::int64_t output_map() const { return std::int64_t{c_.rows.out} * c_.columns.out * element_; }
  std::int64_t channel_weights() const { return std::int64_t{c_.weights_per_map()} * element_; }
  std::int64_t unit_weights() const { return channel_weights() * c_.channels * c_.maps_per_unit; }

  // Of IN the first TLT of a TLE loads all, of W each its own.
  void add_ring() {
    const auto input = plan_.input_sharers(tle_), weights = plan_.weights_sharers(tle_);
    const auto bit = [](int i) { return word(std::int64_t{1} << i); };
    add({tle_ == input.first && tlt_ == 0 ? 1U : 0U, input.tles, bit(input.first), tle_ == weights.first ? 1U : 0U,
         weights.tles, bit(weights.first), bit(tlt_)});
  }

  // A sum of several operands goes on from what it has.
  void add_pass(int i) {
    const std::uint32_t weights = i == 0 ? layout_.weights : layout_.others[static_cast<std::size_t>(i - 1)];
    add({i == 0 ? layout_.input : layout_.output, weights, 0, 0});
  }

  void add_group(int i) {
    if (c_.combines()) return add_pass(i);
    const std::int64_t channels = std::int64_t{i} * c_.channels, units = std::int64_t{i} * c_.units;
    add({word(layout_.input + channels * input_map()), word(layout_.weights + units * unit_weights()),
         word(units * c_.maps_per_unit * output_map()),
         word(std::int64_t{i} * units_.size * c_.maps_per_unit * word_bytes)});
  }

  void add_rows(int i) {
    const Images& images = plan_.images();
    const int image = i / plan_.image_row_trips();
    const Range out = piece_of(rows_, plan_.tiling().rows, i % plan_.image_row_trips());
    const InputRange in = input_of(c_.rows, out);
    add({word((image * images.input_pitch + std::int64_t{in.range.begin} * c_.columns.in) * element_),
         word((image * images.output_pitch + std::int64_t{out.begin} * c_.columns.out) * element_), word(in.range.size),
         word(out.size), word(in.zeros) << 24, i > 0 ? 1U : 0U});
  }

  void add_columns(int i) {
    const Range out = piece_of({0, c_.columns.out}, plan_.tiling().columns, i);
    const InputRange in = input_of(c_.columns, out);
    add({word(std::int64_t{in.range.begin} * element_), word(std::int64_t{out.begin} * element_),
         word(std::int64_t{in.range.size} * element_), word(std::int64_t{out.size} * element_),
         word(std::int64_t{out.size} * plan_.machine().partial_sum_bytes), shifted(in.range.size), shifted(out.size),
         shifted(in.zeros), i > 0 ? 1U : 0U});
  }

  void add_units(int i) {
    const Range units = piece_of(units_, plan_.tiling().units, i);
    const std::int64_t maps = std::int64_t{units.size} * c_.maps_per_unit;
    const int before = units.begin - units_.begin;
    // What comes around the ring comes to those without filters in this step, too.
    const bool tle_has = piece_of(most_units_, plan_.tiling().units, i).size > 0 ||
                         (plan_.rings_input() && plan_.input_sharers(tle_).tles != 0);
    const bool moves = c_.scattered && units.size > 0;
    const Move move = moves ? plan_.computing().moves[static_cast<std::size_t>(units.begin)] : Move{};
    add({moves          ? word(place_of(move.operand) + move.from * element_)
         : c_.depthwise ? word(units.begin * input_map())
                        : 0,
         word(units.begin * unit_weights()),
         word(moves ? move.to * element_ : units.begin * c_.maps_per_unit * output_map()), word(maps) | shifted(1),
         shifted(maps), shifted(units.size),
         word(places_.biases + std::int64_t{before} * c_.maps_per_unit * word_bytes),
         word(plan_.resident() ? before * unit_weights() : 0), word(i * plan_.output_stride()), tle_has ? 1U : 0U,
         units.size > 0 ? 1U : 0U});
  }

  /// Of an operand, from the first on.
  std::int64_t place_of(int operand) const {
    if (operand == 0) return 0;
    return std::int64_t{layout_.others[static_cast<std::size_t>(operand - 1)]} - layout_.input;
  }

  void add_part(int i) {
    const Range channels = plan_.part(i);
    const std::uint32_t mask = (i == 0 ? first_flags() : 0) | (i + 1 == plan_.parts() ? last_channels : 0);
    add({word(channels.begin * input_map()), word(channels.begin * channel_weights()), mask,
         word(places_.channels[at(i)]), word(places_.channels[at(i) + 1])});
  }

  // Filters that stay lie in MB1 with all channels of their part, others with those of the step.
  void add_channels(Range part, int i) {
    const Range channels = piece_of(part, plan_.tiling().channels, i);
    const bool stay = plan_.keeps_weights();
    const std::int64_t before = std::int64_t{channels.begin - part.begin}, held = stay ? part.size : channels.size;
    const std::uint32_t flags = (i == 0 ? first_flags() : 0) | (channels.end() == part.end() ? last_channels : 0);
    add({word(c_.depthwise ? 0 : before * input_map()), word(stay ? 0 : before * channel_weights()),
         word(stay ? before * channel_weights() : 0), word(channels.size), shifted(channels.size),
         word(held * channel_weights()), word(held * c_.weights_per_map()), flags});
  }

  const LayerPlan& plan_;
  const Convolution& c_;
  const LayerLayout& layout_;
  const TablePlaces& places_;
  std::int64_t element_;
  Range units_, most_units_, rows_;
  int tle_, tlt_;
  std::vector<std::uint32_t> words_;
};

/// Elements of each operand of copies, up to the last that is moved; behind them those of the output.
std::vector<std::int64_t> extents_of_moves(const LayerPlan& plan) {
  const std::int64_t length = plan.convolution().columns.out;
  std::vector<std::int64_t> extents;
  std::int64_t output = 0;
  for (const Move& move : plan.computing().moves) {
    const auto operand = static_cast<std::size_t>(move.operand);
    if (extents.size() <= operand) extents.resize(operand + 1);
    extents[operand] = std::max(extents[operand], move.from + length);
    output = std::max(output, move.to + length);
  }
  extents.push_back(output);
  return extents;
}

}  // namespace

LayerLayout layout_of(const LayerPlan& plan) {
  constexpr std::int64_t alignment = 8192;
  const Convolution& c = plan.convolution();
  const std::int64_t element = plan.machine().element_bytes;
  const std::int64_t in_maps = std::int64_t{c.depthwise ? c.units : c.channels} * plan.groups();
  const std::int64_t maps = std::int64_t{c.units} * c.maps_per_unit * plan.groups();
  const Images& images = plan.images();
  std::int64_t inputs = in_maps * c.rows.in * c.columns.in + (images.count - 1) * images.input_pitch;
  std::int64_t outputs = maps * c.rows.out * c.columns.out + (images.count - 1) * images.output_pitch;
  LayerLayout layout;
  if (c.scattered) {
    std::vector<std::int64_t> extents = extents_of_moves(plan);
    outputs = extents.back();
    extents.pop_back();
    inputs = 0;
    for (std::size_t i = 0; i < extents.size(); inputs += extents[i++])
      if (i > 0) layout.others.push_back(word(inputs * element));
  }
  layout.input_bytes = inputs * element;
  const std::int64_t of_operand = maps * c.channels * c.weights_per_map() * element;
  layout.weight_bytes = of_operand * (c.combines() ? plan.passes() : 1);
  layout.output_bytes = outputs * element;
  layout.partial_sum_bytes = plan.parts() > 1 ? outputs * plan.machine().partial_sum_bytes : 0;
  const auto after = [](std::int64_t first, std::int64_t bytes) {
    return divide_up(first + bytes, alignment) * alignment;
  };
  const std::int64_t weights = after(0, layout.input_bytes), output = after(weights, layout.weight_bytes);
  const std::int64_t sums = after(output, layout.output_bytes);
  layout.weights = word(weights);
  for (int i = 1; i < plan.passes() && c.combines(); ++i) layout.others.push_back(word(weights + i * of_operand));
  layout.output = word(output);
  layout.partial_sums = word(sums);
  const std::int64_t residual = plan.parts() > 1 ? after(sums, layout.partial_sum_bytes) : sums;
  layout.residual_bytes = c.residual ? layout.output_bytes : 0;
  layout.residual = word(residual);
  layout.end = c.residual ? after(residual, layout.residual_bytes) : residual;
  return layout;
}

TablePlaces table_places(const LayerPlan& plan, int first_byte) {
  TablePlaces places;
  places.first = first_byte;
  std::int64_t words = first_byte / word_bytes;
  const auto table = [&](std::int64_t entries, int entry_words) {
    const std::int64_t first = words * word_bytes;
    words += entries * entry_words;
    return static_cast<int>(std::min<std::int64_t>(first, INT32_MAX));
  };
  places.ring = table(uses_ring(plan) ? 1 : 0, ring_entry::words);
  places.groups = table(plan.convolution().repeats, group_entry::words);
  places.rows = table(plan.row_trips(), row_entry::words);
  places.columns = table(plan.column_trips(), column_entry::words);
  places.units = table(plan.unit_trips(), unit_entry::words);
  places.parts = table(plan.parts(), part_entry::words);
  for (int i = 0; i < plan.parts(); ++i) places.channels.push_back(table(plan.channel_trips(i), channel_entry::words));
  const Convolution& c = plan.convolution();
  const std::int64_t biases = std::int64_t{plan.units_of(0, 0).size} * c.maps_per_unit * c.repeats;
  places.biases = table(c.multiplies() ? biases : 0, 1);
  places.channels.push_back(places.biases);
  places.function = table(plan.computing().table.empty() ? 0 : table_words, 1);
  places.end = words * word_bytes;
  return places;
}

std::vector<std::uint32_t> tables_of(const LayerPlan& plan, const LayerLayout& layout, const TablePlaces& places,
                                     int tle, int tlt) {
  return TableWriter(plan, layout, places, tle, tlt).make();
}

}  // namespace convscope::nmp
