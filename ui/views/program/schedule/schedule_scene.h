#pragma once
// What the schedule view draws: cycle x issue field, from one cell to millions of cycles. No widgets, no pixels:
// only what lies in a stretch of cycles.

#include <memory>
#include <set>
#include <vector>

#include "core/artifact/timeline.h"
#include "ui/model/view.h"
#include "ui/views/program/linked_operations.h"
#include "ui/views/program/operation_index.h"

namespace convscope::ui {

enum class ScheduleMode {
  unrolled,     ///< the whole run: prologue, steady state as often as it repeats, epilogue
  steady_state  ///< one repetition, as a modulo schedule; of another section where the selection lies there
};

/// A stretch of absolute cycles [first, first + count).
struct CycleRange {
  std::int64_t first = 0, count = 0;
};

/// Share of a row of several cycles in which a resource is busy.
struct ScheduleBand {
  int row = 0, resource = 0;
  double busy = 0;  ///< 0..1
};

/// One repetition of a section, for readings and marks.
struct ScheduleMoment {
  int section = 0;
  std::int64_t repetition = 0;
  std::int64_t cycle = 0;    ///< inside the repetition
  std::int64_t address = 0;  ///< instruction address
};

class ScheduleScene {
 public:
  /// `graph` and `links` may be null: no dependences, no words then.
  ScheduleScene(std::shared_ptr<const artifact::Timeline> timeline, std::shared_ptr<const artifact::TaskGraph> graph,
                artifact::Ref subject, std::shared_ptr<const artifact::Links> links = nullptr);

  const artifact::Timeline& timeline() const { return *timeline_; }
  const OperationIndex& operations() const { return operations_; }
  const LinkedOperations& linked() const { return linked_; }
  const artifact::Ref& subject() const { return subject_; }
  int resources() const { return static_cast<int>(timeline_->resources().size()); }

  /// In `steady_state` the first repetition of a section.
  CycleRange range(ScheduleMode mode, int section) const;
  /// The section that shows a selection best: the steady state, unless its cycle, or all of its operation, lies
  /// elsewhere; -1 if there is none.
  int section_for(const artifact::Ref& selection) const;
  ScheduleMoment moment(std::int64_t cycle) const;
  /// Cells that overlap the stretch.
  std::vector<artifact::PlacedCell> cells(CycleRange range) const;
  /// The first cell of a resource in a stretch; `cell` is null if it is idle.
  artifact::PlacedCell first_cell(int resource, CycleRange range) const;
  /// Rows of `cycles_per_row` cycles from `first` on, only those that are not idle. Cost: rows x resources.
  std::vector<ScheduleBand> bands(double first, double cycles_per_row, int rows) const;
  /// The kind of operation that a resource executes most, for rows in which single ones can't be told apart.
  /// Kinds of operation that occur.
  const std::set<artifact::OperationClass>& kinds() const { return kinds_; }
  artifact::OperationClass usual_kind(int resource) const { return usual_[static_cast<std::size_t>(resource)]; }
  /// Stages of the steady state: iterations that overlap.
  int stages() const;
  std::string csv() const;

 private:
  std::shared_ptr<const artifact::Timeline> timeline_;
  OperationIndex operations_;
  LinkedOperations linked_;
  artifact::Ref subject_;
  std::vector<artifact::OperationClass> usual_;
  std::set<artifact::OperationClass> kinds_;
};

/// First absolute cycle in [from, to) at which a repetition of the section is at its cycle `begin`; -1 if there is
/// none.
std::int64_t first_occurrence(const artifact::Timeline& timeline, int section, std::int64_t begin, std::int64_t from,
                              std::int64_t to);

}  // namespace convscope::ui
