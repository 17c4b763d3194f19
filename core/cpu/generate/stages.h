#pragma once
// Building the tree, and the manipulators that it goes through, in order. Each is a pure function from tree to tree.
// Source: the thesis named in problem.h, sections 4.8.2 to 4.8.4; peeling, pointers, functions are ours.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/cpu/kernels/site.h"
#include "core/cpu/syntax/node.h"
#include "core/cpu/tree/next_weights.h"
#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// Whether the node is a loop, or one that is to be written out.
inline bool counts(const Node& node) {
  return node.kind == Kind::loop || node.kind == Kind::unroll;
}

/// The site of a plan's first tile.
Site first_site(const Plan& plan);
/// The plan's loops around its microkernel, as a part of the program that stands at a site. Precondition: the site is
/// of this plan.
Nodes build_loops(const Plan& plan, const Site& site);
/// The first elements of a tensor set to zero.
NodePtr clear_tensor(const std::string& name, std::int64_t elements);
/// The program of a Winograd path: transforms around its loops. Its tests are for peeling.
SyntaxTree build_winograd(const Plan& plan);
/// The plan's loops around its microkernel; before them the output cleared and the padded buffer filled if need be.
SyntaxTree build_nest(const Plan& plan);
/// Tests of padding, each at the first point where its variables are known; those of rows as bounds of the loop that
/// makes them known if `clip`.
SyntaxTree insert_conditions(const SyntaxTree& tree, bool clip);
/// Loops split where tests of a dimension change their outcome, and the tests decided: of columns, or of rows as well.
/// What would make too many parts keeps its tests.
SyntaxTree peel(const SyntaxTree& tree, std::string_view dimensions = "W");
/// Unroll nodes written out, loops unrolled with what is left over behind them, loops of one iteration dissolved.
SyntaxTree unroll(const SyntaxTree& tree);
/// In the microkernels' innermost loops, pointers that step with the loop.
SyntaxTree hoist_pointers(const SyntaxTree& tree);
/// The most lines that a step of a pointer asks for.
inline constexpr std::int64_t most_prefetched = 8;
/// Behind each step of a pointer by whole cache lines, their prefetching `bytes` ahead.
SyntaxTree prefetch(const SyntaxTree& tree, int bytes);
/// Where calls of a microkernel one after the other read the same weights, each asks for its share of those that the
/// calls behind them read: memory then works while all of them compute, and not during the first alone.
SyntaxTree prefetch_next(const SyntaxTree& tree);
/// Vectors are stored past the caches.
SyntaxTree stream(const SyntaxTree& tree);
/// One function for each distinct microkernel, and one for the nest.
SyntaxTree make_functions(const SyntaxTree& tree);

}  // namespace convscope::cpu
