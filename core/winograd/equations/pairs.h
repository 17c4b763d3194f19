#pragma once
// Sub-expressions of two terms, the most frequent first.

#include <stop_token>
#include <vector>

#include "core/winograd/equations/linear_form.h"

namespace convscope::winograd {

/// While some pair a + c b occurs in two forms or more up to a factor, the one that occurs most often becomes a
/// definition, oriented (a + c b or b + a / c) so that it enters more of them with ±1. Of equally frequent ones that of
/// the least variables. Greedy: not optimal. Throws Cancelled if stopped.
SharedForms share_pairs(std::vector<LinearForm> forms, int inputs, const std::stop_token& stop = {});

}  // namespace convscope::winograd
