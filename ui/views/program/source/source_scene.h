#pragma once
// A generated text beside one of the syntax trees that it came from, as rows.

#include <memory>
#include <vector>

#include "core/artifact/source.h"
#include "ui/model/view.h"

namespace convscope::ui {

class SourceScene {
 public:
  /// `stage` out of range: the last one, which knows the lines.
  SourceScene(std::shared_ptr<const artifact::Source> source, int stage, artifact::Ref subject);

  const artifact::Source& source() const { return *source_; }
  const artifact::Ref& subject() const { return subject_; }
  int stage() const { return stage_; }
  const std::vector<artifact::SourceNode>& nodes() const;
  int depth(int node) const { return depths_[static_cast<std::size_t>(node)]; }
  int lines() const { return static_cast<int>(starts_.size()) - 1; }
  QString line(int index) const;
  int longest_line() const { return longest_line_; }    ///< letters
  int longest_label() const { return longest_label_; }  ///< letters, with what it is indented by

  /// The operation of a selection stands for a node: its index + 1, in the stage that is shown.
  artifact::Ref ref_of(int node) const;
  /// -1 if the selection means no node.
  int node_of(const artifact::Ref& ref) const;
  int node_at_line(int line) const;

  /// "for m, 12.5 % of the operations, lines 40 to 80".
  QString reading(int node) const;
  std::string csv() const;

 private:
  std::shared_ptr<const artifact::Source> source_;
  int stage_;
  artifact::Ref subject_;
  std::vector<std::size_t> starts_;
  std::vector<int> depths_;
  int longest_line_ = 0, longest_label_ = 0;
};

/// Letters that a level of the tree is indented by.
inline constexpr int source_indent = 2;

}  // namespace convscope::ui
