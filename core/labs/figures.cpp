#include "core/labs/figures.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/compare_figures.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/engine/faults.h"
#include "core/labs/handed_in.h"

namespace convscope::labs {
namespace {

using Value = Figures::Value;

std::optional<Value> figure_value(const artifact::Metrics& metrics, const std::string& key, std::string& reason) {
  if (key == "verified") return metrics.verified ? 1.0 : 0.0;
  if (key == "bound" && !metrics.bound.kind.empty()) return metrics.bound.kind;
  if (const std::string_view text = metrics.text(key); !text.empty()) return std::string(text);
  if (const auto found = analysis::figure(metrics, key)) return found->value;
  if (const Quantity* found = metrics.find(key)) return found->value;
  reason = "there is no such figure here";
  return std::nullopt;
}

/// The first layer whose work is not mapped, with the reason; empty if there is none.
std::string unmapped(const engine::CompiledNetwork& compiled) {
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    const network::Layer& layer = compiled.network->layers[i];
    if (layer.multiplies() && !compiled.layers[i]->mapped())
      return fmt::format("layer '{}' is not mapped: {}", layer.name, compiled.layers[i]->reason());
  }
  return {};
}

std::optional<double> resource(const engine::CompiledNetwork& compiled, std::string_view key) {
  for (const artifact::NamedQuantity& each : compiled.target->resources(compiled.machine))
    if (each.key == key) return each.quantity.value;
  return std::nullopt;
}

std::optional<Value> parameter(const arch::ParameterValues& machine, std::string_view name) {
  const auto index = machine.description().find(name);
  if (!index) return std::nullopt;
  if (machine.description().parameters[*index].kind == arch::ParameterKind::choice) return machine.text(*index);
  return machine.at(*index);
}

}  // namespace

Figures::Figures(const OpenLab& lab, const Submission& submission, SubmittedMachine machine, std::string file,
                 Workshop workshop)
    : lab_(lab),
      submission_(submission),
      machine_(std::move(machine)),
      file_(std::move(file)),
      workshop_(std::move(workshop)) {}

Figures::~Figures() = default;

std::optional<Value> Figures::value(std::string_view name) {
  std::string reason;
  auto value = compute(figure_name(name), reason);
  reasons_[std::string(name)] = std::move(reason);
  return value;
}

std::string Figures::reason(std::string_view name) const {
  const auto found = reasons_.find(name);
  return found == reasons_.end() ? std::string() : found->second;
}

std::optional<Value> Figures::compute(const FigureName& name, std::string& reason) {
  if (name.whose == "program") return of_program(name, reason);
  if (name.whose == "tiling") return of_tiling(name, reason);
  if (name.whose.empty() && name.figure == "answer" && !name.subject.empty()) return of_answer(name.subject, reason);
  const engine::CompiledNetwork& compiled = name.whose == "start" ? at_start() : own();
  return name.subject.empty() ? of_network(compiled, name.figure, reason) : of_layer(compiled, name, reason);
}

// A figure of the network counts all of its work: leaving layers out must not make it better.
std::optional<Value> Figures::of_network(const engine::CompiledNetwork& compiled, const std::string& figure,
                                         std::string& reason) const {
  if (figure == "level") return compiled.level;
  if (figure == "coverage") return compiled.coverage.value_or(0);
  const std::string missing = unmapped(compiled);
  if (figure == "mapped") return missing.empty() ? 1.0 : 0.0;
  if (const auto value = parameter(compiled.machine, figure)) return value;
  if (const auto value = resource(compiled, figure)) return *value;
  reason = missing;
  if (!missing.empty()) return std::nullopt;
  return figure_value(compiled.total, figure, reason);
}

std::optional<Value> Figures::of_layer(const engine::CompiledNetwork& compiled, const FigureName& name,
                                       std::string& reason) const {
  const auto index = lab_.layer(name.subject);
  if (!index) return reason = "there is no such layer", std::nullopt;
  const target::CompiledLayer& layer = *compiled.layers[*index];
  if (name.figure == "mapped") return layer.mapped() ? 1.0 : 0.0;
  if (!layer.mapped()) return reason = "it is not mapped: " + layer.reason(), std::nullopt;
  return figure_value(layer.metrics(), name.figure, reason);
}

std::optional<Value> Figures::of_answer(const std::string& name, std::string& reason) const {
  const Answer* answer = submission_.answer(name);
  const Question* question = find_named(lab_.lab.questions, name);
  if (!answer || answer->text.empty() || !question)
    return reason = fmt::format("question '{}' is not answered", name), std::nullopt;
  if (!question->choices.empty()) {
    if (find_named(question->choices, answer->text)) return answer->text;
    return reason = fmt::format("{} is none of the choices of '{}'", in_quotes(answer->text), name), std::nullopt;
  }
  if (const auto number = parse_number(answer->text)) return *number;
  return reason = fmt::format("{} is no number: digits, with a point and without a unit", in_quotes(answer->text)),
         std::nullopt;
}

std::optional<Value> Figures::of_program(const FigureName& name, std::string& reason) {
  const Program& program = examined(name.subject);
  const target::Examination& examination = program.examination;
  reason = program.mistake;
  if (name.figure == "verified" && program.handed_in) return examination.verified ? 1.0 : 0.0;
  if (name.figure == "matches" && program.handed_in) return examination.matches ? 1.0 : 0.0;
  for (const artifact::NamedQuantity& each : examination.figures)
    if (each.key == name.figure && examination.matches) return each.quantity.value;
  if (reason.empty()) reason = "programs of this kind have no such figure";
  return std::nullopt;
}

std::optional<Value> Figures::of_tiling(const FigureName& name, std::string& reason) {
  const Tiling& tiling = tiled(name.subject);
  reason = tiling.mistake;
  if (name.figure == "fits" && tiling.handed_in) return tiling.alternative.fits ? 1.0 : 0.0;
  if (name.figure == "strategy" && tiling.handed_in) return tiling.alternative.strategy;
  if (!tiling.alternative.fits) return std::nullopt;
  return figure_value(tiling.alternative.metrics, name.figure, reason);
}

const engine::CompiledNetwork& Figures::own() {
  if (!own_) own_ = compile(machine_.values, machine_.level);
  return *own_;
}

const engine::CompiledNetwork& Figures::at_start() {
  if (!at_start_)
    at_start_ =
        machine_.values == lab_.start && machine_.level == lab_.level ? (own(), own_) : compile(lab_.start, lab_.level);
  return *at_start_;
}

Figures::Compiled Figures::compile(const arch::ParameterValues& machine, const std::string& level) const {
  const engine::Request request{lab_.network, lab_.target, machine, level, lab_.preset, 0, {}};
  auto compiled = std::make_shared<engine::CompiledNetwork>(
      engine::compile(request, workshop_.executor, workshop_.cache, workshop_.stop));
  if (const auto faults = engine::faults(*compiled); !faults.empty())
    throw std::runtime_error(target::fault_reason(faults.front().text()));
  return compiled;
}

}  // namespace convscope::labs
