#pragma once
// The parts of a step, which are put together in whatever order tiles are loaded, computed and stored; whoever does so
// waits for what they post. Private to core/nmp/generate.

#include <bit>

#include "core/nmp/generate/loop_writer.h"

namespace convscope::nmp {

class StepWriter : protected LoopWriter {
 public:
  using LoopWriter::LoopWriter;

 protected:
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

  /// No outputs of this step are the TLE's.
  void branch_if_tle_idle(Label label) { branch_if_tle_idle(label, label); }

  /// The same, by whether it has no rows or no filters.
  void branch_if_tle_idle(Label no_rows, Label no_filters) {
    branch_if_no_rows(no_rows);
    w_.load(t0, unit, unit_entry::in_tle);
    w_.branch_if_equal(t0, zero, no_filters);
  }

  void branch_if_no_rows(Label label) {
    w_.load(t0, row, row_entry::output_rows);
    w_.branch_if_equal(t0, zero, label);
  }

  /// Filters of this step go around the ring without the TLT: it has none of them, or its TLE has no work at all.
  void branch_unless_in_ring(Label label) {
    load_ring_word(t0, ring_entry::weights_tles);
    w_.branch_if_equal(t0, zero, label);
    branch_if_tlt_idle(label);
  }

  /// No filters of this step are the TLT's.
  void branch_if_tlt_idle(Label label) {
    w_.load(t0, unit, unit_entry::in_tlt);
    w_.branch_if_equal(t0, zero, label);
  }

  void branch_unless_first_unit(Label label) {
    if (plan_.unit_trips() == 1) return;
    w_.constant(t0, static_cast<std::uint32_t>(places_.units));
    w_.branch_if_not_equal(unit, t0, label);
  }

  void branch_unless_flag(Register entry, int field, std::uint32_t flag, Label label) {
    w_.load(t0, entry, field);
    w_.and_(t0, t0, static_cast<int>(flag));
    w_.branch_if_equal(t0, zero, label);
  }

  void load_own_input() {
    set_box(input_shape, column_entry::input_row_bytes, row, row_entry::input_rows, unit, unit_entry::units_shifted);
    input_address_to_t0();
    w_.load_box({input_shape}, t0, mb0, semaphore::input);
  }

  /// Of a TLE: the step uses the IN tile of the one before.
  void branch_unless_new_input(Label label) {
    if (plan_.input_stationary()) branch_unless_first_unit(label);
  }

  // Every TLT of a TLE, and of all TLEs that share its rows where there is a ring, takes part in every multicast, with
  // filters in this step or not: so whoever says that its MB0 is free says it once for each wait of the TLT that loads.
  void load_shared_input() {
    const Label not_leader = w_.label(), given = w_.label();
    if (leads()) {
      w_.branch_if_equal(leader, zero, not_leader);
      w_.wait(semaphore::input_free, others);
    }
    set_box(input_shape, column_entry::input_row_bytes, row, row_entry::input_rows, channel,
            channel_entry::count_shifted);
    input_address_to_t0();
    w_.load_box({input_shape, several_tlts(), plan_.rings_input()}, t0, mb0, semaphore::input);
    if (!leads()) return;
    w_.jump(given);
    w_.place(not_leader);
    if (plan_.rings_input()) {
      load_ring_word(t0, ring_entry::input_loader);
      w_.post_to_tles(semaphore::input_free, one, t0);  // to TLT 0 of that TLE
    } else {
      w_.post(semaphore::input_free, one);  // to TLT 0
    }
    w_.place(given);
  }

  /// Weights that stay are loaded at a TLE's first tile alone.
  void branch_unless_new_weights(Label label) {
    if (!plan_.keeps_weights()) return;
    w_.load(t0, row, row_entry::later);
    w_.branch_if_not_equal(t0, zero, label);
    w_.load(t0, column, column_entry::later);
    w_.branch_if_not_equal(t0, zero, label);
    branch_unless_flag(channel, channel_entry::flags, first_channels, label);
  }

  // Around the ring they come to TLTs of one number. Those that don't load say on the semaphore of W itself that their
  // MB1 is free: the one that loads waits for them, then for what it has loaded, and none of them posts again before
  // that has come.
  void load_weights() {
    if (!plan_.rings_weights()) return load_own_weights();
    const Label not_loader = w_.label(), given = w_.label();
    load_ring_word(t0, ring_entry::loads_weights);
    w_.branch_if_equal(t0, zero, not_loader);
    w_.constant(t0, static_cast<std::uint32_t>(plan_.weights_sharers(0).count - 1));
    w_.wait(semaphore::weights, t0);
    load_own_weights();
    w_.jump(given);
    w_.place(not_loader);
    load_ring_word(t0, ring_entry::own_tlt);
    load_ring_word(t1, ring_entry::weights_loader);
    w_.post_to_tles(semaphore::weights, t0, t1);
    w_.place(given);
  }

  void load_own_weights() {
    w_.load(t0, channel, channel_entry::filter_bytes);
    w_.load(t1, unit, unit_entry::filters_one_map);
    w_.configure(8 * weights_shape, t0, t1);
    w_.load(t0, group, group_entry::weights);
    add_field(t0, unit, unit_entry::weights);
    add_field(t0, channel, channel_entry::weights);
    if (several_parts()) add_field(t0, part, part_entry::weights);
    w_.add(t1, mb1, 0);
    add_field(t1, unit, unit_entry::local_weights);
    w_.load_box({weights_shape, false, plan_.rings_weights()}, t0, t1, semaphore::weights);
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

  bool begins_from_dram() const { return several_parts() || c_.residual; }

  /// What MB2 holds before the step's MACs: a residual, partial sums, or what is there already.
  template <typename Residual, typename Sums>
  void before_sums(const Residual& residual, const Sums& sums) {
    if (!begins_from_dram()) return;
    const Label none = w_.label(), later_part = w_.label();
    w_.begin(Kind::partial_sums);
    if (several_parts()) branch_unless_flag(part, part_entry::mask, first_channels, later_part);
    if (c_.residual) {
      if (several_channel_tiles()) branch_unless_flag(channel, channel_entry::flags, first_channels, none);
      residual();
    }
    if (several_parts()) {
      w_.jump(none);
      w_.place(later_part);
      branch_unless_flag(channel, channel_entry::flags, first_channels, none);
      sums();
    }
    w_.place(none);
  }

  void load_sums() {
    set_output_box(sums_shape, column_entry::sums_row_bytes);
    sums_address_to_t0();
    w_.load_box({sums_shape}, t0, mb2, semaphore::partial_sums);
  }

  // To where OUT will be, in the same box of DRAM as OUT.
  void load_residual(int shape) {
    set_output_box(shape, column_entry::output_row_bytes);
    output_offset_to_t0();
    w_.constant(t1, layout_.residual);
    w_.add(t0, t0, t1);
    w_.add(t1, mb2, 0);
    add_field(t1, unit, unit_entry::local_output);
    w_.load_box({shape}, t0, t1, semaphore::partial_sums);
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

  void give_to_macs() {
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
  }
};

}  // namespace convscope::nmp
