#pragma once
// The verifier's run of a program. Private to the verifier.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nmp/architecture/core.h"
#include "core/nmp/verify/byte_history.h"
#include "core/nmp/verify/verify_dram.h"
#include "core/nmp/verify/verify_report.h"
#include "core/nmp/verify/verify_semaphores.h"

namespace convscope::nmp::verification {

/// Runs cores one after the other, each until it waits; what it gives its units is over at once, as nothing keeps them
/// waiting: one order of events of the many that there are.
class Run {
 public:
  Run(const Program& program, const VerifyLimits& limits, const std::stop_token& stop, Report& report);
  VerifiedRun run();

 private:
  enum class State : std::uint8_t { runs, waits, syncs, halted };
  struct Tlt {
    Tlt(const Machine& machine, const DecodedCode& code, const std::vector<std::uint32_t>& data);
    Core core;
    State state = State::runs;
    std::int64_t count = 0;  ///< instructions that have run
    std::array<Semaphore, semaphores> posts;
    std::vector<ByteHistory> memories;  ///< MB0 to MB2
  };

  void run_core(int tlt);
  /// False if the core can't go on now.
  bool act(int tlt);
  bool wait(int tlt);
  void post(int tlt);
  void transfer(int tlt);
  bool ring_fits(int tlt, std::uint32_t tles);
  void fetch(int tlt);
  void convolve(int tlt);
  bool convolution_fits(int tlt, const ConvolutionSettings& settings, const LocalAddress& weights,
                        const LocalAddress& out);
  void open_sync();
  void finish();
  void refuse_deadlock();

  /// An agent's next step, after all that its core has done.
  Epoch begin(int tlt, Unit unit);
  void add_post(int from, int to, int semaphore, const Epoch& step, const std::shared_ptr<const Clocks>& clocks);
  void local(int tlt, LocalAddress place, std::int64_t size, bool write, const Epoch& step, int owner);
  bool in_memory(int tlt, LocalAddress place, std::int64_t size, const char* what);
  void tell(int tlt, const Conflict& conflict, const std::string& where);
  void refuse(int tlt, Rule rule, const std::string& what, const std::string& expected, const std::string& hint = {});
  bool spend(std::int64_t work);

  Tlt& at(int tlt) { return tlts_[static_cast<std::size_t>(tlt)]; }
  Clocks& clocks(int agent) { return clocks_[static_cast<std::size_t>(agent)]; }
  Step step_of(int tlt) { return {tlt, at(tlt).core.position(), at(tlt).count}; }
  int instruction_of(const Epoch& step) const;
  std::string name_of(const Epoch& step) const;

  const Program& program_;
  const Machine& machine_;
  const VerifyLimits& limits_;
  const std::stop_token& stop_;
  Report& report_;
  DecodedCode code_;
  std::vector<Tlt> tlts_;
  std::vector<Clocks> clocks_;                  ///< by agent
  std::vector<std::vector<int>> instructions_;  ///< by agent and step: whose; 0 stands for none
  Dram dram_;
  std::deque<int> runnable_;
  int syncing_ = 0, halted_ = 0;
  std::int64_t work_ = 0, pending_ = 0;
  bool broken_ = false;  ///< going on would say nothing
  VerifiedRun result_;
};

}  // namespace convscope::nmp::verification
