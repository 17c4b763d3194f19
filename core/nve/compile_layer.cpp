#include "core/nve/compile_layer.h"

#include <algorithm>
#include <climits>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nve/architecture/program_check.h"
#include "core/nve/artifacts/layer_metrics.h"
#include "core/nve/compiled_layer.h"
#include "core/nve/layout/layout.h"
#include "core/nve/passes/bind_program.h"
#include "core/nve/passes/plan_layer.h"
#include "core/nve/passes/plan_looped.h"
#include "core/nve/verify/verify_program.h"
#include "core/schedule/verify/verify.h"

namespace convscope::nve {
namespace {

/// Rows or columns from a kernel's first to its last: far more than any image register or local buffer holds.
constexpr int largest_span = 1 << 20;

std::string too_tall(const network::Layer& layer, const RegisterLayout& registers, const Machine& machine) {
  const std::string dilated =
      layer.dilation.height == 1
          ? std::string()
          : fmt::format(" and spans {} at a dilation of {}",
                        (std::int64_t{layer.kernel.height} - 1) * layer.dilation.height + 1, layer.dilation.height);
  return fmt::format(
      "the kernel is {} rows high{}; the image register and its extension of {} pixels hold {} for subsample {}",
      layer.kernel.height, dilated, machine.image_extension, registers.max_kernel_height(), layer.stride.height);
}

std::string unsupported(const network::Layer& layer, const Switches& switches, const Machine& machine) {
  const bool product = switches.looped && layer.kernel.height > 0;  // Gemm, MatMul, QLinearConv …
  if (layer.operator_name != "Conv" && !product)
    return fmt::format("NVE computes convolutions only, not {}", layer.operator_name);
  if (layer.out.maps < 1 || layer.out.size.height < 1 || layer.out.size.width < 1 || layer.kernel.height < 1)
    return layer.why_no_kernel().empty() ? "its shape is not known, or it is no convolution over an image"
                                         : layer.why_no_kernel() + "; NVE convolves over rows and columns";
  if (layer.dilation.height < 1 || layer.dilation.width < 1) return "its dilation is not known";
  const std::int64_t rows = (std::int64_t{layer.kernel.height} - 1) * layer.dilation.height + 1;
  const std::int64_t columns = (std::int64_t{layer.kernel.width} - 1) * layer.dilation.width + 1;
  if (std::max(rows, columns) > largest_span)
    return fmt::format("the dilated kernel spans {}x{} pixels; NVE's programs reach over {}", rows, columns,
                       largest_span);
  if (!has_programs(layer))
    return fmt::format(
        "a {}x{} kernel, stride {}x{} and dilation {}x{}: NVE's programs have kernels and dilations up to "
        "{} and strides up to {}, on maps of up to {} rows and columns",
        layer.kernel.height, layer.kernel.width, layer.stride.height, layer.stride.width, layer.dilation.height,
        layer.dilation.width, largest_kernel, largest_stride, largest_size);
  const bool polyphase = switches.polyphase && layer.dilation.height == 1;
  if (!polyphase && layer.stride.height > largest_lane_stride)
    return fmt::format("the vertical stride is {}; neighbouring lanes take pixels that lie up to {} apart",
                       layer.stride.height, largest_lane_stride);
  const RegisterLayout registers(machine, layer.stride.height);
  if (layouts_of(window_of(layer), switches, machine).empty()) return too_tall(layer, registers, machine);
  return {};
}

// Set bias and multiply-accumulates share one field, so a map needs at least an instruction for each: a bound that
// spares scheduling what cannot fit.
std::string certainly_too_large(const network::Layer& layer, const Machine& machine) {
  const Window window = window_of(layer);
  const std::int64_t resident = std::int64_t{window.initial_columns()} * window.column(machine).words();
  if (window.dilation_width > 1 && resident > machine.local_buffer_words)
    return fmt::format(
        "the dilated kernel reaches over {} columns, which need at least {} of {} words of the local "
        "buffer",
        window.span_width(), resident, machine.local_buffer_words);
  const std::int64_t weights = std::int64_t{layer.kernel.height} * layer.kernel.width;
  for (int map = 0; map < layer.out.maps; ++map) {
    const std::int64_t inputs = layer.dense
                                    ? layer.in.maps / layer.groups
                                    : static_cast<std::int64_t>(layer.inputs[static_cast<std::size_t>(map)].size());
    if (inputs == 0) return fmt::format("output map {} has no input", map);
    if (1 + inputs * weights > machine.instruction_buffer_words)
      return fmt::format("output map {} with {} inputs needs at least {} of {} words of the instruction buffer", map,
                         inputs, 1 + inputs * weights, machine.instruction_buffer_words);
    if (layer.dense) break;  // all maps have as many inputs
  }
  return {};
}

/// Which input maps each output map takes, in as few words as it can be said: a key holds them.
struct Connections {
  int inputs = 0, maps = 0, groups = 1;
  std::vector<std::vector<int>> table;  ///< by output map; empty if each takes all of its group
};

Connections connections_of(const network::Layer& layer) {
  if (!layer.dense) return {0, 0, 1, layer.inputs};
  return {layer.in.maps, layer.out.maps, layer.groups, {}};
}

std::vector<std::vector<int>> written_out(const Connections& connections) {
  if (connections.maps == 0) return connections.table;
  const int inputs = connections.inputs / connections.groups, maps = connections.maps / connections.groups;
  std::vector<std::vector<int>> table(static_cast<std::size_t>(connections.maps),
                                      std::vector<int>(static_cast<std::size_t>(inputs)));
  for (int map = 0; map < connections.maps; ++map) {
    auto& of_map = table[static_cast<std::size_t>(map)];
    std::iota(of_map.begin(), of_map.end(), map / maps * inputs);
  }
  return table;
}

LayerPlan fuse(const target::PassRun& run, const Connections& connections, const Window& window,
               const Switches& switches, const SchedulingMachine& machine) {
  return {window, fuse_maps(written_out(connections), [&](const MapGroup& group) {
            throw_if_stopped(run.stop);
            const auto program = schedule_structure(run, group.structure, window, switches, machine);
            return program->reason.empty() ? program->instructions() : INT_MAX;
          })};
}

constexpr target::Pass fused_plan{"nve.fusion", fuse};

LayerPlan plan_connections(const target::PassRun& run, const Connections& connections, const Window& window,
                           const OutputSize& output, const Switches& switches, const Sharing& sharing,
                           const SchedulingMachine& machine) {
  return plan_layer(run, written_out(connections), window, output, switches, sharing, machine);
}

constexpr target::Pass layer_plan{"nve.plan", plan_connections};

// Why a program is refused; empty if it isn't. No rule may look at clock, cores and transfers, so that dragging them
// verifies nothing anew.
std::string refusal(const target::PassRun&, const target::Remembered<StructureProgram>& scheduled,
                    const MapGroup& group, const LayerFrame& layer, const SchedulingMachine& machine) {
  const Loop& loop = scheduled->loop;
  const auto violations = schedule::verify(loop.problem, {loop.cycles, loop.initiation_interval});
  if (!violations.empty()) return "the generated schedule was refused by the verifier: " + violations.front().text;
  Diagnostics diagnostics;
  if (verify_program(bind_program(*scheduled, group, layer, layer.name, Machine{machine}), diagnostics)) return {};
  return "the generated program was refused by the verifier: " + diagnostics.items().front().text();
}

constexpr target::Pass verdict{"nve.verdict", refusal};

/// Output maps that take the same inputs.
struct MapSet {
  std::vector<int> maps, inputs;
};

// Those of a group next to each other; of a connection table, all that have equal rows.
std::vector<MapSet> map_sets(const network::Layer& layer) {
  std::vector<MapSet> sets;
  std::map<std::vector<int>, std::size_t> known;
  const int of_group = layer.dense ? layer.out.maps / layer.groups : 1;
  for (int map = 0; map < layer.out.maps; ++map) {
    if (layer.dense && map % of_group != 0) {
      sets.back().maps.push_back(map);
      continue;
    }
    std::vector<int> inputs = layer.inputs_of(map);
    const auto [place, is_new] = known.try_emplace(std::move(inputs), sets.size());
    if (is_new) sets.push_back({{}, place->first});
    sets[place->second].maps.push_back(map);
  }
  return sets;
}

/// With seeded weights of 9 bits, no sum of so many products and a bias overflows 32 bits.
constexpr std::int64_t most_products = 32768;

// Passes of one layer with what they all need.
class LayerCompiler {
 public:
  LayerCompiler(const Layout& layout, const Machine& machine, const Switches& switches, const target::PassRun& run,
                const std::shared_ptr<const network::Graph>& graph)
      : layout_(layout), layer_(layout.part), machine_(machine), switches_(switches), run_(run), graph_(graph) {}

