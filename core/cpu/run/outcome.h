#pragma once
// What became of a program that was compiled and run: figures, or how it failed. Nothing a program does is an error of
// ours.

#include <optional>
#include <string>
#include <string_view>

#include "core/cpu/architecture/accuracy.h"

namespace convscope::cpu {

enum class Ending {
  ran,            ///< and its values are right
  wrong_result,   ///< values outside the bound
  inaccurate,     ///< within it, but further off than was asked for
  out_of_bounds,  ///< touched what is no part of its tensors, or wrote into its inputs
  compile_error,
  crash,       ///< ended by a signal, or by itself
  timeout,     ///< compiler or program
  memory,      ///< wanted more than the limit
  file,        ///< wanted to open or change a file
  network,     ///< wanted a socket
  forbidden,   ///< another system call that computing doesn't need, e.g. a new process
  unavailable  ///< nothing was run: no compiler, no helper, no kernel support
};

/// As in the store: "wrong_result".
std::string_view key(Ending ending);
std::optional<Ending> find_ending(std::string_view key);

struct Outcome {
  Ending ending = Ending::unavailable;
  std::string message;  ///< what was wrong, for people; empty if it ran

  // Seconds of one convolution, over the samples that counted.
  double minimum = 0, first_quartile = 0, median = 0;
  int samples = 0;
  bool gated = false;  ///< samples were checked against disturbance; if not, only the minimum means something
  /// Median of (seconds of this / seconds of the first program of the run), over samples taken one after the other; of
  /// their minima if they aren't gated; 0 for a program that ran alone.
  double ratio = 0;
  double peak = 0;       ///< FLOP/s of multiply-adds alone at the family's width, best of this run
  double sustained = 0;  ///< the same over as long as a sample of the first program; 0: not asked for

  double error = 0, bound = 0;         ///< largest difference from the reference, and what is allowed
  double error_max = 0, error_l2 = 0;  ///< by both metrics
  std::string compiler, flags;         ///< "g++ (Debian 12.2.0-14) 12.2.0", "-O2 -mavx512f ..."

  bool ran() const { return ending == Ending::ran; }
};

/// What stands for a program that ran: the median where samples were gated, else their minimum.
double seconds_of(const Outcome& outcome);

/// An outcome that has no times.
Outcome failed(Ending ending, std::string message);

}  // namespace convscope::cpu
