#pragma once
// Which operations of a program a selection means: the one that is chosen, those that touch a word, those of a cycle.

#include <memory>
#include <unordered_set>

#include "core/artifact/links.h"
#include "core/artifact/ref.h"
#include "core/artifact/timeline.h"

namespace convscope::ui {

class LinkedOperations {
 public:
  LinkedOperations() = default;
  /// Either may be null: nothing is found by it then.
  LinkedOperations(std::shared_ptr<const artifact::Timeline> timeline, std::shared_ptr<const artifact::Links> links)
      : timeline_(std::move(timeline)), links_(std::move(links)) {}

  const artifact::Links* links() const { return links_.get(); }
  /// The operation itself if one is chosen; else those that may touch the word; else those that are issued, or still
  /// run, at the cycle.
  std::unordered_set<artifact::OperationKey> of(const artifact::Ref& ref) const;

 private:
  std::shared_ptr<const artifact::Timeline> timeline_;
  std::shared_ptr<const artifact::Links> links_;
};

}  // namespace convscope::ui
