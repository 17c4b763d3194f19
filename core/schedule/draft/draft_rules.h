#pragma once
// What a draft breaks, where operations may go, and its figures: quick enough to be asked with every move of a pointer.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/draft/draft.h"

namespace convscope::schedule {

/// One broken rule, told at one operation; the other end of a dependence is told it, too.
struct DraftViolation {
  enum class Rule {
    too_early,  ///< `other` must come before, and isn't far enough ahead
    too_late,   ///< `other` must come after, and isn't far enough behind
    taken       ///< more uses of `resource` than it has units, with `other` among them
  } rule = Rule::taken;
  int operation = -1, other = -1;
  int dependence = -1;     ///< of too_early and too_late: index in the problem
  int resource = -1;       ///< of taken: of the plain problem
  std::int64_t row = 0;    ///< of taken: of the loop
  std::int64_t limit = 0;  ///< cycle from which on, or up to which, the operation would do; of taken: units
  std::int64_t uses = 0;   ///< of taken
};

/// Every broken rule among the placed operations, at each operation that it is about: by operation, dependences first.
/// Empty for a complete draft exactly if `verify` accepts its schedule. O(operations + dependences).
std::vector<DraftViolation> violations(const Draft& draft);

/// For people: operation, cycle, rule, other operation, limit; then what would do.
std::string violation_text(const Draft& draft, const DraftViolation& violation);

/// Cycles that an operation could move by, earlier (negative) and later, by its dependences alone; nothing if none
/// bounds it. Precondition: it is placed.
struct Slack {
  std::optional<std::int64_t> earlier, later;
};
Slack slack(const Draft& draft, int operation);

/// Where some operations could be put down together, each as far from the others as now. Built once when they are
/// picked up.
class LegalSlots {
 public:
  /// `carried`: where they would stand at a shift of 0; they take nothing of the draft themselves.
  LegalSlots(const Draft& draft, std::vector<Place> carried);

  /// Whether every rule about them would hold if all moved by so many cycles.
  bool is_legal(std::int64_t shift) const;
  /// Shifts that dependences on what stays allow; first > last: none.
  std::int64_t first() const { return first_; }
  std::int64_t last() const { return last_; }

 private:
  std::int64_t row(std::int64_t cycle) const;
  std::size_t place(int table, std::int64_t row) const {
    return static_cast<std::size_t>(table) * static_cast<std::size_t>(interval_) + static_cast<std::size_t>(row);
  }

  std::int64_t interval_ = 1, first_ = 0, last_ = 0;
  bool fits_itself_ = true;
  struct Use {
    int table = 0;         // of a resource that a carried operation uses
    std::int64_t row = 0;  // at shift 0
    int units = 1;         // of all carried operations in this place
  };
  std::vector<Use> uses_;
  std::vector<int> free_;  // units by table and row
};

/// Figures that follow every move.
struct DraftFigures {
  int placed = 0, operations = 0;
  std::int64_t interval = 0, bound = 0;  ///< cycles; no schedule has an interval below the bound
  std::int64_t length = 0;               ///< cycles of one iteration, first issue to last
  std::int64_t stages = 0;               ///< iterations that overlap
};
DraftFigures figures(const Draft& draft);

}  // namespace convscope::schedule
