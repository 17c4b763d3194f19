#pragma once
// The levels of the decision tree, one function each.

#include <string>
#include <string_view>
#include <vector>

#include "core/cpu/tree/plan.h"
#include "core/cpu/tree/tree.h"

namespace convscope::cpu {

/// Vectors side by side in a tile.
inline constexpr int most_vectors = 4;

/// What a level looks at. `plan` is the path so far.
struct LevelInput {
  const Problem& problem;
  const TreeMachine& machine;
  const Weights& weights;
  const Plan& plan;
};

using LevelOptions = std::vector<Option> (*)(const LevelInput&);

std::vector<Option> family_options(const LevelInput& in);
std::vector<Option> microkernel_options(const LevelInput& in);
std::vector<Option> image_options(const LevelInput& in);
std::vector<Option> kernel_options(const LevelInput& in);
std::vector<Option> output_options(const LevelInput& in);
std::vector<Option> transform_options(const LevelInput& in);
std::vector<Option> point_options(const LevelInput& in);
std::vector<Option> partial_options(const LevelInput& in);
std::vector<Option> block_of_tiles_options(const LevelInput& in);
std::vector<Option> tile_options(const LevelInput& in);
std::vector<Option> operand_options(const LevelInput& in);
std::vector<Option> tail_options(const LevelInput& in);
std::vector<Option> unroll_options(const LevelInput& in);
std::vector<Option> block_options(const LevelInput& in, char dimension);
std::vector<Option> loop_options(const LevelInput& in);
std::vector<Option> padding_options(const LevelInput& in);
/// Of Winograd paths.
std::vector<Option> tile_padding_options(const LevelInput& in);
std::vector<Option> prefetch_options(const LevelInput& in);
std::vector<Option> store_options(const LevelInput& in);
std::vector<Option> thread_options(const LevelInput& in);

/// Why sums over chains of so many channels would err more than is asked for; empty for what isn't Winograd's.
std::string chain_fault(const LevelInput& in, int channels);

/// A value that fits, or one that doesn't if there is a reason.
inline Option option(std::string value, double weight, std::string rejected = {}) {
  return {std::move(value), rejected.empty() ? weight : 0, std::move(rejected)};
}

}  // namespace convscope::cpu
