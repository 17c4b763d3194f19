#pragma once
// Layers and compilations that several tests share.

#include <memory>
#include <string>
#include <vector>

#include "core/network/network.h"
#include "core/nve/compile_layer.h"
#include "core/target/pass_cache.h"

namespace convscope::nve::test {

/// A layer whose input is exactly what its output needs.
network::Layer make_layer(int kernel_height, int kernel_width, int stride, network::Size out,
                          std::vector<std::vector<int>> inputs, int in_maps);

/// A sample network by its file name without ".xml".
network::Network sample(const std::string& name);

inline constexpr Switches none{false, false, false}, packing{true, false, false}, modulo{true, true, false},
    fusion{true, true, true},
    thesis_layout{.packing = true,
                  .modulo = true,
                  .fusion = true,
                  .exact = true,
                  .circular = true,
                  .peeling = true,
                  .partition = true,
                  .sharing = true},
    optimal{.packing = true,
            .modulo = true,
            .fusion = true,
            .exact = true,
            .circular = true,
            .peeling = true,
            .partition = true,
            .polyphase = true,
            .half_vector = true,
            .tiling = true,
            .sharing = true};

std::shared_ptr<const target::CompiledLayer> compile(const network::Layer& layer, const Switches& switches,
                                                     const Machine& machine = {});

/// Runs a layer, or a network, on an image, with coefficients, on so many strips of each map (0: all).
target::SimulationResult simulate(const target::Compiled& layer, const std::string& image, int coefficients_seed,
                                  int strips, Diagnostics& diagnostics);

/// What a run counted, by key; fails the test if there is no such figure.
double counted(const target::SimulationResult& result, const std::string& key);

/// A target figure by key; fails the test if there is none.
double figure(const target::CompiledLayer& layer, const char* key);

}  // namespace convscope::nve::test
