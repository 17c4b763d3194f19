#pragma once
// What a target is: parameters, levels, a compiler from one layer to artifacts, and optional capabilities.
// The window and the command line ask for a capability, never for a target.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/arch/parameters.h"
#include "core/artifact/explanation.h"
#include "core/artifact/links.h"
#include "core/artifact/listing.h"
#include "core/artifact/memory_map.h"
#include "core/artifact/metrics.h"
#include "core/artifact/task_graph.h"
#include "core/artifact/tile_plan.h"
#include "core/artifact/timeline.h"
#include "core/base/cancellation.h"
#include "core/base/diagnostic.h"
#include "core/network/network.h"
#include "core/target/pass_cache.h"
#include "core/target/tiling.h"

namespace convscope::target {

/// A chain of optimizations that the user can choose, e.g. NVE's none, packing, modulo, fusion.
struct Level {
  std::string name;   ///< as in `--level`
  std::string title;  ///< for people
};

/// Everything that a program's simulation needs besides the program.
struct SimulationInput {
  std::string image;  ///< path of a PGM or PNG file, or "seed:N"
  std::uint64_t coefficients_seed = 1;
};

struct SimulationResult {
  bool ran = false;                 ///< false: refused with diagnostics (hazard, bad input)
  bool matches = false;             ///< every output equals the fixed-point reference
  std::int64_t cycles = 0;          ///< of all strips that were run
  std::int64_t derived_cycles = 0;  ///< of all strips, in the same way, as they were derived; 0 if they weren't
  std::int64_t macs = 0;
  std::int64_t strips = 0;
  std::int64_t outputs = 0;  ///< output pixels that were compared
};

/// A compiled layer. Metrics are there at once; heavy artifacts are made when asked for, on the caller's thread,
/// and may be asked for from several threads. A target that cannot produce an artifact returns null.
class CompiledLayer {
 public:
  virtual ~CompiledLayer() = default;

  bool mapped() const { return reason().empty(); }
  /// Why the layer cannot be mapped; empty if it is.
  virtual const std::string& reason() const = 0;
  virtual const artifact::Metrics& metrics() const = 0;

  virtual int program_count() const { return 0; }
  virtual std::string program_name(int /*program*/) const { return {}; }
  /// Program that holds an operation, or -1.
  virtual int program_of(artifact::OperationKey /*operation*/) const { return -1; }
  virtual std::shared_ptr<const artifact::TaskGraph> task_graph(int /*program*/) const { return nullptr; }
  virtual std::shared_ptr<const artifact::Timeline> timeline(int /*program*/) const { return nullptr; }
  virtual std::shared_ptr<const artifact::Listing> listing(int /*program*/) const { return nullptr; }
  virtual std::shared_ptr<const artifact::MemoryMap> memory_map(int /*program*/) const { return nullptr; }
  virtual std::shared_ptr<const artifact::TilePlan> tile_plan() const { return nullptr; }
  /// Other tilings of this layer; null where there is no tile plan. May be called from several threads.
  virtual std::unique_ptr<const TilingTools> tiling_tools() const { return nullptr; }
  virtual std::shared_ptr<const artifact::Links> links(int /*program*/) const { return nullptr; }
  /// Bounds, what binds, and what was rejected.
  virtual std::shared_ptr<const artifact::Explanation> explanation() const { return nullptr; }
  /// The self-contained program file (see docs/), as written by `compile` and read by `simulate` and `verify`.
  virtual std::string program_file(int /*program*/) const { return {}; }

  /// Runs every program on the input and compares with the fixed-point reference. `strips` limits the work (0: all).
  virtual std::optional<SimulationResult> simulate(const SimulationInput& /*input*/, int /*strips*/,
                                                   const std::stop_token& /*stop*/,
                                                   Diagnostics& /*diagnostics*/) const {
    return std::nullopt;
  }
};

/// What a target can do with a program from a file or from an editor, without a network.
class ProgramTools {
 public:
  virtual ~ProgramTools() = default;
  /// Whether a file's content is a program of this target (file or assembly), judged by content.
  virtual bool recognizes(std::string_view content) const = 0;
  /// Checks statically; true if there was no error.
  virtual bool verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const = 0;
  /// Runs the encoded binary on the input and compares with the reference.
  virtual SimulationResult simulate(std::string_view content, const std::string& file, const SimulationInput& input,
                                    int strips, const std::stop_token& stop, Diagnostics& diagnostics) const = 0;
  /// Assembly text to a program file; nothing, with diagnostics, if it does not assemble.
  virtual std::optional<std::string> assemble(std::string_view assembly, const std::string& file,
                                              Diagnostics& diagnostics) const = 0;
};

struct CompileRequest {
  const network::Network* network = nullptr;
  int layer = 0;
  const arch::ParameterValues* machine = nullptr;
  std::string level;
};

class Target {
 public:
  virtual ~Target() = default;

  virtual const std::string& id() const = 0;     ///< "nve"
  virtual const std::string& title() const = 0;  ///< "Neuro Vector Engine"
  virtual std::shared_ptr<const arch::MachineDescription> machine() const = 0;
  virtual const std::vector<Level>& levels() const = 0;
  virtual const std::string& default_level() const = 0;
  virtual const std::string& default_preset() const = 0;  ///< name of a file in resources/presets without ".xml"

  /// The target's own figures and resources, each once: what it puts into Metrics::target_figures, of layers and of
  /// totals, and into resources() besides the shared ones.
  virtual const std::vector<artifact::FigureDescription>& figures() const = 0;

  /// Compiles one layer. Never fails: what can't be mapped is returned with a reason. Throws Cancelled if stopped
  /// (polled at least every few milliseconds). Pure: same request, same result, for any number of threads.
  virtual std::shared_ptr<const CompiledLayer> compile(const CompileRequest& request, PassCache& cache,
                                                       const std::stop_token& stop) const = 0;

  /// Figures of a whole network from its layers (null layers are skipped): sums, and the target's own totals.
  virtual artifact::Metrics total(const std::vector<std::shared_ptr<const CompiledLayer>>& layers,
                                  const arch::ParameterValues& machine) const = 0;

  /// Roofs of the machine, and a point for each compiled layer.
  virtual artifact::Roofline roofline(const network::Network& network,
                                      const std::vector<std::shared_ptr<const CompiledLayer>>& layers,
                                      const arch::ParameterValues& machine) const = 0;

  /// What a machine is made of, for a cost that is honest about being a model: counts, never area or energy. Each is
  /// one of shared_resources() (core/target/resources.h) or described in figures(). Empty if the target doesn't say.
  /// Pure and cheap.
  virtual std::vector<artifact::NamedQuantity> resources(const arch::ParameterValues& /*machine*/) const { return {}; }

  virtual const ProgramTools* program_tools() const { return nullptr; }
};

}  // namespace convscope::target