  // Bodies that hold a whole iteration, or programs with an inner loop: whichever is done first.
  std::shared_ptr<const target::CompiledLayer> compile() {
    auto bodies = compile_bodies();
    if (!switches_.looped) return bodies;
    auto looped = compile_looped();
    const bool faster =
        looped &&
        (!bodies->mapped() || (bodies->fault().empty() && time_of(looped->metrics()) < time_of(bodies->metrics())));
    if (!looped && !bodies->mapped() && !too_many_products_.empty()) return refuse(too_many_products_);
    return faster ? looped : bodies;
  }

 private:
  /// Of equal times, which transfers take, the one that computes less is better.
  static std::pair<double, double> time_of(const artifact::Metrics& metrics) {
    return {metrics.seconds.value, metrics.cycles.value};
  }

  /// Programs of a layer, or why there are none.
  struct Bodies {
    std::vector<LayerProgram> programs;
    std::string reason;
  };

  std::shared_ptr<const target::CompiledLayer> compile_bodies() {
    std::string reason = unsupported(layer_, switches_, machine_);
    if (reason.empty()) reason = certainly_too_large(layer_, machine_);
    if (!reason.empty()) return refuse(std::move(reason));
    Bodies bodies = bodies_by(switches_);
    for (const Switches& simpler : simpler_switches()) bodies = faster(std::move(bodies), bodies_by(simpler));
    if (!bodies.reason.empty()) return refuse(std::move(bodies.reason));
    const std::string violation = verify(bodies.programs);
    if (!violation.empty()) return refuse(target::fault_reason(violation), violation);
    return make_mapped(layout_, machine_, switches_, std::move(bodies.programs), graph_);
  }

