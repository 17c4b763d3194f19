#include "core/nve/compile_layer.h"

#include <algorithm>
#include <climits>
#include <set>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nve/architecture/assembly.h"
#include "core/nve/artifacts/explanation.h"
#include "core/nve/artifacts/layer_metrics.h"
#include "core/nve/artifacts/program_view.h"
#include "core/nve/passes/bind_program.h"
#include "core/nve/passes/plan_layer.h"
#include "core/nve/simulation_result.h"
#include "core/nve/verify/verify_program.h"
#include "core/schedule/verify/verify.h"

namespace convscope::nve {
namespace {

struct Optimization {
  bool Switches::*on;
  const char* name;
};

/// Those that can be left out one at a time, each with the others in force.
constexpr Optimization optimizations[] = {{&Switches::circular, "circular coefficient packing"},
                                          {&Switches::peeling, "a peeled first iteration"},
                                          {&Switches::partition, "fusion by cost"},
                                          {&Switches::fusion, "fusion"},
                                          {&Switches::polyphase, "polyphase layout"},
                                          {&Switches::half_vector, "half vectors"},
                                          {&Switches::exact, "exact schedules"}};

/// Largest buffers that are tried for a layer that isn't mapped, in words: the largest that machines may have.
constexpr int largest_tried = 16384;

class NveLayer : public target::CompiledLayer {
 public:
  NveLayer(network::Layer layer, const Machine& machine, const Switches& switches, std::string reason,
           std::vector<LayerProgram> programs, artifact::Metrics metrics)
      : layer_(std::move(layer)),
        machine_(machine),
        switches_(switches),
        reason_(std::move(reason)),
        programs_(std::move(programs)),
        metrics_(std::move(metrics)) {}

  const std::string& reason() const override { return reason_; }
  const artifact::Metrics& metrics() const override { return metrics_; }
  int program_count() const override { return static_cast<int>(programs_.size()); }

  std::string program_name(int program) const override {
    std::string maps;
    for (int map : at(program).group.maps) maps += (maps.empty() ? "" : ", ") + std::to_string(map);
    return fmt::format("{}.{}: map{} {}", layer_.name, program, at(program).group.maps.size() == 1 ? "" : "s", maps);
  }

  int program_of(artifact::OperationKey key) const override {
    for (int i = 0; i < program_count(); ++i)
      if (links(i)->find(key) != nullptr) return i;
    return -1;
  }

  std::shared_ptr<const artifact::TaskGraph> task_graph(int p) const override { return make(p, make_task_graph); }
  std::shared_ptr<const artifact::Timeline> timeline(int p) const override { return make(p, make_timeline); }
  std::shared_ptr<const artifact::Listing> listing(int p) const override { return make(p, make_listing); }
  std::shared_ptr<const artifact::MemoryMap> memory_map(int p) const override { return make(p, make_memory_map); }
  std::shared_ptr<const artifact::Links> links(int p) const override { return make(p, make_links); }
  std::shared_ptr<const artifact::Explanation> explanation() const override {
    auto explanation =
        std::make_shared<artifact::Explanation>(*make_explanation(layer_, programs_, machine_, metrics_, reason_));
    if (switches_.exact) explanation->rejected = mapped() ? without_each() : larger_machines();
    return explanation;
  }
  std::string program_file(int p) const override { return write_program_file(bound(p)); }

  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const override {
    std::vector<Program> programs;
    programs.reserve(programs_.size());
    for (int i = 0; i < program_count(); ++i) programs.push_back(bound(i));
    const SimulationInput input = simulation_input(options);
    return layer_result(check_programs(programs, layer_, input, stop, diagnostics), metrics_, input.strips == 0);
  }

 private:
  const LayerProgram& at(int program) const { return programs_[static_cast<std::size_t>(program)]; }

  Program bound(int program) const {
    return bind_program(*at(program).scheduled, at(program).group, frame_of(layer_),
                        fmt::format("{}.{}", layer_.name, program), machine_);
  }

  std::shared_ptr<const target::CompiledLayer> otherwise(const Switches& switches, const Machine& machine) const {
    target::NoCache cache;
    return compile_layer(layer_, machine, switches, cache, {});
  }

