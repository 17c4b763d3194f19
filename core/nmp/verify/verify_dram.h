#pragma once
// The DRAM as the verifier sees it: whose every byte is, and what became of those that are written. Private to the
// verifier.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/nmp/architecture/configuration.h"
#include "core/nmp/architecture/program.h"
#include "core/nmp/verify/byte_history.h"

namespace convscope::nmp::verification {

class Dram {
 public:
  explicit Dram(const Program& program);

  /// The region that all bytes of a transfer lie in; null if there is none.
  const Region* region_of(const TransferShape& shape, std::uint32_t first_byte) const;
  /// A transfer of a region by a step of an agent: all its rows. The byte of a conflict is of DRAM.
  std::optional<Conflict> access(const Region& region, const TransferShape& shape, std::uint32_t first_byte, bool store,
                                 const Epoch& step, const Clocks& clocks);
  /// The first byte of a layer's output that nothing has written.
  std::optional<std::int64_t> missing(const ProgramLayer& layer) const;
  void count(const Region& region, const TransferShape& shape, bool store);
  const TrafficBytes& traffic() const { return traffic_; }

 private:
  static constexpr std::int64_t page_bytes = 4096;
  using Pages = std::vector<std::unique_ptr<ByteHistory>>;  ///< null: nothing has happened there
  void give(ByteRange range);
  ByteHistory& page_at(std::int64_t number);
  std::optional<Conflict> access_row(std::int64_t begin, std::int64_t end, bool store, const Epoch& step,
                                     const Clocks& clocks);

  const Program& program_;
  Pages pages_;
  TrafficBytes traffic_{};
};

}  // namespace convscope::nmp::verification