  Bodies bodies_by(const Switches& switches) {
    Bodies bodies;
    const auto plan = this->plan(switches);
    bodies.programs.reserve(plan->groups.size());
    for (const MapGroup& group : plan->groups) {
      throw_if_stopped(run_.stop);
      auto scheduled = schedule_structure(run_, group.structure, plan->window, switches, machine_);
      if (!scheduled->reason.empty()) return {{}, too_large(group, scheduled->reason)};
      bodies.programs.push_back({group, std::move(scheduled), plan->window});
    }
    return bodies;
  }

  // Exact schedules have the least interval, but the heuristic ones may begin and end in less, which counts where maps
  // are narrow; and plans, of which layout as well, go by estimates.
  std::vector<Switches> simpler_switches() const {
    std::vector<Switches> simpler;
    if (!switches_.exact) return simpler;
    Switches columns = switches_;
    columns.polyphase = columns.half_vector = columns.tiling = false;
    if (!(columns == switches_)) simpler.push_back(columns);
    simpler.push_back({.packing = true, .modulo = true, .fusion = true});
    std::erase_if(simpler, [&](const Switches& each) { return !unsupported(layer_, each, machine_).empty(); });
    return simpler;
  }

  Bodies faster(Bodies one, Bodies other) const {
    if (!other.reason.empty()) return one;
    if (!one.reason.empty()) return other;
    const auto time = [&](const Bodies& bodies) {
      return time_of(layer_metrics(layout_, bodies.programs, machine_, true));
    };
    return time(other) < time(one) ? other : one;
  }

