// Searches programs for problems and compares the best ones with other people's convolutions, all of a problem in one
// run on one core.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

#include "bench/cpu/problems.h"
#include "bench/cpu/rows.h"
#include "bench/cpu/threads.h"
#include "core/cpu/run/host_machine.h"
#include "core/cpu/search/compilers.h"
#include "core/cpu/search/real_workshop.h"

namespace convscope::bench {
namespace {

using namespace cpu;

struct Settings {
  std::string list = "direct", problem, store = "bench-cpu.sqlite", algorithm = "guided", family = "avx512",
              methods = "all", microkernel, compiler, optimization = "-O2";
  int variants = 48, finals = 12, first = 0, count = 1000, threads = 1, against_random = 0;
  double seconds = 1.5;
  std::uint64_t seed = 1;
  double error = 0;
  bool search_alone = false, verbose = false;
};

struct Bench {
  Settings settings;
  Availability availability;
  Host host = this_host();
  Calibration calibration;
  std::unique_ptr<Store> store;
  Weights weights;
  std::vector<CompilerChoice> compilers;
};

std::string words_of(const Path& path) {
  std::string text;
  for (const Choice& choice : path.choices)
    if (choice.value != "none") text += fmt::format(" {}={}", choice.level, choice.value);
  return text;
}

RunOptions run_options(const Bench& bench) {
  RunOptions options;
  options.compile.optimization = bench.settings.optimization;
  options.accuracy.bound = bench.settings.error;
  return options;
}

RealWorld world_of(Bench& bench, const Laboratory& laboratory, Diagnostics& diagnostics) {
  RealWorld world;
  world.laboratory = &laboratory;
  const Family family = find_family(bench.settings.family)->family;
  world.tree = {{family}, bench.host.l2, laboratory.problem().threads};
  world.tree.methods = bench.settings.methods == "direct"     ? Methods::direct
                       : bench.settings.methods == "winograd" ? Methods::winograd
                                                              : Methods::all;
  if (bench.settings.error > 0) world.tree.accuracy.bound = bench.settings.error;
  world.weights = bench.weights;
  world.machine = machine_of(bench.host, bench.calibration, family);
  world.store = bench.store.get();
  Generated any;
  any.family = family;
  world.identity = {
      bench.host.identity(), bench.availability.toolchain->version, flags_text(any, run_options(bench).compile),
      bench.settings.algorithm + ", " + bench.settings.methods + bench.settings.microkernel, bench.settings.seed};
  world.variant_run = run_options(bench);
  world.variant_run.sampling.other_bytes = bytes_of_caches(bench.host);
  world.final_run.sampling = {31, bench.settings.seconds, false};
  world.diagnostics = &diagnostics;
  return world;
}

/// Of this process and all that it started: what a search takes on a machine of its own.
double cpu_seconds() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

SearchResult searched(const Workshop& workshop, const Settings& settings) {
  SearchOptions options;
  options.algorithm = find_algorithm(settings.algorithm).value_or(Algorithm::guided);
  options.variants = settings.variants;
  options.finals = settings.finals;
  options.seed = settings.seed;
  const auto told = [&](const SearchResult& so_far) {
    const Tried& last = so_far.variants.back();
    if (!settings.verbose && last.outcome.ran()) return;
    const double estimated = workshop.estimate(last.path).value_or(0);
    std::fprintf(stderr, "  %-13s %9.3f ms, estimated %9.3f:%s %s\n", std::string(key(last.outcome.ending)).c_str(),
                 1e3 * last.outcome.minimum, 1e3 * estimated, words_of(last.path).c_str(),
                 last.outcome.message.c_str());
  };
  return search(workshop, options, told, {});
}

/// The finals once more, in turn with the peers: tiles are chosen on one set of runs and reported on another.
Row compared(const Bench& bench, const Laboratory& laboratory, const std::vector<Path>& best) {
  RunOptions choosing = run_options(bench);
  choosing.sampling = {31, bench.settings.seconds, false};
  choosing.memory = std::uint64_t{4} << 30;
  const auto chosen = best_of_compilers(laboratory, best, bench.compilers, choosing, {});
  if (!chosen) return {};
  RunOptions options = run_options(bench);
  options.sampling = {31, 2 * bench.settings.seconds, false, true};
  options.memory = std::uint64_t{4} << 30;
  const RunAnswer answer = laboratory.run_with_peers({chosen->program}, find_peers(), options, {});
  if (!answer.complete) {
    std::printf("  %s\n", answer.programs.empty() ? "no answer" : answer.programs[0].message.c_str());
    return {};
  }
  const Outcome& ours = answer.programs[0];
  Row row;
  const double flop = 2.0 * static_cast<double>(valid_macs(laboratory.problem()));
  row.of_peak = flop / ours.minimum / ours.peak;
  row.of_sustained = flop / ours.minimum / ours.sustained;
  std::string peers;
  for (const PeerOutcome& peer : answer.peers) {
    double& ratio = peer.name == "oneDNN direct"     ? row.to_direct
                    : peer.name == "oneDNN Winograd" ? row.to_winograd
                                                     : row.to_im2col;
    ratio = ratio == 0 ? peer.outcome.ratio : std::min(ratio, peer.outcome.ratio);
    peers += fmt::format(" {:.3f} {} {:.1f}%", peer.outcome.ratio, peer.implementation,
                         100 * flop / peer.outcome.minimum / ours.peak);
  }
  std::printf(
      "%-40s %8.3f ms %6.1f GFLOP/s %5.1f%% of peak, %5.1f%% of what lasts (p25 %5.1f%%, %s, %d samples), error %.2g "
      "max, %.2g l2;%s; %s;%s\n",
      text(laboratory.problem()).c_str(), 1e3 * ours.minimum, 1e-9 * flop / ours.minimum, 100 * row.of_peak,
      100 * row.of_sustained, 100 * flop / ours.first_quartile / ours.peak, ours.gated ? "gated" : "minimum",
      ours.samples, ours.error_max, ours.error_l2, peers.c_str(),
      ours.compiler.substr(0, 3) == "g++" ? "g++" : "clang++", words_of(chosen->path).c_str());
  return row;
}

Row threaded(const Bench& bench, const Laboratory& several, const Path& path) {
  RunOptions options = run_options(bench);
  options.sampling = {31, bench.settings.seconds / 3, false};
  const ThreadGain found =
      thread_gain(several, bench.availability, path, find_family(bench.settings.family)->family, options);
  if (!found.message.empty()) return std::printf("  %s\n", found.message.c_str()), Row{};
  Row row;
  row.of_gain = found.gain() / found.possible;
  std::printf("%-40s %8.3f ms alone, %8.3f ms together: gain %.3f; multiply-adds alone gain %.3f; ratio %.3f;%s\n",
              text(several.problem()).c_str(), 1e3 * found.alone, 1e3 * found.together, found.gain(), found.possible,
              row.of_gain, words_of(path).c_str());
  return row;
}

/// The best of this search beside the best of a longer random one, both in one run.
Row against_random(const Bench& bench, const Laboratory& laboratory, const Workshop& workshop, const Tried& best,
                   int variants) {
  Settings settings = bench.settings;
  settings.algorithm = "random";
  settings.variants = variants;
  const SearchResult result = searched(workshop, settings);
  const Tried* other = cpu::best(result);
  if (other == nullptr) return {};
  const std::vector<Prepared> both = workshop.prepare({best.path, other->path}, {});
  if (both[0].failure || both[1].failure) return {};
  const std::vector<Outcome> outcomes = workshop.compare(both, Occasion::Kind::final, {});
  if (!outcomes[0].ran() || !outcomes[1].ran()) return {};
  Row row;
  row.to_random = outcomes[1].ratio;
  std::printf("%-40s %8.3f ms by %d %s, %8.3f ms by %d random: %.3f;%s\n", text(laboratory.problem()).c_str(),
              1e3 * outcomes[0].minimum, bench.settings.variants, bench.settings.algorithm.c_str(),
              1e3 * outcomes[1].minimum, variants, row.to_random, words_of(other->path).c_str());
  return row;
}

/// Leaves out all paths with another microkernel.
void restrict_to(const std::string& microkernel, Workshop& workshop) {
  workshop.tree.options = [all = workshop.tree.options, next = workshop.tree.next_level,
                           microkernel](const Path& path) {
    std::vector<Option> options = all(path);
    if (next(path) == "microkernel") std::erase_if(options, [&](const auto& one) { return one.value != microkernel; });
    return options;
  };
}

Row run(Bench& bench, const Problem& problem) {
  Diagnostics diagnostics;
  const auto laboratory = Laboratory::open(problem, bench.availability, run_options(bench), {}, diagnostics);
  if (!laboratory) return std::fputs(diagnostics.text().c_str(), stderr), Row{};
  Workshop workshop = real_workshop(world_of(bench, *laboratory, diagnostics));
  if (!bench.settings.microkernel.empty()) restrict_to(bench.settings.microkernel, workshop);
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_before = cpu_seconds();
  const SearchResult result = searched(workshop, bench.settings);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double cpu = cpu_seconds() - cpu_before;
  const Tried* found = best(result);
  const int fresh = static_cast<int>(result.variants.size()) - result.reused;
  std::fprintf(stderr, "%s: %zu variants, %d of them new, %.0f a minute, %.0f in a minute of CPU time\n",
               text(problem).c_str(), result.variants.size(), fresh, 60 * fresh / seconds, 60 * fresh / cpu);
  if (found == nullptr) return std::printf("%-40s nothing ran\n", text(problem).c_str()), Row{};
  if (bench.settings.search_alone) {
    std::printf("%-40s %9.4f ms %s\n", text(problem).c_str(), 1e3 * found->outcome.minimum,
                words_of(found->path).c_str());
    return {};
  }
  Row row;
  if (bench.settings.threads > 1)
    row = threaded(bench, *laboratory, found->path);
  else if (bench.settings.against_random > 0)
    row = against_random(bench, *laboratory, workshop, *found, bench.settings.against_random);
  else
    row = compared(bench, *laboratory, best_paths(result, paths_by_all_compilers));
  std::fflush(stdout);
  return row;
}

bool open(Bench& bench) {
  Diagnostics diagnostics;
  bench.availability = find_availability(bench.settings.compiler);
  bench.store = Store::open(bench.settings.store, diagnostics);
  const auto weights = standard_weights(diagnostics);
  if (!bench.availability.available()) std::fprintf(stderr, "%s\n", bench.availability.reason.c_str());
  if (!bench.store || !weights || !bench.availability.available()) {
    std::fputs(diagnostics.text().c_str(), stderr);
    return false;
  }
  bench.weights = *weights;
  bench.compilers = compiler_choices();
  if (!bench.settings.compiler.empty())
    bench.compilers = {{*bench.availability.toolchain, bench.settings.optimization}};
  const auto known = bench.store->calibration(bench.host.identity());
  bench.calibration = known ? *known : calibrate(bench.host, 2, {});
  if (!known) bench.store->add(bench.host, bench.calibration, diagnostics);
  const Calibration& c = bench.calibration;
  std::printf("%s: FMA %.0f, %.0f GFLOP/s at 256, 512 bit, %.2f GHz; L1 %.0f, L2 %.0f, L3 %.0f, DRAM %.0f GB/s\n",
              bench.host.identity().c_str(), 1e-9 * c.flops_256, 1e-9 * c.flops_512, 1e-9 * c.clock, 1e-9 * c.l1,
              1e-9 * c.l2, 1e-9 * c.l3, 1e-9 * c.dram);
  return true;
}

std::vector<Problem> wanted(const Settings& settings) {
  if (settings.problem.empty()) return problems(settings.list);
  Diagnostics diagnostics;
  const auto problem = parse_problem(settings.problem, diagnostics);
  if (!problem) std::fputs(diagnostics.text().c_str(), stderr);
  return problem ? std::vector{*problem} : std::vector<Problem>{};
}

Problem threaded_problem(Problem problem, int threads) {
  problem.threads = std::max(problem.threads, threads);
  return problem;
}

int run_all(const Settings& settings) {
  Bench bench;
  bench.settings = settings;
  if (find_family(settings.family) == nullptr || !open(bench)) return 1;
  const std::vector<Problem> all = wanted(settings);
  std::vector<Row> rows;
  for (int i = settings.first; i < settings.first + settings.count && i < static_cast<int>(all.size()); ++i)
    rows.push_back(run(bench, threaded_problem(all[static_cast<std::size_t>(i)], settings.threads)));
  if (!settings.search_alone) summarize(rows, {settings.threads > 1, settings.against_random > 0});
  return 0;
}

}  // namespace
}  // namespace convscope::bench

