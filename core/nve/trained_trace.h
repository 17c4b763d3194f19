#pragma once
// Runs of a layer's programs, cycle by cycle, with the weights that its network has.

#include <cstdint>
#include <memory>
#include <stop_token>

#include "core/base/diagnostic.h"
#include "core/nve/network_chain.h"
#include "core/target/options.h"
#include "core/target/trace.h"

namespace convscope::nve {

/// `layer` is of the network's chain, `program` one of its programs; of a layer in several parts the first is run. The
/// layer's input is what those before it make of the image in floating point, rounded to its pixels; numbers and shifts
/// are those of a whole run (layer_numbers). `options` are those of NveProgramTools::trace_options. Null, with
/// diagnostics, if the image can't be taken, or sums can't be kept within 32 bits. Throws Cancelled.
std::shared_ptr<const target::Trace> trace_with_weights(const network::Network& network, const ChainLayer& layer,
                                                        int program, int most_bias_shift,
                                                        const target::OptionValues& options,
                                                        std::int64_t checkpoint_bytes, const std::stop_token& stop,
                                                        Diagnostics& diagnostics);

}  // namespace convscope::nve
