#pragma once
// From a tiling to a program that all TLTs run (docs/nmp-program.md).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/nmp/architecture/program.h"
#include "core/nmp/cost/convolution.h"
#include "core/nmp/cost/tiling.h"
#include "core/nmp/generate/computing.h"
#include "core/nmp/generate/number_format.h"
#include "core/nmp/generate/tables.h"

namespace convscope::nmp {

struct ProgramRequest {
  std::string name;
  Convolution convolution;
  Machine machine;  ///< `doubled` as the search chose it
  CostLevel level = CostLevel::burst;
  Tiling tiling;
  NumberFormat format;
  Computing computing;
  std::vector<std::int32_t> biases;  ///< of all output maps, with the fraction bits of input and weights together
  Images images = {};                ///< of one pair of operands there is one
};

struct GeneratedProgram {
  std::optional<Program> program;
  std::string reason;  ///< why there is none
};

/// What stands in the way of a program for this layer; empty if there is one. Takes microseconds.
std::string why_no_program(const Convolution& convolution, const Computing& computing, const Machine& machine,
                           const Tiling& tiling);

/// The layer as its program sees it, on this machine.
LayerPlan plan_of(const ProgramRequest& request, const Machine& machine);

/// A program that moves and computes every tile with its true size, whatever `borders` charges; TLEs in lockstep or
/// free running, as the machine has it. Not every machine and layer has one: the reason names what stands in the way.
/// The tiling must be one that the search can give.
GeneratedProgram generate(const ProgramRequest& request);

/// Where a layer of a larger program lies.
struct LayerPlace {
  LayerLayout layout;                                                ///< in DRAM
  int in = 0, out = 1, weights = 2, partial_sums = 3, residual = 4;  ///< regions
  int first_table_byte = nmp::first_table_byte;                      ///< in the data RAM
  std::vector<EncodedInstruction> crossing;                          ///< as in `write_layer_code`; changes x22 to x26
  std::vector<int> others = {};                                      ///< regions of operands as `layout` has them
};

/// What `layout_of` says of a request; only the sizes matter to those who place the layer themselves.
LayerLayout layout_of(const ProgramRequest& request);

/// The layer's part of a program: layers (one for each image), code with its ranges, data from byte 0 of the data RAM
/// on and traffic. No regions. Data that don't fit the data RAM from there on are a reason, as in `generate`.
GeneratedProgram generate_at(const ProgramRequest& request, const LayerPlace& place);

/// Of seeded data: full-scale inputs and weights; sums use the output's range.
ProgramRequest request_for_seeded_data(const std::string& name, const Convolution& convolution,
                                       const Computing& computing, const Machine& machine, CostLevel level,
                                       const Tiling& tiling);

/// The same from layer and machine alone, with the format and the biases that seeded data has.
GeneratedProgram generate_for_seeded_data(const std::string& name, const Convolution& convolution,
                                          const Computing& computing, const Machine& machine, CostLevel level,
                                          const Tiling& tiling);

}  // namespace convscope::nmp
