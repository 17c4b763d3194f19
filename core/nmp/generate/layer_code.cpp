#include "core/nmp/generate/layer_code.h"

#include <bit>

#include "core/base/integers.h"
#include "core/nmp/architecture/configuration.h"
#include "core/nmp/generate/code_writer.h"

namespace convscope::nmp {
namespace {

using Kind = CodeRange::Kind;
using Label = CodeWriter::Label;

/// What registers hold: entries that the loops stand at, ends of tables, constants, and what a step needs for a moment.
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
  t3
};

/// Shapes of transfers, 8 registers of C each.
enum : int { input_shape, weights_shape, output_shape, sums_shape };

class StepWriter {
 public:
  StepWriter(const LayerPlan& plan, const Computing& computing, const LayerLayout& layout, const TablePlaces& places,
             bool lockstep)
      : plan_(plan),
        c_(plan.convolution()),
        computing_(computing),
        layout_(layout),
        places_(places),
        lockstep_(lockstep) {}

  void write(Program& program) {
    w_.begin(Kind::setup);
    set_up_pointers();
    set_up_constants();
    set_up_configuration();
    w_.place(step_);
    write_step();
    w_.begin(Kind::loop);
    w_.place(next_);
    advance_all();
    w_.begin(Kind::end);
    w_.sync();
    w_.halt();
    w_.finish(program);
  }

 private:
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
    if (several_tlts()) {
      w_.load(leader, zero, places_.leader / 4);
      w_.constant(others, static_cast<std::uint32_t>(plan_.machine().tlts - 1));
    }
    w_.constant(one, 1);
    w_.constant(output_start, layout_.output);
    if (several_parts()) w_.constant(sums_start, layout_.partial_sums);
    w_.constant(mb0, encoded({Memory::input, 0}));
    w_.constant(mb1, encoded({Memory::weights, 0}));
    w_.constant(mb2, encoded({Memory::output, 0}));
  }

  void configure(int even, std::uint32_t first, std::uint32_t second) {
    w_.constant(t0, first);
    w_.constant(t1, second);
    w_.configure(even, t0, t1);
  }

  void set_pitches(int shape, std::int64_t rows, std::int64_t maps) {
    configure(8 * shape + registers::row_pitch, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(maps));
  }

  void set_up_configuration() {
    const Machine& m = plan_.machine();
    const std::int64_t in_row = c_.columns.in * element(), out_row = c_.columns.out * element();
    set_pitches(input_shape, in_row, in_row * c_.rows.in);
    if (c_.has_weights()) set_pitches(weights_shape, c_.channels * c_.weights_per_map() * element(), 0);
    set_pitches(output_shape, out_row, out_row * c_.rows.out);
    const std::int64_t sums_row = std::int64_t{c_.columns.out} * m.partial_sum_bytes;
    if (several_parts()) set_pitches(sums_shape, sums_row, sums_row * c_.rows.out);
    if (several_tlts() && !c_.depthwise)
      configure(8 * input_shape + registers::multicast,
                static_cast<std::uint32_t>((std::uint64_t{1} << static_cast<unsigned>(m.tlts)) - 1), 0);
    configure(registers::kernel, packed_bytes(c_.columns.kernel, c_.rows.kernel, c_.columns.stride, c_.rows.stride),
              packed_bytes(c_.columns.dilation, c_.rows.dilation, 0, 0) | packed_halves(0, c_.maps_per_unit));
    const NumberFormat& f = plan_.format();
    const int flags = (m.element_bytes == 2 ? 1 : 0) | (c_.depthwise ? 2 : 0);
    configure(registers::format, packed_bytes(flags, f.shift, f.guard, m.partial_sum_bytes),
              static_cast<std::uint32_t>(f.clamp_low));
    configure(registers::clamp_high, static_cast<std::uint32_t>(f.clamp_high),
              static_cast<std::uint32_t>(f.residual_shift));
    if (computing_.computation == Computation::slope)
      configure(registers::slope, static_cast<std::uint32_t>(computing_.slope), 0);
  }

  // --- a step

  void write_step() {
    w_.begin(Kind::loop);
    w_.load(t0, row, row_entry::output_rows);
    w_.branch_if_equal(t0, zero, idle_);
    w_.load(t0, unit, unit_entry::in_tle);
    w_.branch_if_equal(t0, zero, idle_);
    w_.begin(Kind::input);
    if (c_.depthwise) {
      leave_without_filters();
      load_own_input();
    } else {
      load_shared_input();
      leave_without_filters();
    }
    if (c_.has_weights()) {
      w_.begin(Kind::weights);
      load_weights();
    }
    if (several_parts() || c_.residual) load_sums();
    w_.begin(Kind::compute);
    compute();
    w_.begin(Kind::store);
    store();
    w_.jump(next_);
    w_.begin(Kind::loop);
    w_.place(idle_);
    if (lockstep_) {
      w_.sync();
      w_.sync();
    }
  }

