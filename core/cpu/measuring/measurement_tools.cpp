#include "core/cpu/measuring/measurement_tools.h"

#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/key.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/cpu/architecture/machine.h"
#include "core/cpu/architecture/units.h"
#include "core/cpu/layers/layer_problem.h"
#include "core/cpu/measuring/detection.h"
#include "core/cpu/measuring/hand_source.h"
#include "core/cpu/measuring/whole_network.h"
#include "core/cpu/rank/ranking.h"
#include "core/cpu/run/host.h"
#include "core/cpu/run/measure.h"
#include "core/cpu/search/compilers.h"
#include "core/cpu/search/real_workshop.h"

namespace convscope::cpu {
namespace {

using artifact::Observation;
using target::OptionKind;

constexpr double calibration_seconds = 2;

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()));
}

/// One measurement of one layer.
class Measurement {
 public:
  Measurement(const network::Layer& layer, Machine machine, const target::OptionValues& options,
              const std::stop_token& stop, Diagnostics& diagnostics)
      : layer_(layer), machine_(machine), options_(options), stop_(stop), diagnostics_(diagnostics) {}

  std::vector<Observation> run() {
    std::string reason;
    const auto problem = problem_of(layer_, machine_, reason);
    if (!problem) return refuse(reason);
    if (!runs_here(machine_.family))
      return refuse(fmt::format("this processor has no {}", traits(machine_.family).key),
                    "`--set family=` another one, or `--preset` one of this kind of machine");
    problem_ = *problem;
    const Availability availability = find_availability(options_.text("compiler"));
    if (!availability.available()) return refuse(availability.reason);
    compiler_ = availability.toolchain->version;
    if (!read_accuracy()) return {};
    run_options_.sampling.threads = machine_.threads > 1;
    const std::string source = options_.text("source");
    run_options_.compile.with_libraries = !source.empty();
    laboratory_ = Laboratory::open(problem_, availability, run_options_, stop_, diagnostics_);
    if (!laboratory_ || !open_store()) return {};
    return source.empty() ? by_search() : by_hand(source);
  }

 private:
  std::vector<Observation> refuse(const std::string& why, const std::string& hint = {}) {
    diagnostics_.error({{}, 0, layer_.name}, "not measured: " + why, {}, hint);
    return {};
  }

  bool read_accuracy() {
    run_options_.accuracy.metric = *find_error_metric(options_.text("error-metric"));
    const std::string& text = options_.text("error");
    if (text.empty()) return true;
    const auto bound = parse_number(text);
    if (!bound || !(*bound > 0) || *bound > 1) {
      diagnostics_.error({{}, 0, "--error"}, in_quotes(text) + " is no error", "a number above 0 and up to 1: 1e-5");
      return false;
    }
    run_options_.accuracy.bound = *bound;
    return true;
  }

  /// A search that asks for something else is another search.
  std::string asked_for() const {
    const Accuracy& accuracy = run_options_.accuracy;
    std::string text;
    if (accuracy.bound > 0) text = ", " + cpu::text(accuracy);
    if (options_.integer("scratch") > 0) text += fmt::format(", scratch up to {}", options_.integer("scratch"));
    return text;
  }

  bool open_store() {
    const std::string& path = options_.text("store");
    store_ = Store::open(path.empty() ? Store::usual_path() : path, diagnostics_);
    return store_ != nullptr;
  }

  std::vector<Observation> by_search() {
    RealWorld world;
    world.laboratory = laboratory_.get();
    world.tree = tree_machine(machine_, machine_.l2.bytes);
    if (run_options_.accuracy.bound > 0) world.tree.accuracy = run_options_.accuracy;
    if (options_.integer("scratch") > 0) world.tree.temporary_bytes = options_.integer("scratch");
    world.weights = drawing_weights();
    world.machine = machine_;
    world.store = store_.get();
    SearchOptions search_options;
    search_options.algorithm = *find_algorithm(options_.text("search"));
    search_options.variants = static_cast<int>(options_.integer("variants"));
    search_options.seed = static_cast<std::uint64_t>(options_.integer("seed"));
    const Generated of_family{{}, machine_.family, {}, {}, {}, 0, machine_.threads > 1};
    world.identity = {host_.identity(), compiler_, flags_text(of_family, run_options_.compile),
                      std::string(key(search_options.algorithm)) + asked_for(), search_options.seed};
    world.final_run = run_options_;
    world.final_run.sampling.samples = final_samples;
    world.final_run.sampling.seconds = final_seconds;
    world.diagnostics = &diagnostics_;
    const SearchResult result = search(real_workshop(world), search_options, {}, stop_);
    tell(result);
    if (result.stopped) throw Cancelled();
    const Tried* found = best(result);
    if (found == nullptr) return refuse("none of the variants ran");
    diagnostics_.note({{}, 0, layer_.name}, "path: " + json(found->path));
    const Outcome outcome = by_all_compilers(*found, world);
    std::vector<Observation> observations = observed(outcome);
    add_estimate(observations, found->path, outcome);
    return observations;
  }

