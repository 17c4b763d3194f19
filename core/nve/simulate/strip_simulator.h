#pragma once
// One run over one strip: the datapath's state and the control logic. Private to the simulator and its observers
// (observer.h); its parts are defined in strip_control.h, strip_memory.h, strip_registers.h and strip_vector.h.
// A copy in mid-run goes on by itself: it shares nothing with the original but program, host and observer.

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nve/simulate/buffer_ports.h"
#include "core/nve/simulate/observer.h"
#include "core/nve/simulate/registers.h"
#include "core/nve/simulate/simulator.h"
#include "core/nve/simulate/vector_unit.h"

namespace convscope::nve::simulation {

/// An instruction as the control logic holds it: decoded once, with the AGU's state of its memory fields.
struct Step {
  Instruction instruction;
  int address = 0;
  std::array<std::int64_t, 3> update{};  ///< of MEMA, MEMB, MEMW
};

/// Register operations take effect `set_to_use` cycles after their issue, with the words that the ports held then.
struct RegisterOperations {
  WeightOperation weight = WeightOperation::none;
  ImageOperation image = ImageOperation::none;
  int group = 0;    ///< of `set ri`
  int address = 0;  ///< of the instruction
  std::int64_t cycle = 0;
  BufferWord a, b;
};

/// Where in the program's sections a cycle lies.
struct Position {
  const SectionTraffic* traffic = nullptr;
  bool repeated = false;
  std::int64_t repetition = 0;
  std::size_t stream = 0, output = 0;
  std::int64_t pass = 0;  ///< of the repetition; 0: its head
};

template <typename Observer>
class StripSimulator {
 public:
  /// All must outlive it.
  StripSimulator(const Program& program, const ActivationTable& activation, const Host& host, Observer& observer);
  StripRun run(const std::stop_token& stop);

  // In steps: load, then run_until as often as one likes, finish after the last.
  bool load();
  /// Everything before a cycle; false if it was stopped, or refused with a hazard.
  bool run_until(std::int64_t cycle, const std::stop_token& stop);
  /// Refuses what was never given out.
  void finish();
  bool ended() const { return section_ == sections; }

  // What the machine holds, for observers.
  const StripRun& so_far() const { return run_; }
  int section() const { return section_; }    ///< 0 initial, 1 repeat, 2 final; 3: the end
  int next_address() const { return next_; }  ///< of the instruction that comes next
  const Position& position() const { return position_; }
  const std::vector<Step>& steps() const { return steps_; }
  const Machine& machine() const { return machine_; }
  const RegisterLayout& layout() const { return layout_; }
  const LocalBuffer& buffer() const { return buffer_; }
  const ReadPort& port(Field field) const { return field == Field::mema ? port_a_ : port_b_; }
  const WeightRegister& weights() const { return weights_; }
  const ImageRegister& image() const { return image_; }
  const Accumulators& accumulators(std::size_t vector) const { return current_[vector]; }
  std::int64_t ring_pointer() const { return ring_pointer_; }
  /// Of the repeated section, counted over all its iterations.
  std::int64_t pass_number() const {
    return position_.repeated ? position_.repetition * (std::int64_t{program_.passes} + 1) + position_.pass : 0;
  }
  const OutputStage& output() const { return output_; }
  std::int64_t input_accesses() const { return input_accesses_; }
  std::int64_t output_accesses() const { return output_accesses_; }
  std::span<const std::uint8_t> result() const { return result_; }  ///< of the ACT before

 private:
  static constexpr int sections = 3;
  struct Section {
    const SectionTraffic* traffic;
    int begin, size;
    std::int64_t repetitions;
    bool repeated;
  };
  Section section(int number) const;
  void begin_section(int number);
  /// Behind the last instruction of what runs: a section, or the head or a pass of the repeated one.
  int stretch_end() const;
  void end_stretch();
  bool run_steps(int end, std::int64_t cycle);
  void refuse(std::int64_t cycle, int address, std::string field, std::string text);
  void refuse(const Step& step, Field field, const std::string& text);
  void note_halves();
  /// The section's writes and ACTs took all that its traffic lists.
  bool traffic_used_up(const Step& last);
  /// One cycle. Vector operations come before register operations, writes before reads: a read in the cycle of a write
  /// to its word is a collision.
  void execute(Step& step);

  /// Equations 3.1 and 3.2, or with the ring pointer.
  std::int64_t generate_address(Step& step, Field field);
  bool address_fits(const Step& step, Field field, std::int64_t address);
  void write(Step& step, Field field);
  void read(Step& step, Field field);

  bool takes_port_a(const Instruction& instruction) const;
  bool takes_port_b(const Instruction& instruction) const;
  bool holds(const Step& step, Field field, const ReadPort& port, char name);
  void issue_registers(const Step& step);
  bool check_registers(const Step& step);
  bool check_image(const Step& step);
  void apply_registers();
  void refuse_at(const RegisterOperations& operations, Field field, const std::string& text);
  Complaint apply_weight(const RegisterOperations& operations);
  Complaint apply_image(const RegisterOperations& operations);

  void mark_flaw(Accumulators& accumulators, const Step& step, Flaw::Kind kind);
  void vector_operation(const Step& step);
  void set_bias(const Step& step);
  void replace_output();
  void check_halves(const Accumulators& old, const Accumulators& by);

  void activate(const Step& step);
  bool check_accumulators(const Step& step, const Accumulators* accumulators, const OutputWord& item,
                          std::int64_t column);
  bool check_label(const Step& step, const Accumulators& accumulators, const OutputWord& item, std::int64_t column);
  void deliver(Accumulators& accumulators, const OutputWord& item, std::int64_t column);

  const Program& program_;
  const Machine& machine_;
  const ActivationTable& activation_;
  const Host& host_;
  Observer& observer_;
  RegisterLayout layout_;
  LocalBuffer buffer_;
  ReadPort port_a_, port_b_;
  WeightRegister weights_;
  ImageRegister image_;
  MultiplyAccumulate multiply_accumulate_;
  std::vector<Step> steps_;
  std::vector<std::array<bool, 2>> halves_;  ///< by map: which halves the program gives out at all
  std::array<RegisterOperations, 4> pending_{};
  CoefficientSource coefficient_source_;
  std::vector<Accumulators> current_;  ///< by vector
  std::int64_t ring_pointer_ = 0;
  OutputStage output_;
  std::array<std::uint8_t, largest_lanes / 2> result_{};
  int section_ = 0, next_ = 0;
  Position position_;
  std::int64_t input_accesses_ = 0, output_accesses_ = 0;
  StripRun run_;
};

}  // namespace convscope::nve::simulation

#include "core/nve/simulate/strip_control.h"
#include "core/nve/simulate/strip_memory.h"
#include "core/nve/simulate/strip_registers.h"
#include "core/nve/simulate/strip_vector.h"
