#pragma once
// Sub-expressions in the thesis's way, sections 6.9.2 and 6.9.3.

#include <stop_token>
#include <vector>

#include "core/winograd/equations/linear_form.h"

namespace convscope::winograd {

inline constexpr int most_variables = 64;  ///< that sets are made of: tiles up to 8 x 8

/// L0 is all var-sets of the forms and their negatives, L(i+1) the pairwise intersections of L(i) with more than one
/// element. In a form the largest of L1 are replaced first, with either sign, in what they define those of L2, and so
/// on; each is defined where it is first used. Of equally large ones the first by its variables, those with plus before
/// those with minus: the thesis leaves that open. What is used once is written in its place. Not optimal. At most
/// `most_variables` inputs. Throws Cancelled if stopped.
SharedForms share_variable_sets(const std::vector<LinearForm>& forms, int inputs, const std::stop_token& stop = {});

}  // namespace convscope::winograd
