#include "core/schedule/schedulers/lifetimes.h"

#include <algorithm>
#include <vector>

#include "core/base/integers.h"
#include "core/schedule/problem/compact.h"
#include "core/schedule/schedulers/difference_program.h"
#include "core/schedule/schedulers/stages.h"

namespace convscope::schedule {
namespace {

// A reader of a value: in which row, and how many iterations later.
struct Reader {
  int operation = 0;
  std::int64_t row = 0, iterations = 0;
};

class Stages {
 public:
  Stages(const Problem& problem, const Schedule& schedule)
      : problem_(problem), interval_(schedule.initiation_interval) {
    for (const std::int64_t cycle : schedule.cycles) rows_.push_back(cycle % interval_);
    program_.number(0);  // stage 0
    const std::int64_t last = stages_of(schedule) - 1;
    const Lists<Reader> readers = readers_of_values();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const int stage = program_.number(readers[i].empty() ? 0 : -interval_);
      program_.bound(0, stage, 0);
      program_.bound(stage, 0, -last);
    }
    for (const Dependence& d : problem.dependences) {
      const std::int64_t missing = rows_[at(d.from)] + d.distance - d.iterations * interval_ - rows_[at(d.to)];
      if (d.from != d.to) program_.bound(stage_of(d.from), stage_of(d.to), ceiling(missing));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!readers[i].empty()) add_end({readers[i].begin(), readers[i].end()});
  }

  std::optional<Schedule> solve(Budget& budget) const {
    const auto values = program_.solve(budget);
    if (!values) return std::nullopt;
    Schedule result{rows_, interval_};
    for (std::size_t i = 0; i < rows_.size(); ++i) result.cycles[i] += (*values)[i + 1] * interval_;
    return result;
  }

 private:
  static int stage_of(int operation) { return operation + 1; }
  std::int64_t ceiling(std::int64_t cycles) const { return cycles / interval_ + (cycles % interval_ > 0 ? 1 : 0); }

  Lists<Reader> readers_of_values() const {
    std::vector<Dependence> values;
    for (const Dependence& d : problem_.dependences)
      if (d.value) values.push_back(d);
    return {rows_.size(), values.size(), [&](std::size_t i) { return at(values[i].from); },
            [&](std::size_t i) {
              return Reader{values[i].to, rows_[at(values[i].to)], values[i].iterations};
            }};
  }

  // The last reader's cycle, row + interval * stage, counts in pieces, one for each row in which there is a reader: the
  // piece between two rows counts as often as there are stages in which a reader stands at its upper row or behind.
  //   rows      0 ...... a ........ b ......... interval
  //   pieces      row a    row b      behind b: no reader, one stage less
  void add_end(std::vector<Reader> readers) {
    std::stable_sort(readers.begin(), readers.end(), [](const Reader& a, const Reader& b) { return a.row > b.row; });
    int behind = program_.number(interval_ - readers.front().row);
    for (const Reader& reader : readers) program_.bound(stage_of(reader.operation), behind, reader.iterations - 1);
    for (std::size_t i = 0; i < readers.size();) {
      const std::int64_t row = readers[i].row;
      std::size_t end = i;
      while (end < readers.size() && readers[end].row == row) ++end;
      const int piece = program_.number(row - (end < readers.size() ? readers[end].row : 0));
      program_.bound(behind, piece, 0);
      for (; i < end; ++i) program_.bound(stage_of(readers[i].operation), piece, readers[i].iterations);
      behind = piece;
    }
  }

  const Problem& problem_;
  std::int64_t interval_;
  std::vector<std::int64_t> rows_;
  DifferenceProgram program_;
};

}  // namespace

std::int64_t total_lifetime(const Problem& problem, const Schedule& schedule) {
  std::vector<std::int64_t> longest(problem.operations.size(), unplaced);
  for (const Dependence& d : problem.dependences) {
    if (!d.value) continue;
    const std::int64_t read = schedule.cycles[at(d.to)] + d.iterations * schedule.initiation_interval;
    longest[at(d.from)] = std::max(longest[at(d.from)], read - schedule.cycles[at(d.from)]);
  }
  std::int64_t sum = 0;
  for (const std::int64_t cycles : longest)
    if (cycles != unplaced) sum += cycles;
  return sum;
}

std::optional<Schedule> with_least_lifetime(const Problem& problem, const Schedule& schedule, Budget& budget) {
  if (schedule.cycles.empty()) return schedule;
  return Stages(problem, schedule).solve(budget);
}

}  // namespace convscope::schedule
