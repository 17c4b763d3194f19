#pragma once
// The inside of the child that runs programs: `convscope-run-generated` is nothing else.

#include <string>

namespace convscope::cpu {

/// Runs what the request says (protocol.h), with the test data as stdin, and answers on stdout. Returns the exit code;
/// a program that does what it mustn't ends the process before.
int run_as_child(const std::string& request);

}  // namespace convscope::cpu
