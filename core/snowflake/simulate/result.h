#pragma once
// What a run of the simulator tells.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convscope::snowflake {

/// Why the machine can't go on; the run ends there.
struct Refusal {
  std::int64_t cycle = 0;
  int instruction = 0;  ///< position in Program::code
  std::string what;     ///< with addresses, and what was expected
};

enum class Traffic : std::uint8_t { maps, kernels, instructions, bypass, outputs };
inline constexpr std::size_t traffic_kinds = 5;

/// Why the CUs had nothing to do. Every cycle of a run is either busy or one of these (or draining, after the last
/// vector instruction).
enum class VectorStall : std::uint8_t {
  data,              ///< waited for loads
  bookkeeping,       ///< the queue was empty while the control pipeline worked, or the first vector started up
  instruction_bank,  ///< … while it waited for the next bank's instructions
  load_unit,         ///< … while an LD waited for room in its unit
  store,             ///< waited for room in the store FIFO
  gather             ///< write-backs of cooperative MACs came too fast
};
inline constexpr std::size_t vector_stalls = 6;

/// Why the control pipeline did not issue.
enum class ControlStall : std::uint8_t { raw, queue_full, load_unit_full, instruction_bank };
inline constexpr std::size_t control_stalls = 4;

/// Of a layer, or of a whole run.
struct RunStatistics {
  std::int64_t instructions = 0;         ///< issued
  std::int64_t vector_instructions = 0;  ///< MAC, MAX, VMOV
  std::int64_t macs = 0;                 ///< of CUs that write
  std::int64_t vector_cycles = 0;        ///< in which the CUs were busy
  std::array<std::int64_t, vector_stalls> vector_stall_cycles{};
  std::array<std::int64_t, control_stalls> control_stall_cycles{};
  std::int64_t loads = 0;  ///< LDs
  std::array<std::int64_t, traffic_kinds> bytes{};

  RunStatistics& operator+=(const RunStatistics& other);
  std::int64_t all_bytes() const;
  std::int64_t stalled(VectorStall cause) const { return vector_stall_cycles[static_cast<std::size_t>(cause)]; }
  std::int64_t stalled(ControlStall cause) const { return control_stall_cycles[static_cast<std::size_t>(cause)]; }
  std::int64_t traffic(Traffic kind) const { return bytes[static_cast<std::size_t>(kind)]; }
};

/// What the CUs did between the end of the layers before one and its own, whichever layer's instructions they ran.
/// What is missing to all its cycles, they had nothing more to do in.
struct Period {
  double busy_cycles = 0;
  std::array<double, vector_stalls> idle_cycles{};
};

struct LayerRun {
  double end_cycle = 0;      ///< when its last output word was stored
  double cycles = 0;         ///< since the layers before it ended
  Period period;             ///< those cycles
  RunStatistics statistics;  ///< of its instructions
};

inline constexpr int most_load_units = 4;

struct UnitRun {
  std::int64_t loads = 0, bytes = 0;
  double busy_cycles = 0;  ///< in which it streamed
};

/// Bytes that each unit loaded between two changes of tile.
struct LoadSection {
  int layer = 0, tile = 0;
  std::array<std::int64_t, most_load_units> bytes{};
};

/// Mean over the sections (of one layer; -1: of all) of (busiest unit / mean of all `units` - 1).
double load_imbalance(const std::vector<LoadSection>& sections, int units, int layer = -1);

struct SimulationResult {
  std::optional<Refusal> refusal;  ///< all else is what came until then
  double cycles = 0;               ///< until everything is computed, loaded and stored
  std::vector<LayerRun> layers;    ///< as Program::layers
  RunStatistics total;
  std::array<UnitRun, most_load_units> units{};
  double store_busy_cycles = 0;
  std::vector<LoadSection> sections;
};

}  // namespace convscope::snowflake
