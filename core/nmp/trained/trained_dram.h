#pragma once
// What lies in DRAM before a run with trained numbers.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nmp/link/link.h"
#include "core/nmp/trained/network_numbers.h"

namespace convscope::nmp {

/// Of a linked program: tables, weights, constants, and what is there from the start: `given` says which tensor that is
/// of each storage, `values` what it holds; each image of a batch has the same. Nothing, with an error, if a size is
/// another one than the program reads.
std::optional<std::vector<std::uint8_t>> write_trained_dram(const LinkedProgram& linked, const NetworkNumbers& numbers,
                                                            const std::vector<int>& given,
                                                            const std::map<int, std::vector<double>>& values,
                                                            const network::Network& network, Diagnostics& diagnostics);

}  // namespace convscope::nmp
