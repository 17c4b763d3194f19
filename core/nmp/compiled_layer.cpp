#include "core/nmp/compiled_layer.h"

#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/artifacts/alternatives.h"
#include "core/nmp/artifacts/batch.h"
#include "core/nmp/artifacts/explanation.h"
#include "core/nmp/artifacts/layer_metrics.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/artifacts/program_view.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/program_tools.h"

namespace convscope::nmp {
namespace {

using artifact::Metrics;
using target::CompiledLayer;

class UnmappedLayer : public CompiledLayer {
 public:
  using Explain = std::function<std::shared_ptr<const artifact::Explanation>()>;
  UnmappedLayer(std::string reason, Metrics metrics, Explain explain)
      : reason_(std::move(reason)), metrics_(std::move(metrics)), explain_(std::move(explain)) {}
  const std::string& reason() const override { return reason_; }
  const Metrics& metrics() const override { return metrics_; }
  std::shared_ptr<const artifact::Explanation> explanation() const override { return explain_(); }

 private:
  std::string reason_;
  Metrics metrics_;
  Explain explain_;
};

class MappedLayer : public SolvedLayer {
 public:
  MappedLayer(std::string name, const Convolution& convolution, Computing computing, const Machine& machine,
              CostLevel level, std::shared_ptr<const Solution> solution, const std::string& operation)
      : work_{std::move(name),  convolution, std::move(computing), with_doubled(machine, solution->doubled), level,
              solution->tiling, {}},
        solution_(std::move(solution)),
        metrics_(layer_metrics(work_.convolution, *solution_, work_.machine, level)) {
    work_.no_program = why_no_program(work_.convolution, work_.computing, work_.machine, work_.tiling);
    if (!operation.empty()) add_operation(metrics_, operation);
  }

  const LayerWork& work() const override { return work_; }
  const std::string& reason() const override { return solution_->reason; }
  const Metrics& metrics() const override { return metrics_; }
  artifact::BatchFigures batch(std::int64_t images) const override {
    return batch_.get(images, [&] {
      return batch_figures(work_.convolution, work_.machine, work_.level, *solution_, metrics_, images);
    });
  }

  // The tiling, as estimated; its program and what the simulator makes of it; and, where transfers are timed line by
  // line, what the DRAM does.
  int program_count() const override { return 1 + programs() + (work_.level == CostLevel::walk ? 1 : 0); }
  std::string program_name(int program) const override {
    if (is_dram(program)) return work_.name + ": its DRAM, from the first store on";
    return work_.name + (is_program(program) ? ": its program" : ": its tiling, as estimated");
  }
  std::shared_ptr<const artifact::Timeline> timeline(int program) const override {
    if (is_dram(program)) return make_dram_timeline(work_.convolution, work_.machine, *solution_);
    if (!is_program(program)) return make_timeline(work_.convolution, work_.machine, *solution_);
    const auto made = this->program();
    return made ? make_program_timeline(*made) : nullptr;
  }
  std::shared_ptr<const artifact::Listing> listing(int program) const override {
    const auto made = program_at(program);
    return made ? make_listing(*made) : nullptr;
  }
  std::shared_ptr<const artifact::MemoryMap> memory_map(int program) const override {
    const auto made = program_at(program);
    return made ? make_program_map(*made, std::llround(metrics_.cycles.value)) : nullptr;
  }
  std::string program_file(int program) const override {
    const auto made = program_at(program);
    return made ? write_program_file(*made) : std::string();
  }
  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const override {
    const Location where{"", 0, fmt::format("layer '{}'", work_.name)};
    if (asks_for_network(options, where, diagnostics)) return refused_run();
    if (const auto made = program()) return run_program(*made, options, stop, diagnostics);
    diagnostics.error(where, "it has no program: " + work_.no_program, "", "its figures stay estimates");
    return refused_run();
  }

  std::shared_ptr<const artifact::TilePlan> tile_plan() const override {
    return make_tile_plan(work_.convolution, work_.machine, solution_->tiling);
  }
  int program_of(artifact::OperationKey operation) const override {
    return artifact::tile_operation(operation) ? 0 : -1;
  }
  std::shared_ptr<const artifact::Explanation> explanation() const override {
    return explain(work_.convolution, work_.machine, work_.level, solution_);
  }
  std::unique_ptr<const target::TilingTools> tiling_tools() const override {
    return make_tiling_tools(work_.convolution, work_.machine, work_.level, solution_);
  }

 private:
  int programs() const { return work_.no_program.empty() ? 1 : 0; }
  bool is_program(int program) const { return program == 1 && programs() == 1; }
  bool is_dram(int program) const { return work_.level == CostLevel::walk && program == 1 + programs(); }

  std::optional<Program> program() const {
    if (!work_.no_program.empty()) return std::nullopt;
    return generate_for_seeded_data(work_.name, work_.convolution, work_.computing, work_.machine, work_.level,
                                    work_.tiling)
        .program;
  }
  std::optional<Program> program_at(int index) const { return is_program(index) ? program() : std::nullopt; }

  LayerWork work_;
  std::shared_ptr<const Solution> solution_;
  Metrics metrics_;
  artifact::LastBatch batch_;
};

}  // namespace

std::shared_ptr<const CompiledLayer> make_mapped(const std::string& name, const Convolution& convolution,
                                                 const Computing& computing, const Machine& machine, CostLevel level,
                                                 std::shared_ptr<const Solution> solution,
                                                 const std::string& operation) {
  return std::make_shared<const MappedLayer>(name, convolution, computing, machine, level, std::move(solution),
                                             operation);
}

std::shared_ptr<const CompiledLayer> make_unmapped(const network::Layer& layer, const std::string& reason) {
  return std::make_shared<const UnmappedLayer>(reason, unmapped_metrics(layer), [reason] {
    artifact::Explanation explanation;
    explanation.summary = reason;
    return std::make_shared<const artifact::Explanation>(std::move(explanation));
  });
}

std::shared_ptr<const CompiledLayer> make_unmapped(const network::Layer& layer, const Convolution& convolution,
                                                   const Machine& machine, const std::string& reason) {
  return std::make_shared<const UnmappedLayer>(reason, unmapped_metrics(layer), [convolution, machine, reason] {
    return explain_refusal(convolution, machine, reason);
  });
}

}  // namespace convscope::nmp
