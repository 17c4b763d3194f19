#include "core/cpu/estimate/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/cpu/architecture/units.h"
#include "core/cpu/estimate/traffic.h"

namespace convscope::cpu {
namespace {

/// Of an FMA's time that a shuffle takes from it: units that permute are partly those that multiply. So that the outer
/// product comes to the 76 % of the peak that it was measured at.
constexpr double shuffle_share = .3;

/// Instructions of the whole program.
struct Instructions {
  double fmas = 0, vector_loads = 0, scalar_loads = 0, stores = 0, others = 0;
  double prefetches = 0, calls = 0;
};

/// Of a vector that is stored as flyte, besides its load: a shift, or two that move bytes.
double conversions(const flyte::Storage& storage) {
  if (storage.complete()) return 0;
  return storage.bytes == 3 ? 2 : 1;
}

/// Of a vector that is rounded before it is stored as flyte: what tells NaN and infinities, and the sum, besides.
double roundings(const flyte::Storage& storage) {
  constexpr double rounding = 6;
  return storage.complete() ? 0 : rounding + conversions(storage);
}

/// Sums are written once in each call of the microkernel, and read before if they are added to. A register too many is
/// stored and loaded again in every body.
Instructions instructions(const Nest& nest, double spilled) {
  const double sums = static_cast<double>(nest.pixels) * nest.vectors;
  return {nest.iterations * nest.body.fmas,
          nest.iterations * (nest.body.loads + spilled) + (nest.accumulates ? nest.calls * sums : 0),
          nest.iterations * nest.body.broadcasts,
          nest.iterations * (nest.body.stores + spilled) + nest.calls * sums,
          nest.iterations * (nest.body.others + nest.body.weights * conversions(nest.kernel.storage)),
          nest.iterations * nest.body.prefetches,
          nest.calls};
}

/// Of a Winograd path: its nest as often as there are positions and blocks, and the transforms.
Instructions with_transforms(Instructions all, const Nest& nest) {
  const NestTransforms& transforms = nest.transforms;
  if (transforms.products == 0) return all;
  for (double* one :
       {&all.fmas, &all.vector_loads, &all.scalar_loads, &all.stores, &all.others, &all.prefetches, &all.calls})
    *one *= transforms.products;
  all.vector_loads += transforms.loads;
  all.stores += transforms.stores;
  all.fmas += transforms.fmas;
  all.others += transforms.image_loads * conversions(nest.image.storage) +
                transforms.output_stores * roundings(nest.output.storage);
  return all;
}

/// How much longer the slowest thread has than all would have with equal shares.
double imbalance(const Nest& nest, double threads) {
  if (threads <= 1) return 1;
  if (nest.transforms.products == 0) return nest.largest_share * nest.threads;
  const double trips = nest.transforms.shared;
  return std::ceil(trips / threads) * threads / trips;
}

/// Temporaries are written and read; an output that sums are added to is cleared before.
double copied_bytes(const Nest& nest) {
  const double cleared = nest.accumulates ? static_cast<double>(elements(nest.output, nest.problem.output())) : 0;
  if (nest.transforms.products > 0) return float_bytes * cleared * nest.transforms.products;
  if (nest.buffer.fills > 1) return float_bytes * cleared;
  const double read = nest.image.storage.complete() ? static_cast<double>(nest.temporary_bytes)
                                                    : static_cast<double>(bytes(nest.image, nest.problem.image()));
  return static_cast<double>(nest.temporary_bytes) + read + float_bytes * cleared;
}

/// Of the nearest level that holds what is copied, or of memory.
double copying_bandwidth(const CpuMachine& machine, double bytes) {
  const auto levels = machine.levels();
  const auto holds = [&](const MemoryLevel* level) { return static_cast<double>(level->bytes) >= bytes; };
  const auto found = std::find_if(levels.begin(), levels.end() - 1, holds);
  return (*found)->bandwidth;
}

/// Of a buffer that is filled for each block of rows: from where the image fits to where the buffer does.
double filling_seconds(const Nest& nest, const CpuMachine& machine, double threads) {
  if (nest.buffer.fills <= 1) return 0;
  const double written = nest.buffer.fills * static_cast<double>(nest.buffer.bytes);
  const double read = written / float_bytes * nest.image.storage.bytes;
  const auto image = static_cast<double>(bytes(nest.image, nest.problem.image()));
  return (written / copying_bandwidth(machine, static_cast<double>(nest.buffer.bytes)) +
          read / copying_bandwidth(machine, image)) /
         threads;
}

/// Streaming stores don't read a line before they write it, and take as long as those that do (docs/cpu.md).
void add_memory(Estimate& result, const Nest& nest, const std::vector<Footprint>& at, const CpuMachine& machine,
                const Instructions& all, double threads) {
  const double vectors = all.vector_loads + all.stores;
  const double dropped = nest.iterations * nest.body.weights * nest.lanes * (float_bytes - nest.kernel.storage.bytes);
  result.bytes[0] = float_bytes * (vectors * nest.lanes + all.scalar_loads) - dropped;
  const auto levels = machine.levels();
  std::int64_t capacity = levels[0]->bytes;
  const bool transforms = nest.transforms.products > 0;
  std::array<double, 4> as_reads = result.bytes;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    const bool memory = level + 1 == levels.size();
    if (!memory && levels[level]->bytes == 0) continue;
    result.bytes[level] = transforms ? block_traffic(nest, at, capacity) : traffic(nest, at, capacity);
    as_reads[level] = result.bytes[level] + (transforms ? 0 : streamed(nest, at, capacity));
    capacity = std::max(capacity, levels[level]->bytes);
  }
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const bool shared = level + 1 == levels.size();
    result.parts[4 + level] = as_reads[level] / levels[level]->bandwidth / (shared ? 1 : threads);
  }
}

