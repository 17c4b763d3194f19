#pragma once
// The machine at a moment: the simulator's own run, watched, and cores that follow it cycle by cycle, as the run's own
// stand at their next custom word already.

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/nmp/simulate/machine_run.h"
#include "core/nmp/trace/byte_owners.h"
#include "core/target/paged_history.h"

namespace convscope::nmp {

class TraceRun : public Observer {
 public:
  using Bytes = target::PagedHistory<std::uint8_t>;
  static constexpr int buffers = 3;  ///< MB0 to MB2

  struct FollowedCore {
    explicit FollowedCore(Core core) : core(std::move(core)) {}
    Core core;
    std::int64_t begin = 0;          ///< cycle of the first instruction since the run told of it
    std::int64_t elapsed = 0;        ///< cycles since, as far as it has followed
    std::int64_t stepped_in = -1;    ///< cycle of the last plain instruction
    int stepped = -1;                ///< its position in Program::code
    std::uint32_t stepped_byte = 0;  ///< of the data RAM, that it loads or stores
  };
  struct Act {
    int tlt = 0, instruction = 0;
  };
  struct Count {
    int tlt = 0, semaphore = 0;
  };
  /// What the run told of one cycle.
  struct Events {
    std::int64_t cycle = -1;
    std::vector<Act> acts;
    std::vector<Count> counts;
    std::vector<TransferRun> given, ended;
    std::vector<ConvolutionRun> computations_given, computed;
    std::vector<int> open_rows;  ///< of the DRAM before the cycle's transfers; empty if none began
  };
  using Owners = std::array<ByteOwners, buffers>;

  /// A copy to go on from.
  struct Moment {
    simulation::MachineRun run;
    std::vector<FollowedCore> cores;
    std::vector<Owners> owners;
    Events events;
    Bytes::Moment dram, written;
  };
  static std::int64_t bytes(const Moment& moment, const Moment* before, const Program& program);

  /// `dram` as Program::dram_bytes says; the program must outlive it.
  TraceRun(const Program& program, std::vector<std::uint8_t> dram);

  /// Cycles before this one are done.
  std::int64_t at() const { return at_; }
  void restart();
  void restore(const Moment& moment, std::int64_t at);
  Moment moment();
  /// Does the cycles before this one; false if nothing is left to happen. Throws Cancelled.
  bool advance(std::int64_t cycle, const std::stop_token& stop = {});
  /// How the run has ended, when nothing was left.
  SimulationResult result() const { return simulation::MachineRun(*run_).finish(); }
  std::int64_t cycle_of(double seconds) const;

  const simulation::MachineRun& run() const { return *run_; }
  const FollowedCore& core(int tlt) const { return cores_[static_cast<std::size_t>(tlt)]; }
  const DecodedCode& code() const { return code_; }
  const Owners& owners(int tlt) const { return owners_[static_cast<std::size_t>(tlt)]; }
  /// What happened in a cycle that was done last; all of it empty if nothing did.
  const Events& events(std::int64_t cycle) const { return events_.cycle == cycle ? events_ : nothing_; }
  /// Of the DRAM: bytes of the run, and whether it has stored there (1) or not (0).
  std::span<const std::uint8_t> dram() { return dram_.words(); }
  std::span<const std::uint8_t> stored() { return stored_.words(); }
  /// Open rows of its banks by channel, -1: none; empty where the level has none that stay.
  std::vector<int> open_rows() const;

 private:
  bool shows_cycles() const override { return true; }
  void goes_on(int tlt, double seconds, const Core& core) override;
  void acted(int tlt, int instruction, double seconds) override;
  void counted(int tlt, int semaphore, double seconds) override;
  void transfer_given(const TransferRun& run) override;
  void transfer_began(const TransferRun& run) override;
  void transferred(const TransferRun& run) override;
  void convolution_given(const ConvolutionRun& run) override;
  void convolved(const ConvolutionRun& run) override;

  Events& events_at(double seconds);
  void follow(FollowedCore& core) const;
  void note_store(const TransferRun& run);
  void note_load(const TransferRun& run);
  int tlt_of(const UnitRun& run) const { return run.tle * program_.machine.tlts + run.tlt; }

  const Program& program_;
  const SimulationOptions options_;
  const DecodedCode code_;
  std::stop_token stop_;
  Bytes dram_, stored_;
  std::optional<simulation::MachineRun> run_;
  std::vector<FollowedCore> cores_;
  std::vector<Owners> owners_;
  Events events_;
  const Events nothing_;
  std::int64_t at_ = 0;
};

/// Calls `each(first byte, bytes)` with every run of a transfer in DRAM.
template <class Each>
void visit_runs(const TransferRun& run, Each each) {
  const TransferShape& s = run.shape;
  if (s.size() == 0) return;
  for (std::int64_t map = 0; map < s.maps; ++map)
    for (std::int64_t row = 0; row < s.rows; ++row)
      each(run.dram_byte + map * s.map_pitch + row * s.row_pitch, s.row_bytes);
}

}  // namespace convscope::nmp
