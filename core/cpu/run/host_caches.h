#pragma once
// How large the caches are that one core of this computer sees.

#include <cstdint>
#include <string>

namespace convscope::cpu {

/// Bytes of the data caches; none is 0.
struct CacheSizes {
  std::int64_t l1 = 0, l2 = 0, l3 = 0;
};

/// What the kernel says below `folder`; else, as in virtual machines whose kernel knows none, what the C library reads
/// off the processor; else what is usual. Of a third level that is told for a whole package no more is taken than the
/// cores that share one have: 32 MiB.
CacheSizes host_caches(const std::string& folder = "/sys/devices/system/cpu/cpu0/cache");

}  // namespace convscope::cpu
