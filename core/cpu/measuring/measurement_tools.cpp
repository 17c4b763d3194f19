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
#include "core/cpu/measuring/beside_peers.h"
#include "core/cpu/measuring/detection.h"
#include "core/cpu/measuring/hand_source.h"
#include "core/cpu/measuring/measurement_options.h"
#include "core/cpu/measuring/whole_network.h"
#include "core/cpu/rank/ranking.h"
#include "core/cpu/run/host.h"
#include "core/cpu/run/measure.h"
#include "core/cpu/search/compilers.h"
#include "core/cpu/search/real_workshop.h"
#include "core/cpu/stored/stored_peers.h"

namespace convscope::cpu {
namespace {

using artifact::Observation;

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
    availability_ = find_availability(options_.text("compiler"));
    if (!availability_.available()) return refuse(availability_.reason);
    compiler_ = availability_.toolchain->version;
    if (!read_accuracy()) return {};
    run_options_.sampling.threads = machine_.threads > 1;
    const std::string source = options_.text("source");
    run_options_.compile.with_libraries = !source.empty();
    laboratory_ = Laboratory::open(problem_, availability_, run_options_, stop_, diagnostics_);
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
    world.machine = static_cast<const CpuMachine&>(machine_);
    world.store = store_.get();
    SearchOptions search_options;
    search_options.algorithm = *find_algorithm(options_.text("search"));
    search_options.variants = static_cast<int>(options_.integer("variants"));
    search_options.seed = static_cast<std::uint64_t>(options_.integer("seed"));
    const Generated of_family{{}, machine_.family, {}, {}, {}, 0, machine_.threads > 1};
    world.identity = {host_.identity(), compiler_, flags_text(of_family, run_options_.compile),
                      std::string(key(search_options.algorithm)) + asked_for(), search_options.seed};
    world.variant_run = world.final_run = run_options_;
    world.variant_run.sampling.other_bytes = bytes_of_caches(host_);
    world.final_run.sampling.samples = final_samples;
    world.final_run.sampling.seconds = final_seconds;
    world.diagnostics = &diagnostics_;
    const SearchResult result = search(real_workshop(world), search_options, {}, stop_);
    tell(result);
    if (result.stopped) throw Cancelled();
    const Tried* found = best(result);
    if (found == nullptr) return refuse("none of the variants ran: " + usual_failure(result));
    const auto compiled = by_all_compilers(best_paths(result, paths_by_all_compilers), world);
    const Path& path = compiled ? compiled->path : found->path;
    diagnostics_.note({{}, 0, layer_.name}, "path: " + json(path));
    const Outcome& outcome = compiled ? compiled->outcome : found->outcome;
    std::vector<Observation> observations = observed(outcome);
    add_estimate(observations, path, outcome);
    if (compiled) beside_others(compiled->program, world.final_run, record_of(*compiled), observations);
    return observations;
  }

  /// The best paths by each compiler that is there, or the one that was named; the fastest is kept.
  std::optional<CompiledBest> by_all_compilers(const std::vector<Path>& paths, const RealWorld& world) {
    const bool named = !options_.text("compiler").empty();
    const auto choices =
        named ? std::vector<CompilerChoice>{{*availability_.toolchain, run_options_.compile.optimization}}
              : compiler_choices();
    auto best = best_of_compilers(*laboratory_, paths, choices, world.final_run, stop_);
    if (!best || named) return best;
    Record record = record_of(*best);
    record.outcome = best->outcome;
    record.algorithm = "compilers";
    record.seed = world.identity.seed;
    store_->add(record, diagnostics_);
    return best;
  }

  Record record_of(const CompiledBest& best) const {
    Record record = record_of(best.source_hash);
    record.path = best.path;
    record.temporary_bytes = best.temporary_bytes;
    return record;
  }
  Record record_of(std::uint64_t source_hash) const {
    Record record;
    record.problem = problem_;
    record.source_hash = source_hash;
    record.host = host_.identity();
    return record;
  }

  /// Other people's convolutions in turn with it, kept where the path of `ours` is known.
  void beside_others(const Runnable& program, const RunOptions& options, const Record& ours,
                     std::vector<Observation>& observations) {
    if (options_.text("peers") == "off") return;
    const RunAnswer answer = run_beside_peers(*laboratory_, program, options, stop_);
    const Outcome& own = answer.programs.front();
    if (!answer.complete) return diagnostics_.note({{}, 0, layer_.name}, "nothing beside it: " + own.message);
    if (!ours.path.choices.empty()) keep_peers(*store_, ours, answer, diagnostics_);
    const double operations = operations_per_mac * static_cast<double>(valid_macs(problem_));
    if (own.sustained > 0 && machine_.threads == 1)
      observations.push_back(observation("sustained", "of what multiply-adds alone keep up for as long",
                                         {operations / own.minimum / own.sustained, "", Origin::measured}, own));
    for (const PeerOutcome& peer : answer.peers) add_peer(peer, observations);
  }

  void add_peer(const PeerOutcome& peer, std::vector<Observation>& observations) const {
    if (!peer.outcome.ran()) return;
    Outcome outcome = peer.outcome;
    outcome.compiler = peer.name;
    outcome.flags = peer.implementation;
    observations.push_back(
        observation("peer_seconds", peer.name, {seconds_of(outcome), "s", Origin::measured}, outcome));
    observations.push_back(observation("peer_ratio", peer.name + ", its time / ours in turn with it",
                                       {outcome.ratio, "", Origin::measured}, outcome));
  }

  std::vector<Observation> by_hand(const std::string& file) {
    const auto source = read_hand_source(file, machine_.family, diagnostics_);
    if (!source) return {};
    Record record = record_of(hash64(source->source));
    record.algorithm = "by hand";
    Outcome& outcome = record.outcome;
    const auto runnable = laboratory_->compile(*source, stop_, outcome);
    if (runnable) outcome = laboratory_->run(*runnable, stop_);
    store_->add(record, diagnostics_);
    if (!outcome.ran()) return refuse(fmt::format("{}: {}: {}", file, key(outcome.ending), outcome.message));
    std::vector<Observation> observations = observed(outcome);
    beside_others(*runnable, run_options_, record_of(record.source_hash), observations);
    return observations;
  }

  /// What became of the variants, in one line.
  void tell(const SearchResult& result) {
    std::string counts;
    for (const auto& [ending, count] : endings(result))
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, key(ending));
    if (fastest(result.variants, result.variants.size()).size() * 2 < result.variants.size())
      counts += "; mostly: " + usual_failure(result);
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

  static constexpr int final_samples = 60;
  static constexpr double final_seconds = 0.8;

  const network::Layer& layer_;
  const Machine machine_;
  const target::OptionValues& options_;
  const std::stop_token& stop_;
  Diagnostics& diagnostics_;
  const Host host_ = this_host();
  Problem problem_;
  RunOptions run_options_;
  Availability availability_;
  std::string compiler_;
  std::unique_ptr<Laboratory> laboratory_;
  std::unique_ptr<Store> store_;
};

}  // namespace

CpuMeasurementTools::CpuMeasurementTools() : options_(measurement_options()) {}

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
