#include "core/nve/draft_tools.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nve/architecture/assembly.h"
#include "core/nve/artifacts/figures.h"
#include "core/nve/artifacts/program_view.h"
#include "core/nve/check_program.h"
#include "core/nve/passes/bind_program.h"
#include "core/nve/simulation_result.h"
#include "core/nve/verify/verify_program.h"
#include "core/schedule/draft/draft_rules.h"
#include "core/schedule/verify/verify.h"

namespace convscope::nve {
namespace {

constexpr std::size_t most_told = 20;  // broken rules

artifact::NamedQuantity figure_of(const char* key, double value) {
  return artifact::described(figure_descriptions(), key, value, Origin::derived);
}

// Labels, each with its number behind it where several operations have the same.
void name_operations(schedule::Problem& problem, const Loop& loop, const MapGroup& group) {
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < problem.operations.size(); ++i) {
    const std::string label = operation_label(loop.operations[i], group);
    const int count = ++seen[label];
    problem.operations[i].name = count == 1 ? label : fmt::format("{} #{}", label, count);
  }
}

class NveDraftTools : public target::DraftTools {
 public:
  NveDraftTools(std::shared_ptr<const schedule::DraftProblem> problem, LayerProgram program, network::Layer layer,
                const Machine& machine, bool peeling, std::string name, MakeLayer make_layer)
      : problem_(std::move(problem)),
        program_(std::move(program)),
        layer_(std::move(layer)),
        machine_(machine),
        peeling_(peeling),
        name_(std::move(name)),
        make_layer_(std::move(make_layer)) {
    const IssueFields fields(machine);
    resources_ = fields.names();
    for (const LoopOperation& operation : loop().operations)
      operations_.push_back({operation_key(operation, program_.group), operation_label(operation, program_.group),
                             operation_class(operation.kind), fields.index(operation.field)});
  }

  std::shared_ptr<const schedule::DraftProblem> problem() const override { return problem_; }
  const std::vector<std::string>& resources() const override { return resources_; }
  const std::vector<target::DraftOperation>& operations() const override { return operations_; }
  schedule::Draft automatic() const override { return {problem_, {loop().cycles, loop().initiation_interval}}; }

  std::vector<artifact::NamedQuantity> steady_figures(const schedule::Draft& draft) const override {
    const auto macs = std::count_if(loop().operations.begin(), loop().operations.end(),
                                    [](const LoopOperation& each) { return each.kind == LoopOperationKind::mac; });
    const Program& emitted = program_.scheduled->emitted.program;
    const auto lanes = static_cast<double>(emitted.rows_per_strip());
    return {
        figure_of("mac_per_instruction", static_cast<double>(macs) * lanes / static_cast<double>(draft.interval()))};
  }

  const std::vector<artifact::FigureDescription>& figures() const override { return figure_descriptions(); }

  target::FinishedDraft finish(const schedule::Draft& draft, const target::OptionValues& options,
                               const std::stop_token& stop, Diagnostics& diagnostics) const override {
    target::FinishedDraft result;
    const auto bound = bound_program(draft, stop, diagnostics);
    if (!bound) return result;
    result.verified = true;
    result.program = write_program_file(*bound), result.assembly = print_assembly(*bound);
    result.simulation =
        program_result(check_programs({*bound}, layer_of(*bound), simulation_input(options), stop, diagnostics));
    result.figures = figures_of(*bound);
    return result;
  }

  std::optional<std::string> program_file(const schedule::Draft& draft, const std::stop_token& stop,
                                          Diagnostics& diagnostics) const override {
    const auto bound = bound_program(draft, stop, diagnostics);
    if (!bound) return std::nullopt;
    return write_program_file(*bound);
  }

  std::shared_ptr<const target::CompiledLayer> layer_with(const schedule::Draft& draft, const std::stop_token& stop,
                                                          Diagnostics& diagnostics) const override {
    if (!make_layer_) return DraftTools::layer_with(draft, stop, diagnostics);
    auto made = structure_program(draft, stop, diagnostics);
    if (!made || !verify_program(bound(*made), diagnostics)) return nullptr;
    return make_layer_({std::make_shared<const StructureProgram>(*std::move(made)), "made by hand"});
  }

 private:
  const Loop& loop() const { return program_.scheduled->loop; }

