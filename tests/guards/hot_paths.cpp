// hot_paths NAME: prepares one hot path and runs it once inside guarded_work(), for an instruction count that doesn't
// depend on the machine's mood. Single-threaded. check.sh counts, budgets.txt says how many are expected.

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "core/artifact/timeline.h"
#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "core/engine/engine.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/simulate/simulator.h"
#include "core/schedule/modulo_schedule.h"
#include "core/schedule/verify/verify.h"
#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/compile/network_plan.h"
#include "core/snowflake/simulate/simulator.h"
#include "core/snowflake/verify/verify_program.h"
#include "tests/core/schedule/random_problems.h"

/// Counting begins and ends here (callgrind's --toggle-collect), so the name is plain and never inlined.
extern "C" [[gnu::noinline]] void guarded_work(const std::function<void()>& work) {
  work();
}

namespace {

using namespace convscope;
using Work = std::function<void()>;

network::Network sample(const std::string& name) {
  Diagnostics diagnostics;
  return *catalogue::standard()->read_network(sample_path("networks/" + name + ".xml"), diagnostics);
}

/// A network's layers on a target's default machine with one parameter set.
struct Compilation {
  network::Network network;
  std::shared_ptr<const target::Target> target;
  std::string level;
  arch::ParameterValues machine;
  std::shared_ptr<target::PassCache> cache = engine::make_memory_cache();

  Compilation(const std::string& network_name, const std::string& target_id, std::string level_name)
      : network(sample(network_name)),
        target(catalogue::standard()->find_target(target_id)),
        level(std::move(level_name)),
        machine(target->machine()) {}

  void set(const std::string& parameter, const std::string& value) {
    Diagnostics diagnostics;
    if (!machine.set(parameter, value, diagnostics)) std::fprintf(stderr, "%s\n", diagnostics.text().c_str());
  }
  std::shared_ptr<const target::CompiledLayer> compile(int layer) const {
    return target->compile({&network, layer, &machine, level}, *cache, {});
  }
  void compile_all() const {
    for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer) compile(layer);
  }
};

Work compile_everything(const char* network, const char* target, const char* level) {
  const auto compilation = std::make_shared<Compilation>(network, target, level);
  return [compilation] { compilation->compile_all(); };
}

/// What a drag of a parameter costs that no schedule depends on.
Work compile_again(const char* network, const char* target, const char* level, const char* parameter,
                   const char* value) {
  const auto compilation = std::make_shared<Compilation>(network, target, level);
  compilation->compile_all();
  compilation->set(parameter, value);
  return [compilation] { compilation->compile_all(); };
}

/// A search with tiles at the borders as large as the others (`full-tiles`), as the paper has them, or only as they are
/// used.
Work search_tilings(const char* borders) {
  const auto compilation = std::make_shared<Compilation>("resnet50", "nmp", "burst");
  compilation->set("borders", borders);
  return [compilation] { compilation->compile_all(); };
}

Work search_again_after_bandwidth() {
  const auto compilation = std::make_shared<Compilation>("resnet50", "nmp", "burst");
  compilation->set("borders", "full-tiles");
  compilation->compile_all();
  compilation->set("bandwidth", "12");
  return [compilation] { compilation->compile_all(); };
}

/// The programs of SqueezeNet's layers on NMP, timed: nobody watches.
Work simulate_nmp() {
  const Compilation compilation("squeezenet_1_0", "nmp", "burst");
  auto programs = std::make_shared<std::vector<nmp::Program>>();
  Diagnostics diagnostics;
  for (int layer = 0; layer < static_cast<int>(compilation.network.layers.size()); ++layer) {
    const auto compiled = compilation.compile(layer);
    if (!compiled->mapped()) continue;
    auto program = nmp::read_program_file(compiled->program_file(1), "layer", diagnostics);
    if (program) programs->push_back(std::move(*program));
  }
  return [programs] {
    if (programs->empty()) std::fputs("no programs\n", stderr);
    for (const nmp::Program& program : *programs)
      if (nmp::simulate(program).refusal) std::fputs("a program is refused\n", stderr);
  };
}

Work simulate_strip() {
  const auto compilation = std::make_shared<Compilation>("speed_sign", "nve", "fusion");
  const auto layer = compilation->compile(1);
  return [layer, compilation] {
    Diagnostics diagnostics;
    target::OptionValues options(compilation->target->simulation_tools()->options());
    options.set("strips", "1", diagnostics);
    layer->simulate(options, {}, diagnostics);
  };
}