  void leave_without_filters() {
    w_.load(t0, unit, unit_entry::in_tlt);
    w_.branch_if_equal(t0, zero, idle_);
  }

  void add_field(Register to, Register entry, int field) {
    w_.load(t3, entry, field);
    w_.add(to, to, t3);
  }

  /// C[8 shape] and the next: bytes of a row, rows and maps.
  void set_box(int shape, int row_bytes, Register rows_in, int rows, Register maps_in, int maps) {
    w_.load(t0, column, row_bytes);
    w_.load(t1, rows_in, rows);
    w_.load(t2, maps_in, maps);
    w_.or_(t1, t1, t2);
    w_.configure(8 * shape, t0, t1);
  }

  void input_address_to_t0() {
    w_.load(t0, group, group_entry::input);
    add_field(t0, row, row_entry::input);
    add_field(t0, column, column_entry::input);
    if (c_.depthwise) add_field(t0, unit, unit_entry::input);
    if (several_channel_tiles()) add_field(t0, channel, channel_entry::input);
    if (several_parts()) add_field(t0, part, part_entry::input);
  }

  void load_own_input() {
    set_box(input_shape, column_entry::input_row_bytes, row, row_entry::input_rows, unit, unit_entry::units_shifted);
    input_address_to_t0();
    w_.load_box(input_shape, false, t0, mb0, semaphore::input);
    w_.wait(semaphore::input, one);
  }

  // Every TLT of a TLE takes part in every multicast, with filters in this step or not: so whoever says that its MB0 is
  // free says it once for each wait of the TLT that loads.
  void load_shared_input() {
    const Label has_input = w_.label();
    if (plan_.input_stationary() && plan_.unit_trips() > 1) {
      w_.constant(t0, static_cast<std::uint32_t>(places_.units));
      w_.branch_if_not_equal(unit, t0, has_input);
    }
    const Label not_leader = w_.label(), wait = w_.label();
    if (several_tlts()) {
      w_.branch_if_equal(leader, zero, not_leader);
      w_.wait(semaphore::input_free, others);
    }
    set_box(input_shape, column_entry::input_row_bytes, row, row_entry::input_rows, channel,
            channel_entry::count_shifted);
    input_address_to_t0();
    w_.load_box(input_shape, several_tlts(), t0, mb0, semaphore::input);
    if (several_tlts()) {
      w_.jump(wait);
      w_.place(not_leader);
      w_.post(semaphore::input_free, one);  // to TLT 0
      w_.place(wait);
    }
    w_.wait(semaphore::input, one);
    w_.place(has_input);
  }

  // Weights that stay are loaded at a TLE's first tile alone.
  void load_weights() {
    const Label has_weights = w_.label();
    if (plan_.resident() || plan_.weight_stationary()) {
      w_.load(t0, row, row_entry::later);
      w_.branch_if_not_equal(t0, zero, has_weights);
      w_.load(t0, column, column_entry::later);
      w_.branch_if_not_equal(t0, zero, has_weights);
      branch_unless_flag(channel, channel_entry::flags, first_channels, has_weights);
    }
    w_.load(t0, channel, channel_entry::filter_bytes);
    w_.load(t1, unit, unit_entry::filters_one_map);
    w_.configure(8 * weights_shape, t0, t1);
    w_.load(t0, group, group_entry::weights);
    add_field(t0, unit, unit_entry::weights);
    add_field(t0, channel, channel_entry::weights);
    if (several_parts()) add_field(t0, part, part_entry::weights);
    w_.add(t1, mb1, 0);
    add_field(t1, unit, unit_entry::local_weights);
    w_.load_box(weights_shape, false, t0, t1, semaphore::weights);
    w_.wait(semaphore::weights, one);
    w_.place(has_weights);
  }

  void branch_unless_flag(Register entry, int field, std::uint32_t flag, Label label) {
    w_.load(t0, entry, field);
    w_.and_(t0, t0, static_cast<int>(flag));
    w_.branch_if_equal(t0, zero, label);
  }

  void output_offset_to_t0() {
    w_.load(t0, group, group_entry::output);
    add_field(t0, row, row_entry::output);
    add_field(t0, column, column_entry::output);
    add_field(t0, unit, unit_entry::output);
  }

  void sums_address_to_t0() {
    const auto ratio = static_cast<unsigned>(plan_.machine().partial_sum_bytes / plan_.machine().element_bytes);
    output_offset_to_t0();
    if (ratio > 1) w_.shift_left(t0, t0, std::countr_zero(ratio));
    w_.add(t0, t0, sums_start);
  }

