#pragma once
// One run of a program. Private to the simulator, and to who shows it cycle by cycle.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/nmp/simulate/convolve.h"
#include "core/nmp/simulate/dram_cost.h"
#include "core/nmp/simulate/events.h"
#include "core/nmp/simulate/simulator.h"
#include "core/nmp/simulate/tlt.h"

namespace convscope::nmp::simulation {

/// A copy goes on by itself, with the same DRAM and observer.
class MachineRun {
 public:
  /// `dram` is empty where timing alone is asked for. All references must outlive it and its copies.
  MachineRun(const Program& program, std::span<std::uint8_t> dram, bool has_data, const SimulationOptions& options,
             Observer& observer, const std::stop_token& stop);
  SimulationResult run();

  // The same in pieces: `start`, `run_until` as often as one likes, `finish`.
  void start();
  /// What happens before this time. False if nothing is left to happen.
  bool run_until(double seconds);
  SimulationResult finish();

  const std::vector<Tlt>& tlts() const { return tlts_; }
  const std::vector<Tle>& tles() const { return tles_; }
  const DramCost& dram_cost() const { return cost_; }

 private:
  // Cores.
  void go_on(int tlt, double now);
  void act(int tlt, double now);
  void after(int tlt, double now);
  void hold_up(int tlt, Tlt::State state, double now);
  void released(int tlt, double now);
  void wait(int tlt, double now);
  void post(int tlt, double now);
  void post_to_tle(int tle, std::uint32_t tlts, int semaphore, double now);
  void add_post(int tlt, int semaphore, double now);
  void sync_if_all(double now);
  void halt(int tlt, double now);
  // Transfers.
  void give_transfer(int tlt, double now);
  bool ring_fits(int tlt, const TransferRun& transfer, double now);
  bool transfer_fits(int tlt, const TransferRun& transfer, double now);
  void start_command(int tle, double now);
  void ask(int tle, double now);
  void choose(double now);
  int earliest(bool Tle::*asks) const;
  void leave_dram(int tle, double now);
  void choose_for_ring(double now);
  double ring_seconds(const TransferRun& transfer) const;
  /// TLTs by their number in the program, [first, last), among which all receivers are.
  std::pair<int, int> may_receive(const TransferRun& transfer) const;
  void end_transfer(int tle, double now);
  bool is_table(const TransferRun& transfer) const;
  void end_fetch(int tlt, const TransferRun& transfer, double now);
  void move(const TransferRun& transfer);
  void count(const TransferRun& transfer, double seconds);
  // MACs.
  void give_convolution(int tlt, double now);
  bool convolution_fits(int tlt, const ConvolutionRun& run, double now);
  bool take_biases(int tlt, GivenConvolution& given, double now);
  bool take_table(int tlt, GivenConvolution& given, double now);
  void start_convolution(int tlt, double now);
  void end_convolution(int tlt, double now);
  // Both.
  bool in_memory(int tlt, LocalAddress place, std::int64_t size, const char* what, double now);
  void refuse(int tlt, double now, std::string what);
  void refuse_deadlock(double now);
  std::string waits_for(int tlt) const;
  bool spend(std::int64_t work, int tlt, double now);
  double taken(double seconds);

  Tlt& at(int tlt) { return tlts_[static_cast<std::size_t>(tlt)]; }
  TltRun& run_of(int tlt) { return result_.tlts[static_cast<std::size_t>(tlt)]; }
  int tle_of(int tlt) const { return tlt / machine_.tlts; }

  const Program& program_;
  const Machine& machine_;
  std::span<std::uint8_t> dram_;
  const bool has_data_;
  const SimulationOptions& options_;
  Observer& observer_;
  bool shows_cycles_;
  const std::stop_token& stop_;
  std::shared_ptr<const DecodedCode> code_;  ///< that cores look at, those of copies too
  std::vector<Tlt> tlts_;
  std::vector<Tle> tles_;
  Events events_;
  DramCost cost_;
  Convolver convolver_;
  bool dram_busy_ = false, ring_busy_ = false;
  int halted_ = 0, syncing_ = 0;
  double cycle_ = 0, now_ = 0;
  std::int64_t work_ = 0, draws_ = 0, happened_ = 0;
  SimulationResult result_;
};

}  // namespace convscope::nmp::simulation
