#pragma once
// From a path to a program. Pure. Source: the thesis named in problem.h, sections 4.8 and 4.9.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/generated.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/syntax/node.h"

namespace convscope::cpu {

/// The tree as a manipulator or a round of lowering left it.
struct Stage {
  std::string name;  ///< "nest", "conditions", "peel", ..., "lowered 1"
  SyntaxTree tree;
};

/// A line of the source and the node it was made for: Node::id of the last stage before lowering.
struct SourceLink {
  int line = 0;  ///< from 1 on
  int node = 0;
};

struct GeneratedProgram {
  Generated text;
  std::vector<Stage> stages;
  std::size_t last_unlowered = 0;  ///< among the stages
  std::vector<SourceLink> links;   ///< by line
};

/// Nothing, with a diagnostic, if the path isn't one of the problem or isn't complete.
std::optional<GeneratedProgram> generate(const Problem& problem, const Path& path, Diagnostics& diagnostics);

}  // namespace convscope::cpu
