#pragma once
// Which coefficients share a buffer word (thesis, section 5.1, Figs 20-23).

#include <vector>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Number of coefficients in each word of a map with `connections` inputs, bias first; the sum is
/// 1 + connections * window.weights().
/// Unpacked: every word full but the last. Packed: a word is shortened where the next one would be loaded in a cycle in
/// which port A already feeds the image register, so that no load has to back off. Greedy, longest words first: the
/// fewest words among conflict-free layouts, since a shorter word never lets a later word start later.
/// Where every place conflicts (1x1 kernels) words stay full.
std::vector<int> pack_coefficients(const Window& window, int connections, const SchedulingMachine& machine,
                                   bool avoid_conflicts);

/// Where the words start, from their sizes: what build_body takes.
std::vector<int> word_starts(const std::vector<int>& sizes);

}  // namespace convscope::nve