  // Null if there is none.
  std::shared_ptr<const target::CompiledLayer> compile_looped() {
    if (!unsupported(layer_, switches_, machine_).empty()) return nullptr;
    Switches layouts_only = switches_;
    layouts_only.half_vector = false;  // all lanes work
    layouts_only.polyphase = true;     // as the host supplies columns in any case
    const std::vector<Window> layouts = layouts_of(window_of(layer_), layouts_only, machine_);
    const OutputSize output{layer_.out.size.height, layer_.out.size.width};
    const std::vector<MapSet> sets = map_sets(layer_);
    int most_inputs = 1;
    for (const MapSet& set : sets) most_inputs = std::max(most_inputs, static_cast<int>(set.inputs.size()));
    const std::int64_t products = std::int64_t{most_inputs} * layer_.kernel.height * layer_.kernel.width;
    if (products > most_products) {
      too_many_products_ = fmt::format(
          "sums of {} products of pixels and weights of 9 bits could pass 32 bits; at most {} certainly don't",
          products, most_products);
      return nullptr;
    }
    std::vector<LayerProgram> programs;
    for (const MapSet& set : sets) {
      throw_if_stopped(run_.stop);
      const int inputs = static_cast<int>(set.inputs.size()), maps = static_cast<int>(set.maps.size());
      const auto groups = divide_looped(run_, inputs, maps, static_cast<int>(sets.size()), layouts, output,
                                        switches_.sharing ? machine_.cores : 1, machine_);
      if (groups.empty()) return nullptr;
      auto first = set.maps.begin();
      for (const LoopedGroup& group : groups) {
        MapGroup map_group{{first, first + group.shape.maps}, set.inputs, {}, 1};
        first += group.shape.maps;
        programs.push_back({std::move(map_group),
                            looped_program(run_, group.shape, group.window, static_cast<int>(products), machine_),
                            group.window});
      }
    }
    const std::string violation = verify(programs);
    if (!violation.empty()) return refuse(target::fault_reason(violation), violation);
    return make_mapped(layout_, machine_, switches_, std::move(programs), graph_);
  }

  // A plan of which the first program doesn't fit, where none does.
  std::shared_ptr<const LayerPlan> plan(const Switches& switches) {
    const Connections connections = connections_of(layer_);
    const Window window = window_of(layer_);
    if (switches.exact) {
      const OutputSize output{layer_.out.size.height, layer_.out.size.width};
      const auto found = layer_plan(run_, connections, window, output, switches, sharing_of(machine_), machine_);
      if (!found->groups.empty()) return found.pointer();
      const Window last = layouts_of(window, switches, machine_).back();
      return std::make_shared<LayerPlan>(LayerPlan{last, {make_group(written_out(connections), {0})}});
    }
    if (switches.fusion) return fused_plan(run_, connections, window, switches, machine_).pointer();
    return std::make_shared<LayerPlan>(LayerPlan{window, single_maps(written_out(connections))});
  }

  static std::string too_large(const MapGroup& group, const std::string& reason) {
    return fmt::format("output map {} with {} inputs {}", group.maps.front(), group.inputs.size(), reason);
  }

  // Programs that share a schedule differ only in names, so one of them stands for all.
  std::string verify(const std::vector<LayerProgram>& programs) {
    std::set<const StructureProgram*> seen;
    for (const LayerProgram& program : programs) {
      if (!seen.insert(program.scheduled.pointer().get()).second) continue;
      throw_if_stopped(run_.stop);
      const auto refused = verdict(run_, program.scheduled, program.group, frame_of(layer_), machine_);
      if (!refused->empty()) return *refused;
    }
    return {};
  }

  std::shared_ptr<const target::CompiledLayer> refuse(std::string reason, std::string fault = {}) const {
    return make_unmapped(layout_, machine_, switches_, std::move(reason), graph_, std::move(fault));
  }

  const Layout& layout_;
  const network::Layer& layer_;  ///< what programs compute
  const Machine& machine_;
  const Switches& switches_;
  const target::PassRun run_;
  const std::shared_ptr<const network::Graph>& graph_;
  std::string too_many_products_;  ///< for a program with an inner loop
};

}  // namespace

std::shared_ptr<const target::CompiledLayer> compile_layer(const network::Layer& layer, const Machine& machine,
                                                           const Switches& switches, target::PassCache& cache,
                                                           const std::stop_token& stop,
                                                           const std::shared_ptr<const network::Graph>& graph) {
  std::shared_ptr<const target::CompiledLayer> compiled;
  for (const Layout& layout : layouts_for(layer, switches, machine)) {
    compiled = LayerCompiler(layout, machine, switches, {cache, stop}, graph).compile();
    if (compiled->mapped()) break;
  }
  return compiled;
}

}  // namespace convscope::nve
