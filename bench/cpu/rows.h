#pragma once
// What came of each problem, and of all together.

#include <vector>

namespace convscope::bench {

/// Ratios of one problem; 0 where there is none.
struct Row {
  double of_peak = 0, of_sustained = 0, to_direct = 0, to_winograd = 0, to_im2col = 0;
  double of_gain = 0;    ///< what threads gain, of what they do with multiply-adds alone
  double to_random = 0;  ///< time of the best of a random search / ours
};

/// What a run was about.
struct Question {
  bool threads = false, against_random = false;
};

/// One line on stdout.
void summarize(const std::vector<Row>& rows, const Question& question);

}  // namespace convscope::bench
