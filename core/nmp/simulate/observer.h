#pragma once
// Who watches a run, told in the order of the ends of what happens.

#include <cstdint>

#include "core/nmp/architecture/configuration.h"
#include "core/nmp/architecture/core.h"
#include "core/nmp/architecture/instruction.h"

namespace convscope::nmp {

/// A transfer or a convolution that has ended.
struct UnitRun {
  int tle = 0, tlt = 0;  ///< whose core gave it; `tlt` within its TLE
  int instruction = 0;   ///< position in Program::code
  double issued = 0;     ///< when the core gave it
  double begin = 0, end = 0;
};

struct TransferRun : UnitRun {
  bool store = false;
  double command_seconds = 0;  ///< of `begin` to `end`, or before it where commands leave the DRAM free
  TransferShape shape;         ///< with the masks of those that receive it, the giver alone where they are 0
  std::uint32_t dram_byte = 0;
  LocalAddress local;
  int semaphore = 0;                    ///< of none if it is a fetch, to the data RAM
  double dram_end = 0, ring_begin = 0;  ///< of one that goes on around the ring until `end`

  bool rings() const { return shape.ring != 0; }
  /// Whether it posts to, or moves data of, that TLT of that TLE.
  bool receives(int other_tle, int other_tlt) const {
    const auto named = [](std::uint32_t mask, int bit) { return bit < 32 && (mask >> bit & 1U) != 0; };
    return (shape.ring == 0 ? other_tle == tle : named(shape.ring, other_tle)) &&
           (shape.multicast == 0 ? other_tlt == tlt : named(shape.multicast, other_tlt));
  }
};

struct ConvolutionRun : UnitRun {
  ConvolutionSettings settings;
  LocalAddress weights, out;
  int semaphore = 0;
};

/// A core that did not go on at once.
struct WaitRun {
  int tle = 0, tlt = 0, instruction = 0;
  double begin = 0, end = 0;
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;
  /// Told before its data move.
  virtual void transferred(const TransferRun& /*run*/) {}
  virtual void convolved(const ConvolutionRun& /*run*/) {}
  virtual void waited(const WaitRun& /*run*/) {}
  virtual void halted(int /*tle*/, int /*tlt*/, double /*seconds*/) {}

  // For those who show every cycle, and say so. `tlt` is the TLT's position in Program::data.
  virtual bool shows_cycles() const { return false; }
  /// Plain instructions follow, a cycle each, the first at `seconds`; the core stands before it.
  virtual void goes_on(int /*tlt*/, double /*seconds*/, const Core& /*core*/) {}
  /// A custom word or `ecall`, with its position in Program::code.
  virtual void acted(int /*tlt*/, int /*instruction*/, double /*seconds*/) {}
  /// A semaphore was posted, or posts were taken away.
  virtual void counted(int /*tlt*/, int /*semaphore*/, double /*seconds*/) {}
  virtual void transfer_given(const TransferRun& /*run*/) {}
  virtual void transfer_began(const TransferRun& /*run*/) {}
  virtual void ring_began(const TransferRun& /*run*/) {}
  virtual void convolution_given(const ConvolutionRun& /*run*/) {}
};

}  // namespace convscope::nmp
