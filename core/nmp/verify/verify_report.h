#pragma once
// What the rules have to say, each instruction once. Private to the verifier.

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/base/diagnostic.h"
#include "core/nmp/architecture/program.h"
#include "core/nmp/verify/verify_program.h"

namespace convscope::nmp::verification {

/// Whose instruction, and how many it has run before.
struct Step {
  int tlt = 0;  ///< of all
  int instruction = 0;
  std::int64_t count = 0;
};

class Report {
 public:
  Report(const Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  void at(const Step& step, Rule rule, const std::string& what, const std::string& expected,
          const std::string& hint = {});
  /// A violation of the program as a whole.
  void error(const std::string& element, Rule rule, const std::string& what, const std::string& expected,
             const std::string& hint = {});
  bool any() const { return violations_ > 0; }
  /// So many violations that going on tells nothing new.
  bool full() const { return violations_ >= most_violations; }

  std::string name_of_tlt(int tlt) const;

 private:
  static constexpr int most_of_a_rule = 10, most_violations = 1000;

  const Program& program_;
  Diagnostics& diagnostics_;
  std::array<int, rule_count> counts_{};
  std::int64_t violations_ = 0;
  std::set<std::pair<Rule, int>> seen_;
};

}  // namespace convscope::nmp::verification
