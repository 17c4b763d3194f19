#pragma once
// Outcomes as JSON: what `lab check --json` prints, and what comes back from the process that looked at a submission.

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/labs/check.h"

namespace convscope::labs {

/// Without the name of a file.
nlohmann::ordered_json outcome_json(const Lab& lab, const Outcome& outcome);

/// The object that `lab check --json` prints (docs/labs.md), ended by a line feed.
std::string check_json(const Lab& lab, const std::vector<std::pair<std::string, Outcome>>& outcomes);

/// The outcome of the only submission in such a text. Nothing if it is none of this lab.
std::optional<Outcome> read_check_json(const Lab& lab, std::string_view text);

}  // namespace convscope::labs
