#pragma once
// The loops over the steps of a layer's code, and what is set up before the first step. Private to core/nmp/generate.

#include "core/nmp/architecture/configuration.h"
#include "core/nmp/generate/code_writer.h"
#include "core/nmp/generate/layer_code.h"

namespace convscope::nmp {

class LoopWriter {
 public:
  LoopWriter(const LayerPlan& plan, const Computing& computing, const LayerLayout& layout, const TablePlaces& places,
             bool lockstep)
      : plan_(plan),
        c_(plan.convolution()),
        computing_(computing),
        layout_(layout),
        places_(places),
        lockstep_(lockstep) {}

 protected:
  using Kind = CodeRange::Kind;
  using Label = CodeWriter::Label;

  /// What registers hold: entries that the loops stand at, ends of tables, constants, and what a step needs for a
  /// moment.
  enum : Register {
    zero,
    group,
    row,
    column,
    channel,
    unit,
    part,
    group_end,
    row_end,
    column_end,
    channel_end,
    unit_end,
    part_end,
    first_channel,  // entry of the part
    leader,
    one,
    others,  // TLTs that a leader waits for
    output_start,
    sums_start,
    mb0,
    mb1,
    mb2,
    t0,
    t1,
    t2,
    t3,
    // Where MACs and transfers overlap:
    given_macs,     // 1 if the step has some
    given_store,    // 1 if it has one
    stored_dram,    // where results are to be stored
    stored_local,   // and from where; 0: there are none
    weights_ahead,  // 1 if the first step's W is under way
  };

  /// Shapes of transfers, 8 registers of C each.
  enum : int { input_shape, weights_shape, output_shape, sums_shape };

  void set_up() {
    w_.begin(Kind::setup);
    set_up_pointers();
    set_up_constants();
    set_up_configuration();
  }

  void finish(Program& program) {
    w_.begin(Kind::end);
    w_.sync();
    w_.halt();
    w_.finish(program);
  }

  /// Whether one TLT loads IN for others.
  bool leads() const { return several_tlts() || plan_.rings_input(); }
  bool several_tlts() const { return plan_.machine().tlts > 1; }
  bool several_parts() const { return plan_.parts() > 1; }
  bool several_channel_tiles() const { return several_parts() || plan_.channel_trips(0) > 1; }
  std::int64_t element() const { return plan_.machine().element_bytes; }

  // --- before the first step

  void set_up_pointers() {
    const auto table = [&](Register pointer, Register end, int first, int entries, int words) {
      w_.constant(pointer, static_cast<std::uint32_t>(first));
      if (entries > 1) w_.constant(end, static_cast<std::uint32_t>(first + entries * words * 4));
    };
    table(group, group_end, places_.groups, c_.repeats, group_entry::words);
    table(row, row_end, places_.rows, plan_.row_trips(), row_entry::words);
    table(column, column_end, places_.columns, plan_.column_trips(), column_entry::words);
    table(unit, unit_end, places_.units, plan_.unit_trips(), unit_entry::words);
    table(part, part_end, places_.parts, plan_.parts(), part_entry::words);
    begin_part();
  }

  void begin_part() {
    w_.load(first_channel, part, part_entry::first_channels);
    w_.load(channel_end, part, part_entry::end_channels);
    w_.add(channel, first_channel, 0);
  }

  void set_up_constants() {
    if (leads()) {
      if (plan_.rings_input())
        load_ring_word(leader, ring_entry::loads_input);
      else
        w_.load(leader, zero, places_.leader / 4);
      const int tles = plan_.rings_input() ? plan_.input_sharers(0).count : 1;
      w_.constant(others, static_cast<std::uint32_t>(tles * plan_.machine().tlts - 1));
    }
    w_.constant(one, 1);
    w_.constant(output_start, layout_.output);
    if (several_parts()) w_.constant(sums_start, layout_.partial_sums);
    w_.constant(mb0, encoded({Memory::input, 0}));
    w_.constant(mb1, encoded({Memory::weights, 0}));
    w_.constant(mb2, encoded({Memory::output, 0}));
  }

  void load_ring_word(Register to, int field) {
    w_.constant(to, static_cast<std::uint32_t>(places_.ring));
    w_.load(to, to, field);
  }

  void configure(int even, std::uint32_t first, std::uint32_t second) {
    w_.constant(t0, first);
    w_.constant(t1, second);
    w_.configure(even, t0, t1);
  }

  void set_receivers(int shape, std::uint32_t tlts, int tles) {
    w_.constant(t0, tlts);
    load_ring_word(t1, tles);
    w_.configure(8 * shape + registers::multicast, t0, t1);
  }

