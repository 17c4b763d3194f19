#include "core/nmp/generate/doubled_code.h"

#include "core/nmp/generate/step_writer.h"

namespace convscope::nmp {
namespace {

/// A step computes, turns the loops' entries to the next step, and loads for that one; so one set of entries does. What
/// is left to do for this step, storing, is kept in registers.
class DoubledWriter : private StepWriter {
 public:
  DoubledWriter(const LayerPlan& plan, const Computing& computing, const LayerLayout& layout, const TablePlaces& places,
                bool lockstep)
      : StepWriter(plan, computing, layout, places, lockstep), doubled_(plan.machine().held_twice()) {
    // Partial sums of the only tile are loaded by the step behind the one that stores them.
    if (several_parts() && plan.row_trips() * plan.column_trips() == 1) doubled_.output = false;
  }

  void write(const std::vector<EncodedInstruction>& crossing, Program& program) {
    w_.begin(Kind::setup);
    w_.insert(crossing);
    set_up();
    for (const Register nothing_yet : {given_macs, given_store, stored_local}) w_.constant(nothing_yet, 0);
    w_.jump(step_);
    w_.place(this_step_);
    write_step();
    w_.begin(Kind::loop);
    w_.place(next_);
    advance_all();
    finish_step();
    if (doubled_.output) store_last();
    w_.jump(end_);
    w_.place(step_);
    load_ahead();
    finish_step();
    w_.jump(this_step_);
    w_.place(end_);
    finish(program);
  }

 private:
  // --- what this step computes

  void write_step() {
    const bool without_rows = plan_.rings_weights_without_rows();
    const Label no_rows = w_.label();
    w_.begin(Kind::loop);
    branch_if_tle_idle(without_rows ? no_rows : idle_, idle_);
    w_.begin(Kind::input);
    input();
    w_.place(no_rows);
    if (c_.has_weights()) {
      w_.begin(Kind::weights);
      if (without_rows) branch_unless_in_ring(idle_);
      weights();
      if (without_rows) branch_if_no_rows(idle_);
    }
    sums();
    w_.begin(Kind::compute);
    if (lockstep_) w_.sync();
    give_to_macs();
    w_.add(given_macs, one, 0);
    w_.begin(Kind::store);
    if (doubled_.output) store_before();
    keep_results();
    w_.jump(next_);
    w_.begin(Kind::loop);
    w_.place(idle_);
    if (lockstep_) w_.sync();
    w_.constant(given_macs, 0);
    if (doubled_.output) store_before();
  }

  void input() {
    const Label has_input = w_.label();
    if (c_.depthwise) {
      branch_if_tlt_idle(idle_);
      if (!doubled_.input) load_own_input();
    } else {
      branch_unless_new_input(has_input);
      if (!doubled_.input) load_shared_input();
    }
    w_.wait(semaphore::input, one);
    w_.place(has_input);
    if (!c_.depthwise) branch_if_tlt_idle(idle_);
  }

  void weights() {
    const Label has_weights = w_.label();
    branch_unless_new_weights(has_weights);
    if (!doubled_.weights) load_weights();
    w_.wait(semaphore::weights, one);
    w_.place(has_weights);
  }

  void sums() {
    const auto wait = [this] { w_.wait(semaphore::partial_sums, one); };
    if (doubled_.output) return before_sums(wait, wait);
    before_sums([&] { load_residual(), wait(); }, [&] { load_sums(), wait(); });
  }

  // --- what is stored: shape, address and place of this step's results, for when their turn comes

  void keep_results() {
    if (several_channel_tiles()) branch_unless_flag(channel, channel_entry::flags, last_channels, next_);
    const Label sums = w_.label();
    if (several_parts()) {
      branch_unless_flag(part, part_entry::mask, last_channels, sums);
      set_output_pitches(output_shape, element());
    }
    set_output_box(output_shape, column_entry::output_row_bytes);
    output_offset_to_t0();
    w_.add(stored_dram, t0, output_start);
    w_.add(stored_local, mb2, 0);
    add_field(stored_local, unit, unit_entry::local_output);
    if (!several_parts()) return;
    w_.jump(next_);
    w_.begin(Kind::partial_sums);
    w_.place(sums);
    set_output_pitches(output_shape, plan_.machine().partial_sum_bytes);
    set_output_box(output_shape, column_entry::sums_row_bytes);
    sums_address_to_t0();
    w_.add(stored_dram, t0, 0);
    w_.add(stored_local, mb2, 0);
  }