  std::optional<Program> bound_program(const schedule::Draft& draft, const std::stop_token& stop,
                                       Diagnostics& diagnostics) const {
    const auto made = structure_program(draft, stop, diagnostics);
    if (!made) return std::nullopt;
    Program program = bound(*made);
    if (!verify_program(program, diagnostics)) return std::nullopt;
    return program;
  }

  Program bound(const StructureProgram& made) const {
    return bind_program(made, program_.group, frame_of(layer_), name_, machine_);
  }

  std::optional<StructureProgram> structure_program(const schedule::Draft& draft, const std::stop_token& stop,
                                                    Diagnostics& diagnostics) const {
    if (!holds(draft, diagnostics)) return std::nullopt;
    StructureProgram made = make_program(loop(), draft.schedule, program_.group.structure, program_.window,
                                         program_.scheduled->packing, peeling_, machine_);
    throw_if_stopped(stop);
    if (!made.reason.empty()) {
      diagnostics.error({{}, 0, fmt::format("program '{}'", name_)}, made.reason);
      return std::nullopt;
    }
    return made;
  }

  // The verifier knows nothing of drafts, and has the last word.
  bool holds(const schedule::Draft& draft, Diagnostics& diagnostics) const {
    const Location where{{}, 0, fmt::format("program '{}'", name_)};
    const auto missing = std::count(draft.schedule.cycles.begin(), draft.schedule.cycles.end(), schedule::unplaced);
    if (draft.problem->hash() != problem_->hash()) {
      diagnostics.error(where, "the draft is one of another problem", "the same layer, level and machine");
    } else if (missing > 0) {
      diagnostics.error(where, fmt::format("{} of {} operations have no cycle yet", missing, problem_->operations()));
    } else if (const auto broken = schedule::violations(draft); !broken.empty()) {
      for (std::size_t i = 0; i < broken.size() && i < most_told; ++i)
        diagnostics.error(where, schedule::violation_text(draft, broken[i]));
    } else if (const auto others = schedule::verify(problem_->problem(), draft.schedule); !others.empty()) {
      diagnostics.error(where, others.front().text);
    } else {
      return fits(draft, where, diagnostics);
    }
    return false;
  }

  // Every cycle of an iteration is an instruction at least once; longer ones would be emitted for nothing.
  bool fits(const schedule::Draft& draft, const Location& where, Diagnostics& diagnostics) const {
    const std::int64_t least = std::max(schedule::figures(draft).length, draft.interval());
    if (least <= machine_.instruction_buffer_words) return true;
    diagnostics.error(where, fmt::format("needs at least {} of {} words of the instruction buffer", least,
                                         machine_.instruction_buffer_words));
    return false;
  }

  static std::vector<artifact::NamedQuantity> figures_of(const Program& bound) {
    const std::int64_t cycles = bound.cycles_per_strip();
    const auto each = static_cast<double>(bound.macs_per_strip());
    return {figure_of("mac_per_instruction", each / static_cast<double>(cycles)),
            figure_of("initiation_interval", bound.repeat_size),
            figure_of("stored_instructions", static_cast<double>(bound.words.size())),
            figure_of("instructions", static_cast<double>(cycles * bound.strips()))};
  }

  std::shared_ptr<const schedule::DraftProblem> problem_;
  LayerProgram program_;
  network::Layer layer_;
  Machine machine_;
  bool peeling_;
  std::string name_;
  MakeLayer make_layer_;  ///< may be empty
  std::vector<std::string> resources_;
  std::vector<target::DraftOperation> operations_;
};

}  // namespace

std::shared_ptr<const target::DraftTools> make_draft_tools(const LayerProgram& program, const network::Layer& layer,
                                                           const Machine& machine, bool peeling,
                                                           const std::string& name, MakeLayer make_layer) {
  if (program.scheduled->looped()) return nullptr;  // head and pass must begin alike, which no draft would keep
  schedule::Problem problem = program.scheduled->loop.problem;
  name_operations(problem, program.scheduled->loop, program.group);
  auto prepared = schedule::DraftProblem::make(std::move(problem));
  auto* usable = std::get_if<std::shared_ptr<const schedule::DraftProblem>>(&prepared);
  if (usable == nullptr) return nullptr;
  return std::make_shared<NveDraftTools>(std::move(*usable), program, layer, machine, peeling, name,
                                         std::move(make_layer));
}

}  // namespace convscope::nve
