#pragma once
// Why a layer is as fast as it is, and why its selected operation, and each slot of the selected cycle, is as it is:
// what `convscope-cli why` says, line by line.

#include <QString>
#include <memory>
#include <mutex>
#include <vector>

#include "core/analysis/why.h"
#include "ui/model/snapshot.h"

namespace convscope::ui {

struct WhyScene {
  artifact::Ref subject;    ///< layer and program
  artifact::Ref selection;  ///< whose operation and cycle are told of
  std::vector<analysis::WhyLine> lines;
  QString hint;             ///< what else can be asked for; empty if nothing
  std::int64_t cycles = 0;  ///< of the program's run; 0 if it has no timeline
  std::int64_t first = 0;   ///< cycle to begin with: the loop's first
  std::string csv() const;
};

/// What the panel needs of a program, made once for all cycles that are looked at: some take seconds to make.
struct WhyArtifacts {
  std::shared_ptr<const artifact::Explanation> explanation;
  std::shared_ptr<const artifact::Timeline> timeline;
  std::shared_ptr<const artifact::TaskGraph> graph;
};

/// Keeps the artifacts that were asked for last, as long as their program lives. May be asked from several threads.
class WhyShelf {
 public:
  WhyArtifacts of(const std::shared_ptr<const target::Compiled>& compiled, int program);

 private:
  std::mutex mutex_;
  std::weak_ptr<const target::Compiled> compiled_;
  int program_ = -1;
  WhyArtifacts kept_;
};

/// Of the selected layer, mapped or not, or of the linked network; without lines if there is nothing to tell.
WhyScene make_why_scene(const Snapshot& snapshot, WhyShelf& shelf);

}  // namespace convscope::ui
