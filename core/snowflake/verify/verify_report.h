#pragma once
// What the rules have to say, each place once. Private to the verifier.

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/base/diagnostic.h"
#include "core/snowflake/architecture/program.h"
#include "core/snowflake/verify/verify_program.h"

namespace convscope::snowflake::verification {

class Report {
 public:
  Report(const Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  /// A violation at an instruction, by its position in the code.
  void at(int address, Rule rule, const std::string& what, const std::string& expected, const std::string& hint = {});
  /// A violation of the program as a whole, or of a part of it.
  void error(const std::string& element, Rule rule, const std::string& what, const std::string& expected,
             const std::string& hint = {});

  bool any() const { return violations_ > 0; }
  bool any(Rule rule) const { return counts_[static_cast<std::size_t>(rule)] > 0; }
  /// So many violations that going on tells nothing new.
  bool full() const { return violations_ >= most_violations; }

 private:
  static constexpr int most_of_a_rule = 20, most_violations = 1000;
  /// Whether one more would still be listed.
  bool listed(Rule rule) const { return counts_[static_cast<std::size_t>(rule)] < most_of_a_rule; }
  std::string place(int address) const;

  const Program& program_;
  Diagnostics& diagnostics_;
  std::array<int, rule_count> counts_{};
  std::int64_t violations_ = 0;
  std::set<std::pair<Rule, int>> seen_;
};

}  // namespace convscope::snowflake::verification