/// One frame's questions to a timeline of a million cycles on 16 resources.
Work ask_timeline() {
  using namespace artifact;
  constexpr int resources = 16, pixels = 1920;
  constexpr std::int64_t period = 200, repetitions = 5000;
  TimelineSection steady{"steady state", period, repetitions, 0, 0, {}};
  for (std::int64_t cycle = 0; cycle < period; ++cycle)
    for (int resource = 0; resource < resources; ++resource)
      if ((cycle + resource) % 4 != 0)
        steady.cells.push_back({resource, cycle, 1, 1, 0, OperationClass::multiply_accumulate, {}});
  const auto timeline = std::make_shared<Timeline>(std::vector<std::string>(resources, "unit"),
                                                   std::vector<TimelineSection>{std::move(steady)});
  return [timeline] {
    std::int64_t busy = 0;
    for (int resource = 0; resource < resources; ++resource)
      for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
        busy +=
            timeline->busy(resource, pixel * timeline->length() / pixels, (pixel + 1) * timeline->length() / pixels);
    if (busy == 0) std::fputs("nothing was busy\n", stderr);
  };
}

/// A body of 10,000 operations, registers held around the end of the iteration, scheduled at its bound and verified.
Work pipeline_body() {
  std::mt19937_64 random(5);
  const auto problem = std::make_shared<schedule::Problem>(
      schedule::test::random_problem(schedule::test::Family::streams, 10'000, random));
  return [problem] {
    schedule::Budget budget(20'000'000);
    const schedule::PipelineResult result = schedule::modulo_schedule(*problem, {}, budget);
    if (!result || !schedule::verify(*problem, result.pipelined().schedule).empty())
      std::fputs("no schedule\n", stderr);
  };
}

Work read_sample() {
  catalogue::standard();  // made once in a process
  return [] { sample("resnet50"); };
}

std::vector<snowflake::Choice> choices_of(const snowflake::ParsedNetwork& parsed, snowflake::CompileLevel level) {
  std::vector<snowflake::Choice> choices;
  for (const snowflake::ParsedLayer& layer : parsed.layers)
    choices.push_back(snowflake::choose(layer.layer, parsed.regions, snowflake::Machine{}, level));
  return choices;
}

std::shared_ptr<const snowflake::SnowflakePlan> snowflake_plan() {
  return snowflake::make_plan(sample("snowflake_alexnet_owt"), snowflake::Machine{});
}

/// AlexNet as one program.
std::shared_ptr<const snowflake::Program> snowflake_program() {
  const auto plan = snowflake_plan();
  const auto choices = choices_of(plan->parsed, snowflake::CompileLevel::paper);
  return std::make_shared<const snowflake::Program>(
      snowflake::compile_network("AlexNet", plan->parsed, choices, snowflake::Machine{}).program);
}

Work verify_snowflake() {
  return [program = snowflake_program()] {
    Diagnostics diagnostics;
    if (!snowflake::verify_program(*program, diagnostics).ok) std::fputs("AlexNet's program is refused\n", stderr);
  };
}

Work simulate_snowflake() {
  return [program = snowflake_program()] {
    if (snowflake::simulate(*program).refusal) std::fputs("AlexNet's program is refused\n", stderr);
  };
}

/// The search for the best mappings of the first layers, which simulates some and bounds the others.
Work search_snowflake() {
  constexpr std::size_t layers = 3;
  snowflake::ParsedNetwork parsed = snowflake_plan()->parsed;
  parsed.layers.resize(layers);
  return [parsed = std::move(parsed)] { choices_of(parsed, snowflake::CompileLevel::best); };
}

const std::map<std::string, std::function<Work()>>& hot_paths() {
  static const std::map<std::string, std::function<Work()>> paths{
      {"nve_compile", [] { return compile_everything("speed_sign", "nve", "fusion"); }},
      {"nve_compile_after_bandwidth", [] { return compile_again("speed_sign", "nve", "fusion", "bandwidth", "500"); }},
      {"nve_simulate_strip", simulate_strip},
      {"nmp_search_full_tiles", [] { return search_tilings("full-tiles"); }},
      {"nmp_search_exact_borders", [] { return search_tilings("exact"); }},
      {"nmp_search_after_bandwidth", search_again_after_bandwidth},
      {"nmp_simulate", simulate_nmp},
      {"snowflake_verify", verify_snowflake},
      {"snowflake_simulate", simulate_snowflake},
      {"snowflake_search_best", search_snowflake},
      {"timeline_frame", ask_timeline},
      {"read_resnet50", read_sample},
      {"pipeline_body", pipeline_body},
  };
  return paths;
}

}  // namespace

int main(int count, char** arguments) {
  const auto found = count == 2 ? hot_paths().find(arguments[1]) : hot_paths().end();
  if (found == hot_paths().end()) {
    std::fputs("usage: hot_paths NAME, one of:\n", stderr);
    for (const auto& [name, prepare] : hot_paths()) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  const Work work = found->second();
  guarded_work(work);
}
