#pragma once
// Single layers as programs, for tests.

#include <optional>
#include <string>
#include <vector>

#include "core/snowflake/code/layer_program.h"
#include "core/snowflake/plan/decide.h"

namespace convscope::snowflake {

/// Sizes of a convolution or pool.
struct LayerSpec {
  LayerKind kind = LayerKind::convolution;
  int height = 8, width = 8, channels = 16, outputs = 16;
  int kernel_height = 3, kernel_width = 3, stride_height = 1, stride_width = 1;
  int dilation_height = 1, dilation_width = 1;
  int padding = 0;
  int groups = 1;
  bool bypass = false, relu = false, count_padding = false;
  bool raw_input = false;  ///< the network's input: pitch = channels
  std::string text() const;
};

struct SingleLayer {
  std::vector<Region> regions;
  ProgramLayer layer;
};
/// Regions for input, output, bypass, kernels and zeros; those of kernels without size yet.
SingleLayer single_layer(const LayerSpec& spec, const ComputeMachine& machine);

struct CompiledSingle {
  Program program;
  std::string refused;
};
CompiledSingle compile_single(const LayerSpec& spec, const Machine& machine, const Mapping& mapping);
CompiledSingle compile_single(const LayerSpec& spec, const Machine& machine);  ///< the paper's mapping

/// Simulated with seeded data: "equal", or what is wrong.
std::string run_single(const Program& program, std::uint64_t seed);

}  // namespace convscope::snowflake
