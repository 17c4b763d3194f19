#pragma once
// What a child gives up before it runs code that nobody has read: memory, files, network, processes. Linux only, where
// all of it is enforced by the kernel.

#include <cstdint>

namespace convscope::cpu {

/// Whether this kernel filters system calls at all.
bool can_filter();

/// Limits of this process from now on: seconds of CPU, bytes of address space beyond what it has already.
void limit_resources(int cpu_seconds, std::uint64_t more_bytes);

/// What a process was ended for.
struct Incident {
  const char* kind = "crash";     ///< key of an Ending
  const char* what = "";          ///< "signal 11", "system call 2"
  const void* address = nullptr;  ///< of a bad access; null if there is none
};

/// From now on faults and forbidden system calls end the process with exit code 1, after `report` was called with what
/// happened; it may only do what a signal handler may. `more_bytes` as above: larger requests are told as 'memory'.
void report_incidents(void (*report)(const Incident&));

/// Only what loading libraries and computing need: no writing but to `output`, no network, no processes. False if
/// the kernel refuses.
bool filter_for_loading(int output, std::uint64_t largest_mapping);
/// Opening files goes as well.
bool filter_for_running(int output, std::uint64_t largest_mapping);

}  // namespace convscope::cpu