  void set_pitches(int shape, std::int64_t rows, std::int64_t maps) {
    configure(8 * shape + registers::row_pitch, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(maps));
  }

  /// Outputs, or partial sums, of so many bytes.
  void set_output_pitches(int shape, std::int64_t bytes) {
    set_pitches(shape, c_.columns.out * bytes, c_.columns.out * bytes * c_.rows.out);
  }

  void set_up_configuration() {
    const Machine& m = plan_.machine();
    const std::int64_t in_row = c_.columns.in * element();
    set_pitches(input_shape, in_row, in_row * c_.rows.in);
    if (c_.has_weights()) set_pitches(weights_shape, c_.channels * c_.weights_per_map() * element(), 0);
    set_output_pitches(output_shape, element());
    if (several_parts()) set_output_pitches(sums_shape, m.partial_sum_bytes);
    const auto all_tlts = static_cast<std::uint32_t>((std::uint64_t{1} << static_cast<unsigned>(m.tlts)) - 1);
    if (plan_.rings_input())
      set_receivers(input_shape, all_tlts, ring_entry::input_tles);
    else if (several_tlts() && !c_.depthwise)
      configure(8 * input_shape + registers::multicast, all_tlts, 0);
    if (plan_.rings_weights()) set_receivers(weights_shape, 0, ring_entry::weights_tles);
    configure(registers::kernel,
              packed_bytes(c_.columns.kernel, c_.rows.kernel, steps_of(c_.columns), steps_of(c_.rows)),
              packed_bytes(c_.columns.dilation, c_.rows.dilation, 0, 0) | packed_halves(0, c_.maps_per_unit));
    const NumberFormat& f = plan_.format();
    const int flags = (m.element_bytes == 2 ? 1 : 0) | (c_.depthwise ? 2 : 0);
    configure(registers::format, packed_bytes(flags, f.shift, f.guard, m.partial_sum_bytes),
              static_cast<std::uint32_t>(f.clamp_low));
    configure(registers::clamp_high, static_cast<std::uint32_t>(f.clamp_high),
              static_cast<std::uint32_t>(f.residual_shift));
    if (computing_.computation == Computation::slope || is_affine(computing_.computation))
      configure(registers::slope, static_cast<std::uint32_t>(computing_.slope),
                static_cast<std::uint32_t>(computing_.offset));
    if (computing_.computation == Computation::table)
      configure(registers::slope, static_cast<std::uint32_t>(places_.function), 0);
  }

  /// The stride, or for how many outputs an input is.
  static int steps_of(const Axis& axis) { return axis.repeat > 1 ? axis.repeat : axis.stride; }

  // --- the loops

  /// The next entry's step; behind the last, back to the first and on to what is written next.
  void advance(Register pointer, Register end, int words, int entries, int first) {
    if (entries == 1) return;
    w_.add(pointer, pointer, 4 * words);
    w_.branch_if_not_equal(pointer, end, step_);
    w_.constant(pointer, static_cast<std::uint32_t>(first));
  }

  void advance_channels() {
    if (!several_channel_tiles()) return;
    w_.add(channel, channel, 4 * channel_entry::words);
    w_.branch_if_not_equal(channel, channel_end, step_);
    w_.add(channel, first_channel, 0);
  }

  void advance_parts() {
    if (!several_parts()) return;
    const Label over = w_.label();
    w_.add(part, part, 4 * part_entry::words);
    w_.branch_if_equal(part, part_end, over);
    begin_part();
    w_.jump(step_);
    w_.place(over);
    w_.constant(part, static_cast<std::uint32_t>(places_.parts));
    begin_part();
  }

  void advance_units() { advance(unit, unit_end, unit_entry::words, plan_.unit_trips(), places_.units); }

  void advance_image() {
    advance(column, column_end, column_entry::words, plan_.column_trips(), places_.columns);
    advance(row, row_end, row_entry::words, plan_.row_trips(), places_.rows);
  }

  // Figures 4 to 6, the innermost loop first.
  void advance_all() {
    if (plan_.input_stationary()) advance_units();
    advance_channels();
    if (plan_.weight_stationary()) {
      advance_image();
      advance_parts();
      advance_units();
    } else {
      if (!plan_.input_stationary()) advance_units();
      advance_image();
    }
    advance(group, group_end, group_entry::words, c_.repeats, places_.groups);
  }

  const LayerPlan& plan_;
  const Convolution& c_;
  const Computing& computing_;
  const LayerLayout& layout_;
  const TablePlaces& places_;
  bool lockstep_;
  CodeWriter w_;
  const Label step_ = w_.label();  ///< where the loops go on, with the entries of the next step
};

}  // namespace convscope::nmp
