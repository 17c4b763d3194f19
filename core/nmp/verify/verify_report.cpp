#include "core/nmp/verify/verify_report.h"

#include <fmt/format.h>

namespace convscope::nmp {

std::string_view rule_code(Rule rule) {
  static constexpr std::array<std::string_view, rule_count> codes{
      "malformed",     "illegal-word", "illegal-operand", "memory-end",     "outside-region",
      "never-written", "race",         "post-order",      "deadlock",       "halts-early",
      "posts-left",    "wide-sum",     "traffic",         "output-missing", "step-budget"};
  return codes[static_cast<std::size_t>(rule)];
}

namespace verification {

std::string Report::name_of_tlt(int tlt) const {
  return fmt::format("TLE {} TLT {}", tlt / program_.machine.tlts, tlt % program_.machine.tlts);
}

// Thirty TLTs that run the same code make the same mistake: it is said once.
void Report::at(const Step& step, Rule rule, const std::string& what, const std::string& expected,
                const std::string& hint) {
  if (!seen_.emplace(rule, step.instruction).second) {
    ++violations_;
    return;
  }
  error(fmt::format("instruction {} ({}, its {}.)", step.instruction, name_of_tlt(step.tlt), step.count + 1), rule,
        what, expected, hint);
}

void Report::error(const std::string& element, Rule rule, const std::string& what, const std::string& expected,
                   const std::string& hint) {
  ++violations_;
  if (++counts_[static_cast<std::size_t>(rule)] > most_of_a_rule) return;
  diagnostics_.error({program_.name, 0, element}, fmt::format("{}: {}", rule_code(rule), what), expected, hint);
}

}  // namespace verification
}  // namespace convscope::nmp