  void set_output_box(int shape, int row_bytes) {
    set_box(shape, row_bytes, row, row_entry::output_rows, unit, unit_entry::maps_shifted);
  }

  void load_sums() {
    const Label has_sums = w_.label(), later_part = w_.label();
    w_.begin(Kind::partial_sums);
    if (several_parts()) branch_unless_flag(part, part_entry::mask, first_channels, later_part);
    if (c_.residual) load_residual(has_sums);
    if (several_parts()) {
      w_.jump(has_sums);
      w_.place(later_part);
      branch_unless_flag(channel, channel_entry::flags, first_channels, has_sums);
      set_output_box(sums_shape, column_entry::sums_row_bytes);
      sums_address_to_t0();
      w_.load_box(sums_shape, false, t0, mb2, semaphore::partial_sums);
      w_.wait(semaphore::partial_sums, one);
    }
    w_.place(has_sums);
  }

  // To where OUT will be, in the same box of DRAM as OUT.
  void load_residual(Label later_channels) {
    if (several_channel_tiles()) branch_unless_flag(channel, channel_entry::flags, first_channels, later_channels);
    set_output_box(output_shape, column_entry::output_row_bytes);
    output_offset_to_t0();
    w_.constant(t1, layout_.residual);
    w_.add(t0, t0, t1);
    w_.add(t1, mb2, 0);
    add_field(t1, unit, unit_entry::local_output);
    w_.load_box(output_shape, false, t0, t1, semaphore::partial_sums);
    w_.wait(semaphore::partial_sums, one);
  }

  /// C[even] = one entry's field and another's.
  void configure_joined(int even, const int (&fields)[4], Register second_first, Register second_other) {
    w_.load(t0, row, fields[0]);
    w_.load(t2, column, fields[1]);
    w_.or_(t0, t0, t2);
    w_.load(t1, second_first, fields[2]);
    w_.load(t2, second_other, fields[3]);
    w_.or_(t1, t1, t2);
    w_.configure(even, t0, t1);
  }

  void compute() {
    if (lockstep_) w_.sync();
    configure_joined(registers::in_size,
                     {row_entry::input_rows, column_entry::input_columns_shifted, row_entry::output_rows,
                      column_entry::output_columns_shifted},
                     row, column);
    configure_joined(
        registers::zeros,
        {row_entry::zeros_shifted, column_entry::zeros_shifted, channel_entry::count, unit_entry::units_shifted},
        channel, unit);
    w_.load(t0, channel, channel_entry::filter_elements);
    w_.load(t1, channel, channel_entry::flags);
    w_.load(t2, part, part_entry::mask);
    w_.and_(t1, t1, t2);
    w_.configure(registers::filter_pitch, t0, t1);
    w_.load(t0, unit, unit_entry::bias);
    add_field(t0, group, group_entry::bias);
    w_.configure(registers::bias, t0, mb0);
    if (c_.has_weights()) {
      w_.add(t0, mb1, 0);
      add_field(t0, unit, unit_entry::local_weights);
      add_field(t0, channel, channel_entry::local_weights);
    }
    w_.add(t1, mb2, 0);
    add_field(t1, unit, unit_entry::local_output);
    w_.compute(computing_.computation, t0, t1, semaphore::macs);
    w_.wait(semaphore::macs, one);
    if (lockstep_) w_.sync();
  }

  void store() {
    if (several_channel_tiles()) branch_unless_flag(channel, channel_entry::flags, last_channels, next_);
    const Label sums = w_.label();
    if (several_parts()) branch_unless_flag(part, part_entry::mask, last_channels, sums);
    set_output_box(output_shape, column_entry::output_row_bytes);
    output_offset_to_t0();
    w_.add(t0, t0, output_start);
    w_.add(t1, mb2, 0);
    add_field(t1, unit, unit_entry::local_output);
    w_.store_box(output_shape, t0, t1, semaphore::output);
    w_.wait(semaphore::output, one);
    if (!several_parts()) return;
    w_.jump(next_);
    w_.begin(Kind::partial_sums);
    w_.place(sums);
    set_output_box(sums_shape, column_entry::sums_row_bytes);
    sums_address_to_t0();
    w_.store_box(sums_shape, t0, mb2, semaphore::output);
    w_.wait(semaphore::output, one);
  }

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
  const Label step_ = w_.label(), next_ = w_.label(), idle_ = w_.label();
};

}  // namespace

void write_layer_code(const LayerPlan& plan, const Computing& computing, const LayerLayout& layout,
                      const TablePlaces& places, bool lockstep, Program& program) {
  StepWriter(plan, computing, layout, places, lockstep).write(program);
}

}  // namespace convscope::nmp
