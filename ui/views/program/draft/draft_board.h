#pragma once
// What manual mode shows and what is in the user's hand: a draft, the chosen operations, and those that are carried. No
// widgets, no pixels.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/artifact/ref.h"
#include "core/schedule/draft/draft_file.h"
#include "core/schedule/draft/draft_rules.h"
#include "core/target/drafts.h"

namespace convscope::ui {

class DraftBoard {
 public:
  DraftBoard(std::shared_ptr<const target::DraftTools> tools, schedule::DraftOrigin origin, artifact::Ref subject);

  const target::DraftTools& tools() const { return *tools_; }
  std::shared_ptr<const target::DraftTools> shared_tools() const { return tools_; }
  const schedule::DraftOrigin& origin() const { return origin_; }
  const artifact::Ref& subject() const { return subject_; }

  /// Whether another board is one of the same loop.
  bool is_of(const DraftBoard& other) const;
  /// Finishes as a newer board of the same loop does: its machine may be another.
  void take_tools(const DraftBoard& newer);

  /// The draft as the document has it.
  const schedule::Draft& draft() const { return draft_; }
  /// With what is carried where it would be put down.
  const schedule::Draft& shown() const { return shown_; }
  void set_draft(schedule::Draft draft);

  const std::vector<int>& chosen() const { return chosen_; }
  bool is_chosen(int operation) const;
  /// Chooses an operation alone, or adds it to the others, or takes it from them; -1: none.
  void choose(int operation, bool others_too = false);
  /// The operation that keys act on: the one that was chosen last; -1 if none is.
  int current() const { return chosen_.empty() ? -1 : chosen_.back(); }

  /// Picks up the chosen operations with all that are tied to them; an unplaced one comes to `cycle`.
  void pick_up(std::int64_t cycle);
  bool is_carrying() const { return slots_.has_value(); }
  bool is_carried(int operation) const;
  void carry_to(std::int64_t shift);
  /// Shift of what is carried, and whether it may be put down at another.
  std::int64_t shift() const { return shift_; }
  bool is_legal(std::int64_t shift) const { return slots_ && slots_->is_legal(shift); }
  /// The next legal shift above or below one; nothing within so many cycles.
  std::optional<std::int64_t> next_legal(std::int64_t from, int by) const;
  /// Nothing is carried any more; the draft is as the document has it.
  void let_go();

  const std::vector<schedule::DraftViolation>& broken() const { return broken_; }
  bool is_broken(int operation) const { return is_broken_[static_cast<std::size_t>(operation)]; }
  /// Operations without a cycle, in the problem's order: what waits beside the table.
  const std::vector<int>& waiting() const { return waiting_; }

  /// First cycle of the table, and how many: whole iterations around what is placed. Stays while something is carried.
  std::int64_t first_cycle() const { return first_cycle_; }
  std::int64_t cycles() const { return cycles_; }

  /// Operations that issue in a cycle, on a resource.
  std::vector<int> at(int resource, std::int64_t cycle) const;
  /// Position in the problem of an operation by its identity; -1 if it has none.
  int find(artifact::OperationKey key) const;
  const std::string& name(int operation) const;
  const std::string& label(int operation) const {
    return tools_->operations()[static_cast<std::size_t>(operation)].label;
  }
  /// Interval, bound, placed, stages, MAC per instruction: one line.
  std::string figures_text() const;
  /// Where an operation stands, how far it may go, and what it breaks; lines of text.
  std::string reading(int operation) const;

 private:
  void show(schedule::Draft shown);
  void measure();

  std::shared_ptr<const target::DraftTools> tools_;
  schedule::DraftOrigin origin_;
  artifact::Ref subject_;
  schedule::Draft draft_, shown_;
  std::vector<int> chosen_, waiting_;
  std::vector<schedule::Place> carried_;
  std::optional<schedule::LegalSlots> slots_;
  std::int64_t shift_ = 0, first_cycle_ = 0, cycles_ = 1;
  std::vector<schedule::DraftViolation> broken_;
  std::vector<bool> is_broken_;
};

}  // namespace convscope::ui
