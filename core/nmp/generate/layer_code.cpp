#include "core/nmp/generate/layer_code.h"

#include "core/nmp/generate/doubled_code.h"
#include "core/nmp/generate/step_writer.h"

namespace convscope::nmp {
namespace {

/// A step loads, computes and stores in turn.
class InTurnWriter : private StepWriter {
 public:
  using StepWriter::StepWriter;

  void write(const std::vector<EncodedInstruction>& crossing, Program& program) {
    set_up();
    if (!crossing.empty()) cross(crossing);
    w_.place(step_);
    write_step();
    w_.begin(Kind::loop);
    w_.place(next_);
    advance_all();
    finish(program);
  }

 private:
  // W is in DRAM from the start: it comes while others still compute the layer before. Around the ring it comes when
  // all that share it are there.
  void cross(const std::vector<EncodedInstruction>& crossing) {
    loads_ahead_ = c_.has_weights() && !c_.combines() && !plan_.rings_weights();
    if (loads_ahead_) {
      const Label none = w_.label();
      w_.constant(weights_ahead, 0);
      branch_if_tle_idle(none);
      branch_if_tlt_idle(none);
      load_weights();
      w_.constant(weights_ahead, 1);
      w_.place(none);
    }
    w_.insert(crossing);
  }

  void write_step() {
    if (plan_.rings_input() && !plan_.rings_weights_without_rows())
      weights_beside_input();
    else
      input_then_weights();
    before_sums([this] { load_residual(output_shape), w_.wait(semaphore::partial_sums, one); },
                [this] { load_sums(), w_.wait(semaphore::partial_sums, one); });
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

  void input_then_weights() {
    const bool without_rows = plan_.rings_weights_without_rows();
    const Label no_rows = w_.label();
    w_.begin(Kind::loop);
    branch_if_tle_idle(without_rows ? no_rows : idle_, idle_);
    w_.begin(Kind::input);
    input();
    w_.place(no_rows);
    if (!c_.has_weights()) return;
    w_.begin(Kind::weights);
    if (without_rows) branch_unless_in_ring(idle_);
    weights();
    if (without_rows) branch_if_no_rows(idle_);
  }

  // IN comes around the ring when all that share it are there: W is loaded meanwhile.
  void weights_beside_input() {
    const Label input_given = w_.label(), weights_given = w_.label(), has_input = w_.label(), has_weights = w_.label();
    w_.begin(Kind::loop);
    branch_if_tle_idle(idle_);
    w_.begin(Kind::input);
    branch_unless_new_input(input_given);
    load_shared_input();
    w_.place(input_given);
    w_.begin(Kind::weights);
    branch_if_tlt_idle(weights_given);
    branch_unless_new_weights(weights_given);
    give_weights();
    w_.place(weights_given);
    w_.begin(Kind::input);
    branch_unless_new_input(has_input);
    w_.wait(semaphore::input, one);
    w_.place(has_input);
    branch_if_tlt_idle(idle_);
    w_.begin(Kind::weights);
    branch_unless_new_weights(has_weights);
    w_.wait(semaphore::weights, one);
    w_.place(has_weights);
  }

  void input() {
    if (c_.depthwise) {
      branch_if_tlt_idle(idle_);
      load_own_input();
      return w_.wait(semaphore::input, one);
    }
    const Label has_input = w_.label();
    branch_unless_new_input(has_input);
    load_shared_input();
    w_.wait(semaphore::input, one);
    w_.place(has_input);
    branch_if_tlt_idle(idle_);
  }

  void weights() {
    const Label has_weights = w_.label();
    branch_unless_new_weights(has_weights);
    give_weights();
    w_.wait(semaphore::weights, one);
    w_.place(has_weights);
  }

  /// Those of the first step may be under way.
  void give_weights() {
    const Label loaded = w_.label();
    if (loads_ahead_) w_.branch_if_not_equal(weights_ahead, zero, loaded);
    load_weights();
    w_.place(loaded);
    if (loads_ahead_) w_.constant(weights_ahead, 0);
  }

  void compute() {
    if (lockstep_) w_.sync();
    give_to_macs();
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

  const Label next_ = w_.label(), idle_ = w_.label();
  bool loads_ahead_ = false;
};

}  // namespace

void write_layer_code(const LayerPlan& plan, const Computing& computing, const LayerLayout& layout,
                      const TablePlaces& places, bool lockstep, const std::vector<EncodedInstruction>& crossing,
                      Program& program) {
  if (plan.machine().held_twice().any())
    return write_doubled_code(plan, computing, layout, places, lockstep, crossing, program);
  InTurnWriter(plan, computing, layout, places, lockstep).write(crossing, program);
}

}  // namespace convscope::nmp