  void give_store(Label unless) {
    w_.branch_if_equal(stored_local, zero, unless);
    w_.store_box(output_shape, stored_dram, stored_local, semaphore::output);
    w_.constant(stored_local, 0);
  }

  /// Results of the step before, while this one's MACs work.
  void store_before() {
    const Label none = w_.label();
    give_store(none);
    w_.add(given_store, one, 0);
    w_.place(none);
  }

  void store_last() {
    const Label none = w_.label();
    w_.begin(Kind::store);
    give_store(none);
    w_.wait(semaphore::output, one);
    w_.place(none);
  }

  void finish_step() {
    w_.begin(Kind::compute);
    wait_if(given_macs, semaphore::macs);
    if (doubled_.output) {
      wait_if(given_store, semaphore::output);
      w_.constant(given_store, 0);
    }
    if (lockstep_) w_.sync();
    if (!doubled_.output) store_last();
  }

  void wait_if(Register given, int semaphore) {
    const Label none = w_.label();
    w_.branch_if_equal(given, zero, none);
    w_.wait(semaphore, one);
    w_.place(none);
  }

  // --- what the next step needs

  void load_ahead() {
    const bool without_rows = plan_.rings_weights_without_rows();
    const Label loaded = w_.label(), no_rows = w_.label();
    w_.begin(Kind::loop);
    branch_if_tle_idle(without_rows ? no_rows : loaded, loaded);
    if (doubled_.input && !c_.depthwise) {
      w_.begin(Kind::input);
      load_shared_input_ahead();
    }
    branch_if_tlt_idle(loaded);
    if (doubled_.input && c_.depthwise) {
      w_.begin(Kind::input);
      turn(mb0, plan_.machine().input_bytes);
      load_own_input();
    }
    w_.place(no_rows);
    if (doubled_.weights && c_.has_weights()) {
      w_.begin(Kind::weights);
      if (without_rows) branch_unless_in_ring(loaded);
      load_weights_ahead();
    }
    if (without_rows) branch_if_no_rows(loaded);
    if (doubled_.output) load_sums_ahead();
    w_.place(loaded);
  }

  /// To the other half of a memory.
  void turn(Register memory, std::int64_t half) {
    w_.constant(t0, static_cast<std::uint32_t>(half));
    w_.xor_(memory, memory, t0);
  }

  // The half that the step before has left: its MACs are done, those of this step use the other one.
  void load_shared_input_ahead() {
    const Label has_input = w_.label();
    branch_unless_new_input(has_input);
    turn(mb0, plan_.machine().input_bytes);
    load_shared_input();
    w_.place(has_input);
  }

  // Filters of all units that stay lie side by side in one half.
  void load_weights_ahead() {
    const Label has_weights = w_.label(), same_half = w_.label();
    branch_unless_new_weights(has_weights);
    if (plan_.resident()) branch_unless_first_unit(same_half);
    turn(mb1, plan_.machine().weight_bytes);
    w_.place(same_half);
    load_weights();
    w_.place(has_weights);
  }

  void load_sums_ahead() {
    const Label goes_on = w_.label();
    if (several_channel_tiles()) branch_unless_flag(channel, channel_entry::flags, first_channels, goes_on);
    if (plan_.output_stride() > 0) branch_unless_first_unit(goes_on);
    turn(mb2, plan_.machine().output_bytes);
    w_.place(goes_on);
    before_sums([this] { load_residual(); }, [this] { load_sums(); });
  }

  // Stores keep their shape: all loads to MB2 have the other one.
  void load_residual() {
    set_output_pitches(sums_shape, element());
    StepWriter::load_residual(sums_shape);
  }

  void load_sums() {
    if (c_.residual) set_output_pitches(sums_shape, plan_.machine().partial_sum_bytes);
    StepWriter::load_sums();
  }

  Doubled doubled_;
  const Label this_step_ = w_.label(), next_ = w_.label(), idle_ = w_.label(), end_ = w_.label();
};

}  // namespace

void write_doubled_code(const LayerPlan& plan, const Computing& computing, const LayerLayout& layout,
                        const TablePlaces& places, bool lockstep, const std::vector<EncodedInstruction>& crossing,
                        Program& program) {
  DoubledWriter(plan, computing, layout, places, lockstep).write(crossing, program);
}

}  // namespace convscope::nmp
