#pragma once
// One run over one strip: the datapath's state and the control logic. Private to the simulator; its parts lie in
// strip_control.cpp, strip_memory.cpp, strip_registers.cpp and strip_vector.cpp.

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nve/simulate/buffer_ports.h"
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
  const Step* step = nullptr;
  std::int64_t cycle = 0;
  BufferWord a, b;
};

/// Where in the program's sections a cycle lies.
struct Position {
  const SectionTraffic* traffic = nullptr;
  bool repeated = false;
  std::int64_t repetition = 0;
  std::size_t stream = 0, output = 0;
};

class StripSimulator {
 public:
  StripSimulator(const Program& program, const ActivationTable& activation, const Host& host);
  StripRun run(const std::stop_token& stop);

 private:
  void refuse(std::int64_t cycle, int address, std::string field, std::string text);
  void refuse(const Step& step, Field field, const std::string& text);
  void note_halves();
  bool load();
  bool run_section(const SectionTraffic& traffic, int begin, int size, int repetitions, bool repeated,
                   const std::stop_token& stop);
  /// The section's writes and ACTs took all that its traffic lists.
  bool traffic_used_up(const Step& last);
  /// One cycle. Vector operations come before register operations, writes before reads: a read in the cycle of a write
  /// to its word is a collision.
  void execute(Step& step);
  void finish();

  /// Equations 3.1 and 3.2.
  std::int64_t generate_address(Step& step, Field field);
  bool address_fits(const Step& step, Field field, std::int64_t address);
  void write(Step& step, Field field);
  void read(Step& step, Field field);

  bool takes_port_a(const Instruction& instruction) const;
  bool holds(const Step& step, Field field, const ReadPort& port, char name);
  void issue_registers(const Step& step);
  bool check_registers(const Step& step);
  bool check_image(const Step& step);
  void apply_registers();
  void refuse_at(const RegisterOperations& operations, Field field, const std::string& text);
  Complaint apply_weight(const RegisterOperations& operations);
  Complaint apply_image(const RegisterOperations& operations);

  void mark_flaw(const Step& step, Flaw::Kind kind);
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
  RegisterLayout layout_;
  LocalBuffer buffer_;
  ReadPort port_a_, port_b_;
  WeightRegister weights_;
  ImageRegister image_;
  MultiplyAccumulate multiply_accumulate_;
  std::vector<Step> steps_;
  std::vector<std::array<bool, 2>> halves_;  ///< by map: which halves the program gives out at all
  std::array<RegisterOperations, 4> pending_{};
  Accumulators current_;
  OutputStage output_;
  std::array<std::uint8_t, largest_lanes / 2> result_{};
  Position position_;
  std::int64_t input_accesses_ = 0, output_accesses_ = 0;
  StripRun run_;
};

}  // namespace convscope::nve::simulation