  // What each optimization gained: the layer without it.
  std::vector<artifact::RejectedAlternative> without_each() const {
    std::vector<artifact::RejectedAlternative> result;
    for (const Optimization& each : optimizations) {
      if (!(switches_.*each.on)) continue;
      Switches without = switches_;
      without.*each.on = false;
      const auto compiled = otherwise(without, machine_);
      artifact::RejectedAlternative alternative{fmt::format("without {}", each.name), compiled->mapped(), {}, {}};
      if (compiled->mapped()) {
        const artifact::Metrics& metrics = compiled->metrics();
        alternative.seconds = metrics.seconds;
        alternative.reason = fmt::format("{:+.2f} % instructions, {:+.1f} % words moved",
                                         change(metrics, "instructions"), change(metrics, "words_transferred"));
      } else {
        alternative.reason = compiled->reason();
      }
      result.push_back(std::move(alternative));
    }
    return in_order(std::move(result));
  }

  // The smallest buffer of each kind with which the layer would be mapped, and what it would reach.
  std::vector<artifact::RejectedAlternative> larger_machines() const {
    std::vector<artifact::RejectedAlternative> result;
    Machine machine = machine_;
    machine.local_buffer_words = std::max(machine.local_buffer_words, largest_tried);
    machine.instruction_buffer_words = std::max(machine.instruction_buffer_words, largest_tried);
    if (!otherwise(switches_, machine)->mapped()) return result;
    shrink(machine, &Machine::instruction_buffer_words);
    shrink(machine, &Machine::local_buffer_words);
    const auto compiled = otherwise(switches_, machine);
    result.push_back({fmt::format("instruction buffer of {} words, local buffer of {} words",
                                  machine.instruction_buffer_words, machine.local_buffer_words),
                      true, compiled->metrics().seconds,
                      fmt::format("the smallest that would do: it would reach {:.2f} MAC/instruction",
                                  compiled->metrics().find("mac_per_instruction")->value)});
    return result;
  }

  // Halves a buffer of a machine that takes the layer as long as it does.
  void shrink(Machine& machine, int Machine::*words) const {
    while (machine.*words / 2 >= machine_.*words) {
      machine.*words /= 2;
      if (otherwise(switches_, machine)->mapped()) continue;
      machine.*words *= 2;
      return;
    }
  }

  double change(const artifact::Metrics& other, const char* key) const {
    return 100 * (other.find(key)->value / metrics_.find(key)->value - 1);
  }

  // Best first; what doesn't fit last.
  static std::vector<artifact::RejectedAlternative> in_order(std::vector<artifact::RejectedAlternative> all) {
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      if (a.fits != b.fits) return a.fits;
      return a.fits && a.seconds.value < b.seconds.value;
    });
    return all;
  }

  template <typename Artifact>
  std::shared_ptr<const Artifact> make(int program,
                                       std::shared_ptr<const Artifact> (*maker)(const ProgramView&)) const {
    const Program p = bound(program);
    return maker({*at(program).scheduled, at(program).group, p});
  }

  network::Layer layer_;
  Machine machine_;
  Switches switches_;
  std::string reason_;
  std::vector<LayerProgram> programs_;
  artifact::Metrics metrics_;
};

std::string unsupported(const network::Layer& layer, const Switches& switches, const Machine& machine) {
  if (layer.operator_name != "Conv") return fmt::format("NVE computes convolutions only, not {}", layer.operator_name);
  if (layer.out.maps < 1 || layer.out.size.height < 1 || layer.out.size.width < 1 || layer.kernel.height < 1)
    return "its shape is not known, or it is no convolution over an image";
  if (layer.dilation != network::Size{1, 1})
    return fmt::format("the kernel is dilated by {}x{}; the image register shifts by one pixel", layer.dilation.height,
                       layer.dilation.width);
  const RegisterLayout registers(machine, layer.stride.height);
  if (layouts_of(window_of(layer), switches, machine).empty())
    return fmt::format(
        "the kernel is {} rows high; the image register and its extension of {} pixels hold {} for "
        "subsample {}",
        layer.kernel.height, machine.image_extension, registers.max_kernel_height(), layer.stride.height);
  return {};
}

