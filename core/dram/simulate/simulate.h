#pragma once
// A DRAM cycle by cycle: commands, banks, bank groups, ranks, queues, refresh. It is the reference for the forms that
// are faster, and the timing of simulators.
//
// Each channel has a controller. Reads and writes wait in a queue each, are handed to the queue of their bank (one a
// cycle), and each cycle one command is given: the bank queues take turns, each offers the first of its accesses whose
// next command may be given now (first ready, first come), and a row is closed for the oldest access of its bank when
// no other one waits for it or it has served Controller::row_hits. Reads go first; writes are answered when they are
// taken, and served all together when their queue is full, or when the banks have nothing else to do. Refreshes of
// ranks are spread evenly over tREFI; one that is due closes its rank's rows and goes before everything else. A read of
// a line that waits to be written is answered from the queue; reads of a line that is being waited for are answered
// with it.
//
// Cycles at which nothing can happen are skipped; the result is that of looking at each. Deterministic.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/dram/parameters/parameters.h"

namespace convscope::dram {

enum class CommandKind { activate, read, write, precharge, refresh };

struct Command {
  std::int64_t cycle = 0;
  CommandKind kind = CommandKind::activate;
  int channel = 0, rank = 0;
  int bank = 0;  ///< of the rank; 0 for refreshes, which mean all banks
  int row = 0;
  bool operator==(const Command&) const = default;
};

/// One access to the line that `address` lies in.
struct Request {
  std::uint64_t address = 0;
  bool write = false;
  bool after_reads = false;  ///< asked only when all reads before it have been answered
};

/// The next request, or false at the end. Requests are asked in order, as many a cycle as there are channels.
using RequestSource = std::function<bool(Request&)>;

struct SimulationOptions {
  std::size_t log_limit = 0;  ///< commands that are kept, the first ones
  bool settle = false;        ///< go on until all writes have reached their banks
};

struct Simulation {
  std::int64_t cycles = 0;  ///< from the first request to the last answer (or the last data written, if settled)
  std::int64_t reads = 0, writes = 0, activates = 0, precharges = 0, refreshes = 0;  ///< commands
  std::vector<Command> log;
};

/// Runs all requests on a DRAM without contradictions. Throws Cancelled.
Simulation simulate(const Parameters& parameters, const RequestSource& next, const SimulationOptions& options = {},
                    const std::stop_token& stop = {});

}  // namespace convscope::dram
