#include "core/nve/compiled_layer.h"

#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/nve/alternatives.h"
#include "core/nve/architecture/assembly.h"
#include "core/nve/architecture/program_check.h"
#include "core/nve/artifacts/explanation.h"
#include "core/nve/artifacts/layer_metrics.h"
#include "core/nve/artifacts/program_view.h"
#include "core/nve/compile_layer.h"
#include "core/nve/draft_tools.h"
#include "core/nve/layer_programs.h"
#include "core/nve/passes/bind_program.h"
#include "core/nve/program_tools.h"
#include "core/nve/simulation_result.h"
#include "core/nve/trained_trace.h"
#include "core/target/traceable.h"

namespace convscope::nve {
namespace {

/// Remembers what one question computes, so that equal programs of a layer are made and verified once.
class LocalCache : public target::PassCache {
 protected:
  std::shared_ptr<const void> get_erased(std::string_view pass, const std::string& key,
                                         const std::function<std::shared_ptr<const void>()>& compute) override {
    std::shared_ptr<const void>& entry = entries_[{std::string(pass), key}];
    if (!entry) entry = compute();
    return entry;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const void>> entries_;
};

class NveLayer : public target::CompiledLayer,
                 public target::Draftable,
                 public target::Traceable,
                 public LayerPrograms {
 public:
  NveLayer(Layout layout, const Machine& machine, const Switches& switches, std::string reason,
           std::vector<LayerProgram> programs, artifact::Metrics metrics, std::shared_ptr<const network::Graph> graph,
           std::string fault = {})
      : layout_(std::move(layout)),
        machine_(machine),
        switches_(switches),
        reason_(std::move(reason)),
        programs_(std::move(programs)),
        metrics_(std::move(metrics)),
        graph_(std::move(graph)),
        fault_(std::move(fault)) {}

  const std::string& reason() const override { return reason_; }
  std::string fault() const override { return fault_; }
  const artifact::Metrics& metrics() const override { return metrics_; }
  // Programs stream coefficients with every strip, of whichever image it is.
  artifact::BatchFigures batch(std::int64_t images) const override {
    return batch_.get(images, [&] {
      if (const auto together = compile_batch(images))
        return artifact::side_by_side(metrics_, together->metrics(), images,
                                      fmt::format("{} images at a time share coefficients", machine_.lanes));
      return artifact::image_after_image(metrics_, images, "coefficients are streamed anew with every strip");
    });
  }
  int program_count() const override { return static_cast<int>(programs_.size()); }

  std::string program_name(int program) const override {
    const MapGroup& group = at(program).group;
    const std::size_t count = group.maps.size() / static_cast<std::size_t>(group.tiles);
    std::string name = fmt::format("{}.{}: map{} {}", layout_.whole.name, program, count == 1 ? "" : "s",
                                   fmt::join(group.maps.begin(), group.maps.begin() + static_cast<int>(count), ", "));
    return group.tiles == 1 ? name : name + fmt::format(" in {} tiles", group.tiles);
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
    std::call_once(explained_, [this] { explanation_ = explain(); });
    return explanation_;
  }
  const Layout& layout() const override { return layout_; }
  std::vector<Program> programs() const override {
    std::vector<Program> programs;
    programs.reserve(programs_.size());
    for (int i = 0; i < program_count(); ++i) programs.push_back(bound(i));
    return programs;
  }
  std::string program_file(int p) const override { return write_program_file(bound(p)); }
  std::shared_ptr<const target::DraftTools> draft_tools(int p) const override {
    return make_draft_tools(at(p), layout_.part, machine_, switches_.exact && switches_.peeling,
                            fmt::format("{}.{}", layout_.whole.name, p), remaker(p));
  }

  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const override {
    const SimulationInput input = simulation_input(options);
    return layer_result(check_programs(programs(), layout_, input, stop, diagnostics), metrics_, input.strips == 0);
  }

  std::shared_ptr<const target::Trace> trace(int p, const target::OptionValues& options, std::int64_t checkpoint_bytes,
                                             const std::stop_token& stop, Diagnostics& diagnostics) const override {
    network::Network alone;
    alone.layers = {layout_.whole};
    alone.graph = machine_.loop == InnerLoop::on ? graph_ : nullptr;
    const auto chain = alone.graph ? chain_of(alone, {this}) : std::vector<ChainLayer>{};
    if (!chain.empty())
      return trace_with_weights(alone, chain.front(), p, machine_.bias_shift, options, checkpoint_bytes, stop,
                                diagnostics);
    return NveProgramTools().trace(program_file(p), program_name(p), options, checkpoint_bytes, stop, diagnostics);
  }

 private:
  // Of fully connected layers, whose images lie side by side as the pixels of one map; null for others.
  std::shared_ptr<const target::CompiledLayer> compile_batch(std::int64_t images) const {
    network::Layer layer = layout_.whole;
    const bool connected = layer.kernel == network::Size{1, 1} && layer.in.size == network::Size{1, 1};
    if (!switches_.looped || !mapped() || !connected || images < 2 || images > largest_size) return nullptr;
    layer.in.size.width = layer.out.size.width = static_cast<int>(images);
    LocalCache cache;
    auto compiled = compile_layer(layer, machine_, switches_, cache, {});
    return compiled->mapped() ? compiled : nullptr;
  }

  std::shared_ptr<const artifact::Explanation> explain() const {
    auto explanation =
        std::make_shared<artifact::Explanation>(*make_explanation(layout_, programs_, machine_, metrics_, reason_));
    LocalCache cache;
    const Recompile recompile = [&](const Switches& switches, const Machine& machine) {
      return compile_layer(layout_.whole, machine, switches, cache, {});
    };
    if (!mapped()) explanation->rejected = smallest_machine(switches_, machine_, recompile);
    if (mapped() && switches_.exact) explanation->rejected = without_each(metrics_, switches_, machine_, recompile);
    return explanation;
  }

  const LayerProgram& at(int program) const { return programs_[static_cast<std::size_t>(program)]; }

  Program bound(int program) const {
    return bind_program(*at(program).scheduled, at(program).group, frame_of(layout_.part),
                        fmt::format("{}.{}", layout_.whole.name, program), machine_);
  }

  // Outlives this layer.
  MakeLayer remaker(int program) const {
    return [layout = layout_, machine = machine_, switches = switches_, programs = programs_, graph = graph_,
            program](target::Remembered<StructureProgram> scheduled) {
      std::vector<LayerProgram> changed = programs;
      changed[static_cast<std::size_t>(program)].scheduled = std::move(scheduled);
      return make_mapped(layout, machine, switches, std::move(changed), graph);
    };
  }

  template <typename Artifact>
  std::shared_ptr<const Artifact> make(int program,
                                       std::shared_ptr<const Artifact> (*maker)(const ProgramView&)) const {
    const Program p = bound(program);
    return maker({*at(program).scheduled, at(program).group, p});
  }

  Layout layout_;
  Machine machine_;
  Switches switches_;
  std::string reason_;
  std::vector<LayerProgram> programs_;
  artifact::Metrics metrics_;
  std::shared_ptr<const network::Graph> graph_;
  std::string fault_;
  artifact::LastBatch batch_;
  mutable std::once_flag explained_;  // levels that recompile take their time
  mutable std::shared_ptr<const artifact::Explanation> explanation_;
};

}  // namespace

std::shared_ptr<const target::CompiledLayer> make_mapped(Layout layout, const Machine& machine,
                                                         const Switches& switches, std::vector<LayerProgram> programs,
                                                         std::shared_ptr<const network::Graph> graph) {
  auto metrics = layer_metrics(layout, programs, machine, true);
  return std::make_shared<const NveLayer>(std::move(layout), machine, switches, std::string(), std::move(programs),
                                          std::move(metrics), std::move(graph));
}

std::shared_ptr<const target::CompiledLayer> make_unmapped(Layout layout, const Machine& machine,
                                                           const Switches& switches, std::string reason,
                                                           std::shared_ptr<const network::Graph> graph,
                                                           std::string fault) {
  auto metrics = unmapped_metrics(layout.whole);
  return std::make_shared<const NveLayer>(std::move(layout), machine, switches, std::move(reason),
                                          std::vector<LayerProgram>{}, std::move(metrics), std::move(graph),
                                          std::move(fault));
}

}  // namespace convscope::nve
