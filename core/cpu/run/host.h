#pragma once
// The computer that programs are measured on, and how fast its parts are.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/diagnostic.h"

namespace convscope::cpu {

struct Host {
  std::string model;                               ///< of the processor, as it calls itself
  std::string features;                            ///< vector families that it has: "scalar avx2 avx512"
  int family = 0, model_number = 0, stepping = 0;  ///< as CPUID counts
  int cores = 1;
  std::int64_t l1 = 0, l2 = 0, l3 = 0;  ///< bytes of the data caches that one core sees

  /// The same for the same kind of machine: measurements of it can be compared. Clock and load are not part of it.
  std::string identity() const;
};
/// From /proc/cpuinfo and `host_caches`.
Host this_host();
/// What fills the caches that one core sees, as far as it is read in a few milliseconds: 64 MiB at most.
std::int64_t bytes_of_caches(const Host& host);

/// Measured on this host by one thread in about two seconds; others may have disturbed it.
struct Calibration {
  double flops_scalar = 0, flops_256 = 0, flops_512 = 0;  ///< FLOP/s; 0: no such instructions
  double l1 = 0, l2 = 0, l3 = 0, dram = 0;                ///< bytes/s read
  double clock = 0;                                       ///< Hz, of dependent additions
};
/// Best of repeated loops on the calling thread. Throws Cancelled.
Calibration calibrate(const Host& host, double seconds, const std::stop_token& stop);

}  // namespace convscope::cpu
