#include "core/snowflake/plan/bound.h"

namespace convscope::snowflake {
namespace {

std::int64_t trace_cycles(const Trace& trace, VectorKind kind, int macs) {
  return kind == VectorKind::independent ? trace.words : (trace.words + macs - 1) / macs;
}

std::int64_t strip_cycles(const Strip& strip, VectorKind kind, const Machine& machine) {
  std::int64_t row = 0;
  for (const ColumnWindow& column : strip.columns) {
    std::int64_t output = machine.write_back;
    for (const Trace& trace : column.traces) output += trace_cycles(trace, kind, machine.macs);
    row += output * column.outputs;
  }
  return row * strip.rows;
}

class LoadSum {
 public:
  void add(const MapLoad& load, std::int64_t times = 1) { add(load.words, 1, times); }
  void add(const KernelLoad& load, std::int64_t times) { add(load.words, load.vmacs, times); }
  void add(const FirstLoads& first) {
    for (const MapLoad& load : first.maps) add(load);
    for (const PlacedKernels& kernels : first.kernels) add(kernels.load, 1);
  }
  std::int64_t words = 0, loads = 0;

 private:
  void add(std::int64_t each, std::int64_t count, std::int64_t times) {
    words += each * count * times;
    loads += count * times;
  }
};

}  // namespace

LowerBound lower_bound(const FirstLoads& first, const std::vector<Block>& blocks, std::int64_t output_words,
                       const Machine& machine) {
  LoadSum traffic;
  std::int64_t cycles = 0;
  traffic.add(first);
  for (const Block& block : blocks) {
    for (const FirstLoads& loads : block.before) traffic.add(loads);
    for (const PlacedKernels& kernels : block.ring_loads) traffic.add(kernels.load, 1);
    for (const PlacedKernels& kernels : block.late_loads) traffic.add(kernels.load, 1);
    for (const MapLoad& load : block.map_loads) traffic.add(load);
    for (const KernelPart& part : block.parts) {
      KernelLoad load = block.tile_load;
      load.words = part.words;
      traffic.add(load, block.tiles);
      for (const MapLoad& maps : part.maps) traffic.add(maps, block.tiles);
    }
    if (block.single) traffic.add(block.tile_load, block.tiles);
    if (block.load_tiles) traffic.add(block.tile_load, block.tiles - 1);
    if (block.next) traffic.add(*block.next, 1);
    std::int64_t slot = 0;
    for (const Strip& strip : block.strips) slot += strip_cycles(strip, block.kind, machine);
    cycles += slot * block.tiles * block.slots;
  }
  LowerBound bound;
  bound.vector_cycles = static_cast<double>(cycles);
  bound.bytes = static_cast<double>(traffic.words + output_words) * word_bytes;
  const double cost = bound.bytes / machine.efficiency + static_cast<double>(traffic.loads) * machine.load_cost_bytes;
  bound.memory_cycles = cost / machine.bandwidth * machine.clock_hz;
  return bound;
}

}  // namespace convscope::snowflake
