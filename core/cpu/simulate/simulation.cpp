#include "core/cpu/simulate/simulation.h"

#include <fmt/format.h>

#include "core/cpu/generate/generate.h"
#include "core/cpu/run/compared.h"
#include "core/cpu/run/measure.h"
#include "core/cpu/run/packing.h"
#include "core/cpu/simulate/emulate.h"
#include "core/cpu/simulate/throughput.h"
#include "core/cpu/syntax/interpreter.h"

namespace convscope::cpu {
namespace {

using artifact::NamedQuantity;
using target::OptionKind;
using target::SimulationResult;

/// Interpreting takes some statements a multiply-add: more than this would take minutes.
constexpr std::int64_t most_interpreted = std::int64_t{1} << 24;

struct Ran {
  std::string how;
  Outcome outcome;
};

Outcome run_here(const GeneratedProgram& program, const Problem& problem, std::uint64_t seed,
                 const std::stop_token& stop) {
  Diagnostics diagnostics;
  RunOptions options;
  options.only_check = true;
  options.seed = seed;
  const auto laboratory = Laboratory::open(problem, find_availability(), options, stop, diagnostics);
  return laboratory ? laboratory->measure(program.text, stop) : failed(Ending::unavailable, diagnostics.text());
}

Outcome interpret_tree(const GeneratedProgram& program, const TestData& data) {
  const Problem& problem = data.problem();
  const Generated& text = program.text;
  if (valid_macs(problem) > most_interpreted)
    return failed(Ending::unavailable, "too large to be interpreted without a compiler");
  if (!text.image.storage.complete() || !text.kernel.storage.complete() || !text.output.storage.complete())
    return failed(Ending::unavailable, "numbers that are stored in parts are not interpreted");
  std::vector<float> image(static_cast<std::size_t>(elements(text.image, problem.image())));
  std::vector<float> kernel(static_cast<std::size_t>(elements(text.kernel, text.kernel_extents(problem))));
  pack(data.image(), text.image, problem.image(), image.data());
  pack_kernel(data.kernel(), text.transform, text.kernel, problem, kernel.data());
  Diagnostics diagnostics;
  const auto output =
      interpret(program.stages[program.last_unlowered].tree, image, kernel, diagnostics, 64 * most_interpreted);
  if (!output) return failed(Ending::crash, diagnostics.text());
  std::vector<float> plain(static_cast<std::size_t>(elements(Layout{"HWM"}, problem.output())));
  unpack(output->data(), text.output, problem.output(), plain.data());
  return compared(data, plain.data(), text.transform.error_growth);
}

/// As it was asked for, or in the first way that there is.
Ran run(const GeneratedProgram& program, const Problem& problem, const std::string& way, std::uint64_t seed,
        const std::stop_token& stop) {
  const Family family = program.text.family;
  if (way == "here" || (way == "any" && runs_here(family) && find_availability().available()))
    return {"here", run_here(program, problem, seed, stop)};
  Diagnostics diagnostics;
  const auto data = TestData::make(problem, seed, stop, diagnostics);
  if (!data) return {way, failed(Ending::unavailable, diagnostics.text())};
  const CrossTools tools = find_cross_tools(family);
  const bool arm = family == Family::neon32 || family == Family::neon64;
  if (way == "emulated" && !arm) return {way, failed(Ending::unavailable, "only programs for ARM are emulated")};
  if (way == "emulated" || (way == "any" && arm && tools.missing.empty()))
    return {"emulated", emulate(program.text, *data, tools, stop)};
  Ran interpreted{"interpreted", interpret_tree(program, *data)};
  if (way == "any" && arm && interpreted.outcome.ending == Ending::unavailable)
    interpreted.outcome.message += "; emulating it takes " + tools.missing;
  return interpreted;
}

NamedQuantity counted(const char* key, double value, const char* unit, Origin origin) {
  return {key, {value, unit, origin}, {}};
}

void add_throughput(SimulationResult& result, const GeneratedProgram& program, const std::string& wanted,
                    const std::stop_token& stop, Diagnostics& diagnostics) {
  const Family family = program.text.family;
  const std::string processor = wanted.empty() ? std::string(usual_processor(family)) : wanted;
  std::string reason;
  const auto found = throughput(program.text, find_cross_tools(family), processor, stop, reason);
  if (!found) return diagnostics.note({}, "no operations a cycle: " + reason);
  result.counted.push_back({"processor", {0, "", Origin::estimate}, processor});
  result.counted.push_back(counted("loop_operations", found->loop.operations, "", Origin::derived));
  result.counted.push_back(counted("loop_instructions", found->loop.instructions, "", Origin::derived));
  result.counted.push_back(counted("loop_cycles", found->cycles, "cycles", Origin::estimate));
  result.counted.push_back(counted("operations_per_cycle", found->operations_per_cycle(), "", Origin::estimate));
}

/// "56x56x64 -> 64, 3x3: emulated, largest error 3.1e-06 of 1.2e-05 allowed; 6.8 operations a cycle on cortex-a57".
std::string summary_of(const Problem& problem, const SimulationResult& result) {
  const auto value = [&](std::string_view key) -> const NamedQuantity* {
    for (const NamedQuantity& each : result.counted)
      if (each.key == key) return &each;
    return nullptr;
  };
  std::string words = fmt::format("{}: {}, largest error {:.2g} of {:.2g} allowed", text(problem), value("run")->text,
                                  value("largest_error")->quantity.value, value("error_bound")->quantity.value);
  if (const NamedQuantity* rate = value("operations_per_cycle"))
    words +=
        fmt::format("; innermost loop {:.3g} operations a cycle on {}", rate->quantity.value, value("processor")->text);
  return words;
}

}  // namespace

CpuSimulationTools::CpuSimulationTools()
    : options_{{.name = "data-seed",
                .label = "Seed of the data",
                .help = "Seed of the generated image, and of weights and biases where the network has none",
                .kind = OptionKind::integer,
                .initial = "1"},
               {.name = "run",
                .label = "Run",
                .help = "here: compiled for this processor; emulated: cross-compiled for ARM and run by QEMU; "
                        "interpreted: its syntax tree, without a compiler; any: the first that can be",
                .kind = OptionKind::choice,
                .initial = "any",
                .choices = {"any", "here", "emulated", "interpreted"}},
               {.name = "processor",
                .label = "Processor",
                .help = "Whose pipelines llvm-mca models for the innermost loop, by LLVM's name (cortex-a57, haswell); "
                        "empty: a usual one of the family",
                .initial = ""}},
      counted_{{.key = "run", .label = "how it was run"},
               {.key = "largest_error", .label = "largest error"},
               {.key = "error_bound", .label = "allowed"},
               {.key = "processor", .label = "processor of the model"},
               {.key = "loop_operations", .label = "operations of the innermost loop"},
               {.key = "loop_instructions", .label = "instructions of it"},
               {.key = "loop_cycles", .label = "cycles of it"},
               {.key = "operations_per_cycle", .label = "operations a cycle"}} {}

SimulationResult simulate(const ChosenProgram& program, const target::OptionValues& options,
                          const std::stop_token& stop, Diagnostics& diagnostics) {
  SimulationResult result;
  const auto generated = generate(program.problem, program.path, diagnostics);
  if (!generated) return result;
  const auto seed = static_cast<std::uint64_t>(options.integer("data-seed"));
  const Ran ran = run(*generated, program.problem, options.text("run"), seed, stop);
  if (ran.outcome.ending != Ending::ran && ran.outcome.ending != Ending::wrong_result) {
    diagnostics.error({}, fmt::format("{}: {}", key(ran.outcome.ending), ran.outcome.message));
    return result;
  }
  if (!ran.outcome.ran()) diagnostics.error({}, ran.outcome.message);
  result.ran = true;
  result.matches = ran.outcome.ran();
  result.counted = {{"run", {0, "", Origin::simulated}, ran.how},
                    counted("largest_error", ran.outcome.error, "", Origin::simulated),
                    counted("error_bound", ran.outcome.bound, "", Origin::derived)};
  add_throughput(result, *generated, options.text("processor"), stop, diagnostics);
  diagnostics.note({}, summary_of(program.problem, result));
  return result;
}

}  // namespace convscope::cpu
