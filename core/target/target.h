#pragma once
// What a target is: parameters, levels, a compiler from networks to artifacts, and optional capabilities, each in its
// own header beside this one. The window and the command line ask for a capability, never for a target.

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/arch/parameters.h"
#include "core/artifact/metrics.h"
#include "core/network/network.h"
#include "core/target/compiled.h"
#include "core/target/pass_cache.h"

namespace convscope::target {

class MeasurementTools;
class ProgramTools;

/// A chain of optimizations that the user can choose, e.g. NVE's none, packing, modulo, fusion.
struct Level {
  std::string name;   ///< as in `--level`
  std::string title;  ///< for people
  /// A quicker level whose results are worth showing until this one's are there; empty if this one takes no time to
  /// speak of.
  std::string quick_first = {};
};

struct NetworkRequest {
  const network::Network* network = nullptr;
  const arch::ParameterValues* machine = nullptr;
  std::string level;
};

struct CompileRequest {
  const network::Network* network = nullptr;
  int layer = 0;
  const arch::ParameterValues* machine = nullptr;
  std::string level;
  const NetworkPlan* plan = nullptr;  ///< what `prepare` returned for the same network, machine and level
};

class Target {
 public:
  virtual ~Target() = default;

  virtual const std::string& id() const = 0;     ///< "nve"
  virtual const std::string& title() const = 0;  ///< "Neuro Vector Engine"
  virtual std::shared_ptr<const arch::MachineDescription> machine() const = 0;
  virtual const std::vector<Level>& levels() const = 0;
  virtual const std::string& default_level() const = 0;
  virtual const std::string& default_preset() const = 0;  ///< name of a file in preset_folder() without ".xml"
  virtual std::string preset_folder() const;              ///< resources/presets unless the target has one of its own

  /// Passes over the whole network, once for a network, machine and level, before its layers are compiled. Null if the
  /// target compiles each layer for itself. Pure, memoized through the cache; throws Cancelled.
  virtual std::shared_ptr<const NetworkPlan> prepare(const NetworkRequest& /*request*/, PassCache& /*cache*/,
                                                     const std::stop_token& /*stop*/) const {
    return nullptr;
  }

  /// The target's own figures and resources, each once: what it puts into Metrics::target_figures, of layers and of
  /// totals, and into resources() besides the shared ones.
  virtual const std::vector<artifact::FigureDescription>& figures() const = 0;

  /// Compiles one layer. Never fails: what can't be mapped is returned with a reason. Throws Cancelled if stopped
  /// (polled at least every few milliseconds). Pure: same request, same result, for any number of threads.
  virtual std::shared_ptr<const CompiledLayer> compile(const CompileRequest& request, PassCache& cache,
                                                       const std::stop_token& stop) const = 0;

  /// Joins the layers into the network's program; all of them are compiled, mapped or not. Null if the target has no
  /// such program; without one, and its metrics saying why, if these layers can't be joined. Pure; throws Cancelled.
  virtual std::shared_ptr<const LinkedNetwork> link(const NetworkRequest& /*request*/, const NetworkPlan* /*plan*/,
                                                    const CompiledLayers& /*layers*/, PassCache& /*cache*/,
                                                    const std::stop_token& /*stop*/) const {
    return nullptr;
  }

  /// Figures of a whole network that is not linked, from its layers (null layers are skipped): sums, and the target's
  /// own totals.
  virtual artifact::Metrics total(const CompiledLayers& layers, const arch::ParameterValues& machine) const = 0;

  /// Roofs of the machine, and a point for each compiled layer.
  virtual artifact::Roofline roofline(const network::Network& network, const CompiledLayers& layers,
                                      const arch::ParameterValues& machine) const = 0;

  /// What a machine is made of, for a cost that is honest about being a model: counts, never area or energy. Each is
  /// one of shared_resources() (core/target/resources.h) or described in figures(). Empty if the target doesn't say.
  /// Pure and cheap.
  virtual std::vector<artifact::NamedQuantity> resources(const arch::ParameterValues& /*machine*/) const { return {}; }

  virtual const SimulationTools* simulation_tools() const { return nullptr; }    ///< simulate.h
  virtual const MeasurementTools* measurement_tools() const { return nullptr; }  ///< measure.h
  virtual const ProgramTools* program_tools() const { return nullptr; }          ///< programs.h
};

}  // namespace convscope::target
