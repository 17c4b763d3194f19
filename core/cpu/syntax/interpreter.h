#pragma once
// Values of a tree without a compiler: any stage before lowering.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/syntax/node.h"

namespace convscope::cpu {

/// The output as laid out, in single precision with fused multiply-adds, one thread. Tensors are laid out as the tree
/// says; what the output holds before is none, as it may be anything. Nothing, with a diagnostic, after `most_steps`
/// statements, or if an access leaves its tensor, a variable is read before it has a value, or iterations that threads
/// divide depend on each other.
std::optional<std::vector<float>> interpret(const SyntaxTree& tree, const std::vector<float>& image,
                                            const std::vector<float>& kernel, Diagnostics& diagnostics,
                                            std::int64_t most_steps = std::int64_t{1} << 26);

}  // namespace convscope::cpu
