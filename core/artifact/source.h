#pragma once
// A generated text, and the syntax trees that it went through until it was text.

#include <string>
#include <vector>

namespace convscope::artifact {

/// A node of a syntax tree, in preorder.
struct SourceNode {
  int parent = -1;      ///< index; -1 of a root
  std::string text;     ///< what it is and of what, on one line: "for m in 0..256 by 32"
  int first_line = -1;  ///< of the text, from 0; -1 if none comes of it
  int last_line = -1;   ///< of the text, included
  double share = -1;    ///< of all floating-point operations that are spent inside, 0..1; -1 if it isn't known
};

/// The tree at one stage of its making.
struct SourceStage {
  std::string name;  ///< of what made it out of the stage before: "peel"
  std::vector<SourceNode> nodes;
};

struct SourceFile {
  std::string name;  ///< "convolution.cpp"
  std::string text;
};

struct Source {
  SourceFile main;
  std::vector<SourceFile> beside;   ///< what others need to build it into their program: a header, a test
  std::vector<SourceStage> stages;  ///< first to last; the last one's nodes know their lines best
};

/// Line starts of a text, and where its last line ends: line i is [at[i], at[i + 1]).
std::vector<std::size_t> line_starts(const std::string& text);
/// The innermost node that a line comes from; -1 if there is none.
int node_at_line(const SourceStage& stage, int line);

}  // namespace convscope::artifact
