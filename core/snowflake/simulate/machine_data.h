#pragma once
// The words that a run moves and computes: buffers, accumulators, DRAM (docs/snowflake-simulation.md, 'Data').

#include <cstdint>
#include <span>
#include <vector>

#include "core/snowflake/simulate/entries.h"
#include "core/snowflake/simulate/simulator.h"

namespace convscope::snowflake::simulation {

class MachineData {
 public:
  MachineData(const Machine& machine, std::span<std::int16_t> dram, OutputSink* sink);

  /// When its stream ends.
  void load(const LoadEntry& load);
  /// When it ends.
  void execute(const VectorEntry& vector);

  std::span<const std::int16_t> maps(int cu) const { return maps_[index(cu)]; }
  std::span<const std::int16_t> kernels(int cu, int vmac) const { return vmac_at(cu, vmac).kernels; }
  std::span<const std::int64_t> accumulators(int cu, int vmac) const { return vmac_at(cu, vmac).accumulators; }
  std::span<const std::int16_t> bias(int cu, int vmac) const { return vmac_at(cu, vmac).bias; }
  std::span<const std::int16_t> bypass(int cu, int vmac) const { return vmac_at(cu, vmac).bypass; }

 private:
  struct VectorMac {
    std::vector<std::int16_t> kernels;
    std::vector<std::int64_t> accumulators;  ///< by lane; cooperative: the first alone
    std::vector<std::int16_t> bias, bypass;  ///< by lane
  };

  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  std::size_t vmac_index(int cu, int vmac) const { return index(cu * machine_.vmacs + vmac); }
  VectorMac& vmac_at(int cu, int vmac) { return vmacs_[vmac_index(cu, vmac)]; }
  const VectorMac& vmac_at(int cu, int vmac) const { return vmacs_[vmac_index(cu, vmac)]; }

  void start_anew(bool maximum);
  void execute_on(const VectorEntry& vector, int cu);
  void move(const VectorEntry& vector, int cu);
  void multiply_cooperative(const VectorEntry& vector, int cu);
  void multiply_independent(const VectorEntry& vector, int cu);
  void lanes(const VectorEntry& vector, int cu);
  void write_back(const VectorEntry& vector, int cu);

  const Machine& machine_;
  std::span<std::int16_t> dram_;
  OutputSink* sink_;
  std::vector<std::vector<std::int16_t>> maps_;  ///< by CU
  std::vector<VectorMac> vmacs_;                 ///< [CU][vMAC]
  std::vector<std::int16_t> result_;
  bool anew_ = true;  ///< the next MAC or MAX starts new sums
};

}  // namespace convscope::snowflake::simulation
