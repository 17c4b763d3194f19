#pragma once
// From a tree that is lowered to C++17 text.

#include <string>
#include <vector>

#include "core/cpu/architecture/family.h"
#include "core/cpu/generate/generate.h"
#include "core/cpu/syntax/node.h"

namespace convscope::cpu {

struct SourceText {
  std::string text;
  std::vector<SourceLink> links;
};

/// `comment` stands at the top, each of its lines as a comment.
SourceText write_source(const SyntaxTree& lowered, Family family, const std::string& comment);

}  // namespace convscope::cpu
