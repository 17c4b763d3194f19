#pragma once
// What a child that runs programs is told, and what it answers: JSON as its one argument, test data as its stdin, JSON
// on its stdout.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cpu/architecture/kernel_transform.h"
#include "core/cpu/architecture/layout.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/run/outcome.h"
#include "core/cpu/run/sampling.h"

namespace convscope::cpu {

struct RunRequest {
  struct Program {
    std::string library, symbol;  ///< path, and what its function is called
    Layout image, kernel, output;
    KernelTransform transform = {};
  };
  Problem problem;
  std::vector<Program> programs;
  Family family = Family::scalar;  ///< the widest of the programs', for the loops around samples
  SamplingOptions sampling;
  bool only_check = false;  ///< values, no times
  Accuracy accuracy;
  int cpu_seconds = 10;
  std::uint64_t more_bytes = 0;  ///< address space that the programs may take for themselves
};

/// Somebody else's convolution that took part in a run.
struct PeerOutcome {
  std::string name, implementation;  ///< "oneDNN direct", "jit:avx512_common"
  std::int64_t temporary_bytes = 0;
  Outcome outcome;  ///< its ratio refers to the first program: above 1 it is slower
};

struct RunAnswer {
  std::vector<PeerOutcome> peers;
  std::vector<Outcome> programs;  ///< as many as asked for, unless one of them ended it all: then it is the last
  bool complete = false;
};

std::string text(const RunRequest& request);
std::optional<RunRequest> parse_request(const std::string& text);

/// Answer of a run that went to its end.
std::string text(const RunAnswer& answer);
/// Nothing if it isn't one: the program ended the process, or wrote into its memory.
std::optional<RunAnswer> parse_answer(const std::string& text);

}  // namespace convscope::cpu