// Set bias and multiply-accumulates share one field, so a map needs at least an instruction for each: a bound that
// spares scheduling what cannot fit.
std::string certainly_too_large(const network::Layer& layer, const Machine& machine) {
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

std::vector<std::vector<int>> connections_of(const network::Layer& layer) {
  if (!layer.dense) return layer.inputs;
  std::vector<std::vector<int>> connections;
  connections.reserve(static_cast<std::size_t>(layer.out.maps));
  for (int map = 0; map < layer.out.maps; ++map) connections.push_back(layer.inputs_of(map));
  return connections;
}

std::vector<MapGroup> fuse(const target::PassRun& run, const std::vector<std::vector<int>>& connections,
                           const Window& window, const Switches& switches, const SchedulingMachine& machine) {
  return fuse_maps(connections, [&](const MapGroup& group) {
    throw_if_stopped(run.stop);
    const auto program = schedule_structure(run, group.structure, window, switches, machine);
    return program->reason.empty() ? program->instructions() : INT_MAX;
  });
}

constexpr target::Pass fused_groups{"nve.fusion", fuse};

constexpr target::Pass layer_plan{"nve.plan", plan_layer};

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

// Passes of one layer with what they all need.
class LayerCompiler {
 public:
  LayerCompiler(const network::Layer& layer, const Machine& machine, const Switches& switches,
                const target::PassRun& run)
      : layer_(layer), machine_(machine), switches_(switches), run_(run) {}

  std::shared_ptr<const target::CompiledLayer> compile() {
    std::string reason = unsupported(layer_, switches_, machine_);
    if (reason.empty()) reason = certainly_too_large(layer_, machine_);
    if (!reason.empty()) return refuse(std::move(reason));
    std::vector<LayerProgram> programs;
    LayerPlan plan = this->plan();
    for (MapGroup& group : plan.groups) {
      throw_if_stopped(run_.stop);
      auto scheduled = schedule_structure(run_, group.structure, plan.window, switches_, machine_);
      programs.push_back({std::move(group), std::move(scheduled)});
      if (!programs.back().scheduled->reason.empty()) return refuse(too_large(programs.back()));
    }
    const std::string violation = verify(programs);
    if (!violation.empty()) return refuse(violation);
    auto metrics = layer_metrics(layer_, programs, machine_, true);
    return std::make_shared<NveLayer>(layer_, machine_, switches_, std::string(), std::move(programs),
                                      std::move(metrics));
  }

 private:
  // A plan of which the first program doesn't fit, where none does.
  LayerPlan plan() {
    const auto connections = connections_of(layer_);
    const Window window = window_of(layer_);
    if (switches_.exact) {
      const OutputSize output{layer_.out.size.height, layer_.out.size.width};
      const auto found = layer_plan(run_, connections, window, output, switches_, machine_);
      if (!found->groups.empty()) return *found;
      return {layouts_of(window, switches_, machine_).back(), single_maps(connections)};
    }
    if (!switches_.fusion) return {window, single_maps(connections)};
    return {window, *fused_groups(run_, connections, window, switches_, machine_)};
  }

  std::string too_large(const LayerProgram& program) const {
    return fmt::format("output map {} with {} inputs {}", program.group.maps.front(), program.group.inputs.size(),
                       program.scheduled->reason);
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

  std::shared_ptr<const target::CompiledLayer> refuse(std::string reason) const {
    return std::make_shared<NveLayer>(layer_, machine_, switches_, std::move(reason), std::vector<LayerProgram>{},
                                      unmapped_metrics(layer_));
  }

  const network::Layer& layer_;
  const Machine& machine_;
  const Switches& switches_;
  const target::PassRun run_;
};

}  // namespace

std::shared_ptr<const target::CompiledLayer> compile_layer(const network::Layer& layer, const Machine& machine,
                                                           const Switches& switches, target::PassCache& cache,
                                                           const std::stop_token& stop) {
  return LayerCompiler(layer, machine, switches, {cache, stop}).compile();
}

}  // namespace convscope::nve