  /// The best path by each compiler that is there, unless one was named; the fastest is kept.
  Outcome by_all_compilers(const Tried& found, const RealWorld& world) {
    if (!options_.text("compiler").empty()) return found.outcome;
    const auto best = best_of_compilers(*laboratory_, {found.path}, compiler_choices(), world.final_run, stop_);
    if (!best) return found.outcome;
    Record record;
    record.problem = problem_;
    record.path = best->path;
    record.source_hash = best->source_hash;
    record.host = host_.identity();
    record.outcome = best->outcome;
    record.algorithm = "compilers";
    record.seed = world.identity.seed;
    record.temporary_bytes = best->temporary_bytes;
    store_->add(record, diagnostics_);
    return best->outcome;
  }

  std::vector<Observation> by_hand(const std::string& file) {
    const auto source = read_hand_source(file, machine_.family, diagnostics_);
    if (!source) return {};
    const Outcome outcome = laboratory_->measure(*source, stop_);
    Record record;
    record.problem = problem_;
    record.source_hash = hash64(source->source);
    record.host = host_.identity();
    record.outcome = outcome;
    record.algorithm = "by hand";
    store_->add(record, diagnostics_);
    if (!outcome.ran()) return refuse(fmt::format("{}: {}: {}", file, key(outcome.ending), outcome.message));
    return observed(outcome);
  }

  /// What became of the variants, in one line.
  void tell(const SearchResult& result) {
    std::string counts;
    for (const auto& [ending, count] : endings(result))
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, key(ending));
    diagnostics_.note({{}, 0, layer_.name},
                      fmt::format("{} variants ({} known from before): {}", result.variants.size(), result.reused,
                                  counts.empty() ? "none" : counts));
  }

  Observation observation(std::string key, std::string label, Quantity value, const Outcome& outcome) const {
    // Quartiles lie about as far on both sides of the median; runs don't keep the third.
    const double spread =
        outcome.gated && outcome.median > 0 ? 2 * (outcome.median - outcome.first_quartile) / outcome.median : 0;
    return {std::move(key),
            std::move(label),
            std::move(value),
            outcome.samples,
            spread,
            host_.model,
            now(),
            outcome.compiler + ' ' + outcome.flags};
  }

  std::vector<Observation> observed(const Outcome& outcome) const {
    const double seconds = seconds_of(outcome);
    const double operations = operations_per_mac * static_cast<double>(valid_macs(problem_));
    std::vector<Observation> all{
        observation("seconds", outcome.gated ? "time" : "time (minimum: samples could not be told from disturbed ones)",
                    {seconds, "s", Origin::measured}, outcome),
        observation("gflops", "speed", {operations / seconds / giga, "GFLOP/s", Origin::measured}, outcome)};
    if (outcome.peak > 0)
      all.push_back(observation("utilization", "of the FMA peak in the same run",
                                {operations / seconds / (outcome.peak * machine_.threads), "", Origin::measured},
                                outcome));
    all.push_back(observation("error", "largest error", {outcome.error, "", Origin::measured}, outcome));
    all.push_back(observation("error_max", "largest error, of the outputs' root mean square",
                              {outcome.error_max, "", Origin::measured}, outcome));
    all.push_back(observation("error_l2", "error of all outputs, of their size",
                              {outcome.error_l2, "", Origin::measured}, outcome));
    return all;
  }

  void add_estimate(std::vector<Observation>& observations, const Path& path, const Outcome& outcome) const {
    Diagnostics ignored;
    if (const auto nest = describe(problem_, path, ignored))
      observations.push_back(
          observation("estimate", "estimate / measured",
                      {estimate(*nest, machine_).seconds / seconds_of(outcome), "", Origin::estimate}, outcome));
  }

  static double seconds_of(const Outcome& outcome) { return outcome.gated ? outcome.median : outcome.minimum; }

  static constexpr int final_samples = 60;
  static constexpr double final_seconds = 0.3;

  const network::Layer& layer_;
  const Machine machine_;
  const target::OptionValues& options_;
  const std::stop_token& stop_;
  Diagnostics& diagnostics_;
  const Host host_ = this_host();
  Problem problem_;
  RunOptions run_options_;
  std::string compiler_;
  std::unique_ptr<Laboratory> laboratory_;
  std::unique_ptr<Store> store_;
};