int main(int count, char** arguments) {
  convscope::bench::Settings settings;
  CLI::App program("Programs of the CPU target against oneDNN and OpenBLAS, in one run a problem");
  program.add_option("--list", settings.list, "direct, pointwise, strided or winograd");
  program.add_option("--problem", settings.problem, "One problem instead, e.g. '56x56x64 -> 64, 3x3'");
  program.add_option("--first", settings.first, "Index of the first problem of the list");
  program.add_option("--count", settings.count, "So many of them");
  program.add_option("--store", settings.store, "Measurements; searches go on from there");
  program.add_option("--search", settings.algorithm, "guided, narrowing, genetic, random or uniform");
  program.add_option("--variants", settings.variants, "Programs tried for a problem");
  program.add_option("--finals", settings.finals, "So many of the fastest are compared at the end");
  program.add_option("--seconds", settings.seconds, "Of that comparison");
  program.add_option("--seed", settings.seed, "Of the search");
  program.add_option("--family", settings.family, "Instructions: avx512, avx2 or scalar");
  program.add_option("--methods", settings.methods, "all, direct or winograd")
      ->check(CLI::IsMember({"all", "direct", "winograd"}));
  program.add_option("--microkernel", settings.microkernel, "This one alone, e.g. winograd_1d");
  program.add_option("--compiler", settings.compiler, "Name of the compiler");
  program.add_option("--optimization", settings.optimization, "Its level, e.g. -O3");
  program.add_option("--error", settings.error,
                     "Largest error over the outputs' root mean square; 0: any plain sum's, 1e-5 of Winograd's");
  program.add_option("--threads", settings.threads, "Of a program; more than one: what they gain")
      ->check(CLI::Range(1, 64));
  program.add_option("--against-random", settings.against_random, "Beside the best of so many random variants");
  program.add_flag("--search-alone", settings.search_alone, "Without peers");
  program.add_flag("--verbose", settings.verbose, "Every variant");
  CLI11_PARSE(program, count, arguments);
  return convscope::bench::run_all(settings);
}
