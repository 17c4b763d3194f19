#pragma once
// Resources x time. A VLIW program's timeline is stored as its sections (each cell once), however often they repeat:
// a million-cycle timeline is never a million objects.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/artifact/operation.h"
#include "core/artifact/ref.h"

namespace convscope::artifact {

/// One occupied interval, in cycles relative to its section's start.
struct TimelineCell {
  std::int32_t resource = 0;
  std::int64_t begin = 0, length = 1;
  OperationKey operation = 0;
  std::int32_t stage = 0;  ///< iterations that this operation runs ahead of the section's repetition count
  OperationClass kind = OperationClass::other;
  std::string label;
};

/// A stretch of instructions that runs `repeats` times in a row: initial, prologue, steady state, epilogue.
struct TimelineSection {
  std::string name;
  std::int64_t length = 0;  ///< cycles of one repetition
  std::int64_t repeats = 1;
  std::int64_t first_address = 0;    ///< instruction address of the first cycle
  std::int64_t first_iteration = 0;  ///< iteration that stage 0 of repetition 0 belongs to; -1 if none (initial)
  std::vector<TimelineCell> cells;   ///< sorted by begin, then resource; inside [0, length)
};

/// A cell at its absolute place in the unrolled run.
struct PlacedCell {
  const TimelineCell* cell = nullptr;
  int section = 0;
  std::int64_t begin = 0;       ///< absolute cycle
  std::int64_t iteration = -1;  ///< first iteration + repetition + stage; -1 if there is none
};

class Timeline {
 public:
  Timeline(std::vector<std::string> resources, std::vector<TimelineSection> sections);

  const std::vector<std::string>& resources() const { return resources_; }
  const std::vector<TimelineSection>& sections() const { return sections_; }
  /// Cycles of the whole unrolled run.
  std::int64_t length() const { return starts_.back(); }
  /// Absolute first cycle of a section; for the number of sections, the end of the run.
  std::int64_t section_start(int section) const { return starts_[static_cast<std::size_t>(section)]; }
  /// Section in which an absolute cycle lies, in O(log sections); cycles outside the run belong to the first or last
  /// section. -1 if there are no sections.
  int section_at(std::int64_t cycle) const;
  /// Index of the steady state: the section with most repetitions (the last such); -1 if there are no sections.
  int steady_state() const;

  /// Calls visit for each cell that overlaps [begin, end) of the unrolled run, in time order within a section's
  /// repetition. Cost: O(log cells + cells visited) for each repetition that it overlaps.
  void visit(std::int64_t begin, std::int64_t end, const std::function<void(const PlacedCell&)>& visit) const;

  /// Busy cycles of a resource in [begin, end): closed form over repetitions, for aggregation below a pixel.
  /// Cells of one resource that overlap count once. Cost: O(log cells).
  std::int64_t busy(int resource, std::int64_t begin, std::int64_t end) const;

 private:
  void visit_section(int section, std::int64_t begin, std::int64_t end,
                     const std::function<void(const PlacedCell&)>& visit) const;
  std::int64_t busy_until(int resource, std::int64_t cycle) const;

  std::vector<std::string> resources_;
  std::vector<TimelineSection> sections_;
  std::vector<std::int64_t> starts_;                    // sections + 1
  std::vector<std::vector<std::int64_t>> latest_ends_;  // [section][cell]: latest end of the cells up to it
  /// Cycles [begin, end) without a pause in which a resource is busy, and its busy cycles before them.
  struct BusyStretch {
    std::int64_t begin = 0, end = 0, before = 0;
  };
  using BusyStretches = std::vector<BusyStretch>;  // ascending, never touching
  static std::vector<BusyStretches> busy_stretches(const TimelineSection& section, std::size_t resources);
  static std::int64_t busy_before(const BusyStretches& stretches, std::int64_t cycle);

  std::vector<std::vector<BusyStretches>> busy_;                // [section][resource]
  std::vector<std::vector<std::int64_t>> busy_before_section_;  // [section][resource]
};

}  // namespace convscope::artifact
