#pragma once
// What cores, MAC units, DMAs and the DRAM do in a cycle, and why they do nothing.

#include <string>
#include <vector>

#include "core/nmp/trace/trace_blocks.h"

namespace convscope::nmp {

/// Of the cycle that a run has done last.
class TraceUnits {
 public:
  TraceUnits(const TraceRun& run, const TraceBlocks& blocks, const Program& program)
      : run_(run), blocks_(blocks), program_(program), cycle_(run.at() - 1), events_(run.events(cycle_)) {}

  /// As StateSchema::units. `what` is the position of the instruction in Program::code, or -1.
  std::vector<artifact::UnitCycle> all() const;
  /// A line of plain text.
  std::string text(int unit) const;
  /// Position of the instruction that a core executes, or that waits; -1 when it has halted.
  int instruction(int tlt) const;

 private:
  artifact::UnitCycle core(int tlt) const;
  artifact::UnitCycle mac_unit(int tlt) const;
  artifact::UnitCycle dma(int tle) const;
  artifact::UnitCycle dram() const;
  artifact::UnitCycle ring() const;

  std::string core_text(int tlt) const;
  std::string mac_text(int tlt) const;
  std::string dma_text(int tle) const;
  std::string dram_text() const;
  std::string ring_text() const;
  std::string semaphore_text(int tlt) const;
  std::string who_posts(int tlt, int semaphore) const;
  std::string transfer_text(const TransferRun& run) const;
  std::string name_of_tlt(int tlt) const;

  /// What a DMA moves, or has just ended moving; null if nothing does.
  const TransferRun* moving(int tle) const;
  /// The same of what has the DRAM, and of what the ring carries, of whatever TLE.
  const TransferRun* at_dram() const;
  const TransferRun* on_ring() const;
  const ConvolutionRun* computing(int tlt) const;
  int executed(int tlt) const;
  const simulation::Tlt& tlt_at(int tlt) const { return run_.run().tlts()[static_cast<std::size_t>(tlt)]; }
  const simulation::Tle& tle_at(int tle) const { return run_.run().tles()[static_cast<std::size_t>(tle)]; }

  const TraceRun& run_;
  const TraceBlocks& blocks_;
  const Program& program_;
  const std::int64_t cycle_;
  const TraceRun::Events& events_;
};

}  // namespace convscope::nmp
