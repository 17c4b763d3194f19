#include "core/cpu/generate/generate.h"

#include <fmt/format.h>

#include "core/cpu/generate/lowering.h"
#include "core/cpu/generate/stages.h"
#include "core/cpu/generate/text.h"
#include "core/cpu/syntax/rewrite.h"
#include "core/cpu/tree/tree.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

constexpr int most_rounds = 16;  ///< of lowering; statements take three

std::vector<Stage> manipulate(const Plan& plan) {
  std::vector<Stage> stages{{"nest", plan.winograd() ? build_winograd(plan) : build_nest(plan)}};
  const auto add = [&](const char* name, SyntaxTree tree) { stages.push_back({name, std::move(tree)}); };
  const auto last = [&]() -> const SyntaxTree& { return stages.back().tree; };
  const bool tests = !plan.winograd() && (plan.padding == Padding::tests || plan.padding == Padding::peeled);
  if (tests) add("conditions", insert_conditions(last(), plan.padding == Padding::peeled));
  if (tests && plan.padding == Padding::peeled) add("peel", peel(last()));
  if (plan.winograd()) add("peel", peel(last(), "HW"));
  add("unroll", unroll(last()));
  add("pointers", hoist_pointers(last()));
  if (plan.prefetch > 0) add("prefetch", prefetch(last(), plan.prefetch));
  if (plan.prefetches_next) add("prefetch", prefetch_next(last()));
  if (plan.streaming) add("streaming", stream(last()));
  add("functions", make_functions(last()));
  stages.back().tree.root = numbered(last().root);
  return stages;
}

void lower(Family family, std::vector<Stage>& stages) {
  for (int round = 1; round <= most_rounds; ++round) {
    SyntaxTree lowered = lower_once(stages.back().tree, family);
    if (lowered.root == stages.back().tree.root) return;
    stages.push_back({fmt::format("lowered {}", round), std::move(lowered)});
  }
}

std::int64_t temporary_bytes(const SyntaxTree& tree) {
  std::int64_t bytes = 0;
  for (const Tensor& tensor : tree.tensors)
    if (tensor.buffer) bytes += cpu::bytes(tensor.layout, tensor.extents) * tensor.threads;
  return bytes;
}

}  // namespace

std::optional<GeneratedProgram> generate(const Problem& problem, const Path& path, Diagnostics& diagnostics) {
  if (!check(problem, any_machine(problem), path, diagnostics)) return std::nullopt;
  const Plan plan = decode(problem, path);
  GeneratedProgram program;
  program.stages = manipulate(plan);
  program.last_unlowered = program.stages.size() - 1;
  lower(plan.family->family, program.stages);
  SourceText source = write_source(program.stages.back().tree, plan.family->family, text(problem) + "\n" + json(path));
  program.links = std::move(source.links);
  program.text = {std::move(source.text), plan.family->family,   plan.image,
                  plan.weights,           plan.output,           temporary_bytes(program.stages.back().tree),
                  plan.threads > 1,       kernel_transform(plan)};
  return program;
}

}  // namespace convscope::cpu
