#pragma once
// What waits in the machine's queues: vector instructions, loads and results to be stored; and which words they touch.

#include <cstdint>
#include <limits>
#include <string>

#include "core/snowflake/simulate/decoded_code.h"
#include "core/snowflake/simulate/streams.h"

namespace convscope::snowflake::simulation {

/// `count` pieces of `words`, the first at `first`, each `step` behind the one before.
struct Pieces {
  std::int64_t first = 0;
  std::int64_t words = 0;
  std::int64_t step = 0;
  int count = 1;

  std::int64_t low() const { return step >= 0 ? first : first + step * (count - 1); }
  std::int64_t high() const { return (step >= 0 ? first + step * (count - 1) : first) + words; }  ///< exclusive
  /// A piece has a word in the `unit`-word regions of [from, to); unit 1: the words themselves.
  bool touches(std::int64_t from, std::int64_t to, std::int64_t unit) const;
};

/// Regions of a buffer, from `first` to `last`.
struct Regions {
  std::int32_t first = std::numeric_limits<std::int32_t>::max(), last = -1;  ///< none
  bool meets(const Regions& other) const { return first <= other.last && other.first <= last; }
};

/// Results of one write-back: a piece of each CU in the mask.
struct OutputWords {
  std::int64_t first = 0;   ///< of CU 0
  std::int64_t stride = 0;  ///< from CU to CU
  std::int32_t words = 0;   ///< of a CU; 0: nothing is written
  std::uint8_t cus = 0;

  std::int64_t low() const;
  std::int64_t high() const;  ///< exclusive
  std::int64_t bytes() const;
  bool touches(std::int64_t from, std::int64_t to) const;
};

/// MAC, MAX or VMOV on its way, with what it took from the registers at its dispatch.
struct VectorEntry {
  const CodeWord* word = nullptr;
  std::int32_t instruction = 0;  ///< position in Program::code
  Configuration configuration;
  Pieces maps, kernels;                  ///< words read, of CU 0; words 0: none
  Regions maps_regions, kernel_regions;  ///< that hold all of these words, and of all CUs
  std::int32_t maps_cu_step = 0;         ///< VMOV: from CU to CU
  bool first_vmac_only = false;          ///< of the kernel buffers
  std::int32_t cycles = 1;
  OutputWords output;
  std::int64_t write = -1;  ///< number of its write-back; -1: writes nothing
  std::int64_t dispatched = 0, earliest = 0;
  std::int64_t bank_wait = 0, unit_wait = 0;  ///< cycles for which the control pipeline waited since the last dispatch
};

/// An LD that waits or streams.
struct LoadEntry {
  std::int32_t instruction = 0;
  std::int32_t layer = 0;
  LoadTarget target = LoadTarget::maps;
  std::uint8_t cus = 0;
  std::int32_t vmac = 0, bank = 0;
  std::int64_t buffer_word = 0, dram_word = 0;
  std::int64_t words = 0;
  Regions regions;          ///< of its buffer
  Tick request = 0;         ///< from when its latency counts
  std::int64_t after = -1;  ///< number of the write-back whose words must be stored first
  bool held = false;        ///< until then

  std::int64_t dram_end() const { return dram_word + words; }
  std::int64_t buffer_end() const { return buffer_word + words; }
};

/// A result in the store FIFO.
struct StoredOutput {
  OutputWords words;
  std::int32_t layer = 0, instruction = 0;
  Work level = 0;  ///< of Streams::served at which it is stored
};

/// `reads_region_of` for regions that meet: whether the words between them are really read.
bool reads_region_exactly(const VectorEntry& vector, const LoadEntry& load);

/// A region that `load` fills has words that `vector` reads.
inline bool reads_region_of(const VectorEntry& vector, const LoadEntry& load) {
  if ((vector.configuration.cus & load.cus) == 0) return false;
  const Regions& read = load.target == LoadTarget::kernels ? vector.kernel_regions : vector.maps_regions;
  return read.meets(load.regions) && reads_region_exactly(vector, load);
}

/// Which regions a load fills.
Regions regions_of(const LoadEntry& load);

/// Operands from the machine, the instruction and the registers; false and `what` if they are wrong.
bool set_operands(VectorEntry& vector, const Machine& machine, std::int64_t rd, std::int64_t rs1, std::int64_t rs2,
                  std::int64_t stride, std::string& what);
/// Multiply-accumulates of the CUs that write.
std::int64_t macs_of(const VectorEntry& vector, const Machine& machine);

}  // namespace convscope::snowflake::simulation
