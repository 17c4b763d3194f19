#pragma once
// Sub-expressions of two terms, the most frequent first.

#include <stop_token>
#include <vector>

#include "core/winograd/equations/linear_form.h"

namespace convscope::winograd {

/// While some pair a + c b, |c| >= 1, occurs in two forms or more up to a factor, the one that occurs most often
/// becomes a definition, written as that or as b + a / c so that it enters more of them with ±1. Of equally frequent
/// ones that of the latest variables, so that sums are built upon sums. Greedy: not optimal. Throws Cancelled if
/// stopped.
SharedForms share_pairs(std::vector<LinearForm> forms, int inputs, const std::stop_token& stop = {});

}  // namespace convscope::winograd
