#pragma once
// The inside of the child that runs programs: `convscope-run-generated` is nothing else.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/cpu/run/test_data.h"

namespace convscope::cpu {

/// A convolution that is part of this process, timed in turn with the programs.
struct Guest {
  std::string name, implementation;
  std::int64_t temporary_bytes = 0;
  std::function<void()> run;
  std::function<std::vector<float>()> output;  ///< H W M, of the last run
};
/// Makes them from the test data, while everything is still allowed. The data outlive them.
using GuestMaker = std::function<std::vector<Guest>(const TestData&)>;

/// Runs what the request says (protocol.h), with the test data as stdin, and answers on stdout. Returns the exit code;
/// a program that does what it mustn't ends the process before.
int run_as_child(const std::string& request, const GuestMaker& guests = {});

}  // namespace convscope::cpu