/// How often one after the other the same weights are read: by the innermost loops over pixels around the microkernel.
double readings_of_weights(const Nest& nest) {
  double readings = 1;
  bool found = false;
  for (auto loop = nest.loops.rbegin(); loop != nest.loops.rend(); ++loop) {
    const bool over_pixels = loop->dimension == 'H' || loop->dimension == 'W';
    if (loop->place != NestLoop::Place::outside || (!over_pixels && !found)) continue;
    if (!over_pixels) break;
    found = true;
    readings *= static_cast<double>(loop->trips);
  }
  return readings;
}

/// The first reading waits for memory, as a network holds more weights than caches do, and memory rests during the
/// others; unless all ask for a share of what comes next.
double waiting_seconds(const Nest& nest, const Footprint& whole, const CpuMachine& machine) {
  if (nest.prefetches_next) return 0;
  const double read = nest.transforms.products > 0 ? static_cast<double>(nest.transforms.kernel_bytes) : whole.kernel;
  return read / machine.levels().back()->bandwidth * (1 - 1 / readings_of_weights(nest));
}

}  // namespace

Estimate estimate(const Nest& nest, const CpuMachine& machine) {
  Estimate result;
  result.asks_ahead = nest.prefetches_next;
  result.spilled = std::max(0, nest.body.registers - machine.registers);
  const Instructions all = with_transforms(instructions(nest, result.spilled), nest);
  const double threads = std::clamp(nest.threads, 1, machine.cores);
  const double seconds_of_cycle = imbalance(nest, threads) / (machine.clock_hz * threads);
  const double shuffles = nest.operand == "permuted" ? all.others : 0;
  result.parts[0] = (all.fmas + shuffle_share * shuffles) / machine.vector_fmas(nest.lanes) * seconds_of_cycle;
  result.parts[1] =
      (all.vector_loads / machine.vector_loads(nest.lanes) + (all.scalar_loads + all.prefetches) / machine.loads) *
      seconds_of_cycle;
  result.parts[2] =
      (all.fmas * machine.fma_slots + all.vector_loads + all.scalar_loads + all.stores + all.others + all.prefetches) /
      machine.issue * seconds_of_cycle;
  result.parts[3] = all.fmas / std::max(1, nest.body.chains) * machine.latency * seconds_of_cycle;
  const std::vector<Footprint> at = footprints(nest);
  add_memory(result, nest, at, machine, all, threads);
  const double copied = copied_bytes(nest);
  result.copying = copied / copying_bandwidth(machine, copied) + filling_seconds(nest, machine, threads);
  result.calls = all.calls * call_cycles * seconds_of_cycle;
  result.binds =
      static_cast<std::size_t>(std::max_element(result.parts.begin(), result.parts.end()) - result.parts.begin());
  result.waiting = waiting_seconds(nest, at.front(), machine);
  result.seconds = result.copying + result.calls + result.waiting;
  for (std::size_t i = 0; i < estimate_parts; ++i) result.seconds += result.shown(i);
  return result;
}

}  // namespace convscope::cpu
