#pragma once
// A network as programs and buffers, layouts joined: ready to be compiled and run.

#include <optional>
#include <string>
#include <vector>

#include "core/cpu/architecture/generated.h"
#include "core/cpu/architecture/machine.h"
#include "core/cpu/network/choices.h"
#include "core/cpu/network/flow.h"

namespace convscope::cpu {

struct NetworkProgram {
  struct Buffer {
    Extents extents;
    Layout layout;
    std::vector<std::byte> contents = {};  ///< as laid out and stored; empty: a step makes it
  };
  struct Step {
    std::string name, what;  ///< "conv1", "wmc_yxc 14x2"; "conversion HWC to CHW"
    int layer = -1;          ///< of the network
    int convolution = -1;    ///< of `convolutions`; -1: plain code
    std::string symbol;
    std::vector<int> inputs;  ///< buffers
    int output = 0;
    int tensor = -1;        ///< of the flow, if it is complete now
    std::int64_t taps = 0;  ///< of all convolutions so far, those of plain sums that err as much as they do
    bool conversion = false;
  };
  struct Convolution {
    Generated text;
    std::string compiler, flags;  ///< that were measured; empty: any
  };
  std::vector<Convolution> convolutions;  ///< different ones
  std::string plain;                      ///< source of everything else
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  double planned_seconds = 0;  ///< of convolutions and conversions, by what was known of them
  bool optimal = false;        ///< layouts give the least of it
  int measured = 0;            ///< convolutions whose program was measured on this host
};

/// Seconds that bringing a tensor into another layout is reckoned to take: two cycles for each element.
double conversion_seconds(const Layout& from, const Layout& to, const Extents& extents, const CpuMachine& machine);

/// Layouts of all tensors by dynamic programming (join_layouts.h): a convolution takes what its program took, or is
/// estimated to; conversions as above; other steps are alike in all layouts. Images come as C H W. `choices` are those
/// of each step, empty where it is no convolution. Nothing, with a diagnostic, if a path has no program.
std::optional<NetworkProgram> assemble(const Flow& flow, const std::vector<std::vector<ProgramChoice>>& choices,
                                       const TensorValues& values, const Machine& machine, Diagnostics& diagnostics);

}  // namespace convscope::cpu
