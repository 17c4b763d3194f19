#pragma once
// Seeded drafts of small problems, and what trying everything says about them. Shares no code with what it is compared
// with.

#include <cstdint>
#include <optional>
#include <random>

#include "core/schedule/draft/draft.h"

namespace convscope::schedule::test {

/// Nothing if the random problem is one that no schedule can meet.
std::shared_ptr<const DraftProblem> random_draft_problem(int operations, std::mt19937_64& random);
/// Some operations at random cycles, whatever that breaks, at a random interval of 1 to 8.
Draft random_draft(std::shared_ptr<const DraftProblem> problem, std::mt19937_64& random);

/// Whether the unplaced operations can be placed so that no rule is broken: each in every row, in turn, with whole
/// intervals between them by relaxation. Placed ones stay. Nothing if that takes more looks.
std::optional<bool> can_be_completed(const Draft& draft, std::int64_t looks);

}  // namespace convscope::schedule::test