std::vector<std::string> algorithm_keys() {
  std::vector<std::string> keys;
  for (const Algorithm each : all_algorithms) keys.emplace_back(key(each));
  return keys;
}

}  // namespace

CpuMeasurementTools::CpuMeasurementTools()
    : options_{
          {.name = "search",
           .label = "Search",
           .help = "How variants are chosen",
           .kind = OptionKind::choice,
           .initial = std::string(key(Algorithm::guided)),
           .choices = algorithm_keys()},
          {.name = "variants",
           .label = "Variants",
           .help = "Programs that are compiled and measured for each layer",
           .kind = OptionKind::integer,
           .initial = "24",
           .minimum = 1,
           .maximum = 1'000'000},
          {.name = "seed",
           .label = "Seed",
           .help = "Of the search: the same seed takes the same way, and goes on where it was interrupted",
           .kind = OptionKind::integer,
           .initial = "1"},
          {.name = "store",
           .label = "Store",
           .help = "File that results are kept in, made if need be; empty: the user's own",
           .initial = ""},
          {.name = "source",
           .label = "Source",
           .help = "Measures this C++ file in a search's place; docs/cpu.md says what it defines",
           .initial = ""},
          {.name = "error",
           .label = "Largest error",
           .help = "That a program may have, as `error-metric` tells it: others are left out. Empty: 1e-5, or what "
                   "a plain sum may, of Winograd's; what a plain sum may, of others",
           .initial = ""},
          {.name = "error-metric",
           .label = "Error metric",
           .help = "max: the largest error over the root mean square of the outputs; l2: of all outputs together",
           .kind = OptionKind::choice,
           .initial = "max",
           .choices = {"max", "l2"}},
          {.name = "scratch",
           .label = "Temporary memory",
           .help = "Bytes that a program may take at most; 0: no limit",
           .kind = OptionKind::integer,
           .initial = "0"},
          {.name = "inputs",
           .label = "Inputs",
           .help = "Of a whole network: seeded inputs whose outputs are held against the network in floats",
           .kind = OptionKind::integer,
           .initial = "1",
           .minimum = 1,
           .maximum = 100'000},
          {.name = "compiler",
           .label = "Compiler",
           .help = "Name or path; empty: the first of g++, clang++, c++",
           .initial = ""}} {}

std::vector<Observation> CpuMeasurementTools::measure(const target::CompileRequest& request,
                                                      const target::OptionValues& options, const std::stop_token& stop,
                                                      Diagnostics& diagnostics) const {
  const network::Layer& layer = request.network->layers[static_cast<std::size_t>(request.layer)];
  return Measurement(layer, machine_from(*request.machine), options, stop, diagnostics).run();
}

std::optional<target::WholeMeasurement> CpuMeasurementTools::measure_whole(const target::NetworkRequest& request,
                                                                           const target::OptionValues& options,
                                                                           const std::stop_token& stop,
                                                                           Diagnostics& diagnostics) const {
  return measured_whole(*request.network, machine_from(*request.machine), options, stop, diagnostics);
}

std::optional<arch::Preset> CpuMeasurementTools::detect(const std::stop_token& stop, Diagnostics& diagnostics) const {
  const Host host = this_host();
  arch::Preset preset{"cpu-native", host.model,
                      parameter_values(machine_of(host, calibrate(host, calibration_seconds, stop)))};
  if (!preset.values.check(diagnostics)) return std::nullopt;
  return preset;
}

}  // namespace convscope::cpu
