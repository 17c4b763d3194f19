#pragma once
// What a transfer costs at the DRAM, by the program's level. Private to the simulator.

#include <memory>
#include <optional>

#include "core/dram/forms/walk.h"
#include "core/nmp/architecture/configuration.h"
#include "core/nmp/architecture/program.h"

namespace convscope::nmp::simulation {

class DramCost {
 public:
  explicit DramCost(const Program& program);
  /// Seconds of a transfer, its command not included. Rows that lie end to end are one run, and so are maps.
  double seconds(const TransferShape& shape, std::uint32_t first_byte, bool store);
  /// What a transfer takes to be looked at, for budgets.
  std::int64_t work(const TransferShape& shape) const;
  /// Null where banks and rows don't stay from transfer to transfer.
  const dram::Walk* walk() const { return walk_ ? &*walk_ : nullptr; }

 private:
  const Machine& machine_;
  CostLevel level_;
  dram::Parameters parameters_;
  dram::AddressMap addresses_;
  std::optional<dram::Walk> walk_;
};

}  // namespace convscope::nmp::simulation
