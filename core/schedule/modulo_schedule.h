#pragma once
// Software pipelining: the one entry point. A portfolio of schedulers, bounds that prove what they reach, and a
// certificate with every result.

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "core/schedule/bounds/certificate.h"
#include "core/schedule/problem/budget.h"
#include "core/schedule/problem/problem.h"
#include "core/schedule/problem/result.h"

namespace convscope::schedule {

struct PipelineOptions {
  std::int64_t smallest_interval = 1;  ///< nothing below is looked at: the caller knows why
  std::int64_t largest_interval = 0;   ///< nothing above is accepted; 0: as large as the problem may need
  bool prove = true;                   ///< search the intervals that quick methods left open; without, they are the gap
  bool least_lifetime = false;  ///< of the schedules with these rows and stages, one whose values live shortest in sum,
                                ///< if the budget has steps left for it
};

/// A schedule of every operation at an interval, which `verify` accepts. The first cycle is in [0, interval).
struct Pipelined {
  Schedule schedule;
  Certificate certificate;
  std::int64_t stages = 0;    ///< intervals that one iteration touches: its last stage + 1. Fewest for these rows
  std::int64_t lifetime = 0;  ///< sum over operations of the cycles until their value's last reader, all iterations
  std::string method;         ///< scheduler that found it, for people
};

/// A pipelined schedule, or the one way in which there is none.
class PipelineResult {
 public:
  PipelineResult(Pipelined pipelined) : value_(std::move(pipelined)) {}  // NOLINT(google-explicit-constructor)
  PipelineResult(Failure failure) : value_(std::move(failure)) {}        // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return std::holds_alternative<Pipelined>(value_); }
  /// Preconditions (asserted): it is one, or the other.
  const Pipelined& pipelined() const {
    assert(*this);
    return *std::get_if<Pipelined>(&value_);
  }
  const Failure& failure() const {
    assert(!*this);
    return *std::get_if<Failure>(&value_);
  }

 private:
  std::variant<Pipelined, Failure> value_;
};

/// The least interval that the budget finds, and what is proven about it. Deterministic: the same problem, options and
/// budget give the same answer everywhere.
///
/// Optimal exactly if `certificate.optimal()`; otherwise `certificate.reason` says what stayed open. A budget that is
/// used up after a schedule was found is such a gap, not a failure; so is a stop.
/// Fails with `malformed`, `circle` (no interval meets it), `over_capacity` (an operation fits nowhere),
/// `interval_limit` (none up to the largest), `budget` and `stopped` (before there was any schedule).
PipelineResult modulo_schedule(const Problem& problem, const PipelineOptions& options, Budget& budget);

}  // namespace convscope::schedule
