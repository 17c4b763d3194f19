#include "core/cpu/run/measure.h"

#include <algorithm>
#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/base/child_process.h"
#include "core/cpu/run/sandbox.h"

namespace convscope::cpu {
namespace {

constexpr auto helper_name = "convscope-run-generated", peers_name = "convscope-peers";
constexpr std::size_t peers_at_most = 3;

/// Beside our own program, where it is built and installed.
std::string find_beside(const std::string& name) {
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string beside = error ? std::string() : find_program((own.parent_path() / name).string());
  return beside.empty() ? find_program(name) : beside;
}

/// Seconds that executions of the slowest program take.
double patience(const Problem& problem) {
  return static_cast<double>(valid_macs(problem)) / 1e8;
}

RunRequest request_of(const Problem& problem, const std::vector<Runnable>& programs, const RunOptions& options,
                      std::chrono::milliseconds wall) {
  RunRequest request;
  request.problem = problem;
  for (const Family family : {Family::avx2, Family::avx512})
    if (programs.empty() && runs_here(family)) request.family = family;
  for (const Runnable& program : programs) {
    request.programs.push_back({program.compiled->library.string(), program.symbol, program.image, program.kernel,
                                program.output, program.transform});
    if (traits(program.family).lanes > traits(request.family).lanes) request.family = program.family;
  }
  request.sampling = options.sampling;
  request.sampling.threads = problem.threads > 1;
  request.only_check = options.only_check;
  request.accuracy = options.accuracy;
  request.cpu_seconds = static_cast<int>(wall.count() / 1000 + 1) * std::max(1, problem.threads);
  request.more_bytes = options.memory;
  return request;
}

std::chrono::milliseconds wall_of(const Problem& problem, std::size_t programs, const RunOptions& options) {
  // An execution to check, two to get ready, a sample at least.
  const double seconds = patience(problem) * 4 * static_cast<double>(programs) + options.sampling.seconds * 4;
  return options.wall + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

/// What became of the child itself, if it didn't answer.
Outcome ending_of(const ChildResult& child, std::chrono::milliseconds wall) {
  using End = ChildResult::End;
  if (child.end == End::not_started) return failed(Ending::unavailable, child.failure);
  if (child.end == End::timed_out)
    return failed(Ending::timeout, fmt::format("not done after {:.1f} s", std::chrono::duration<double>(wall).count()));
  if (child.end == End::signalled && child.signal == SIGKILL)
    return failed(Ending::memory, "ended by the system, for CPU time or memory");
  return failed(Ending::crash, "the program ended the process: " + child.failure);
}

Runnable runnable(const Generated& program, std::shared_ptr<const Compiled> compiled, std::string symbol) {
  return {std::move(compiled), std::move(symbol), program.family,   program.image,
          program.kernel,      program.output,    program.transform};
}

}  // namespace

std::string find_peers() {
  return find_beside(peers_name);
}

Availability find_availability(const std::string& compiler) {
  Availability found;
  found.toolchain = find_toolchain(compiler, found.reason);
  found.helper = find_beside(helper_name);
  if (found.reason.empty() && found.helper.empty())
    found.reason = fmt::format("the program {} isn't beside this one", helper_name);
  if (found.reason.empty() && !can_filter()) found.reason = "this kernel filters no system calls (seccomp)";
  return found;
}

std::unique_ptr<Laboratory> Laboratory::open(const Problem& problem, const Availability& availability,
                                             const RunOptions& options, const std::stop_token& stop,
                                             Diagnostics& diagnostics) {
  if (!availability.available()) {
    diagnostics.error({}, "nothing can be measured here: " + availability.reason, {},
                      "estimates and stored measurements are there without");
    return nullptr;
  }
  auto workspace = Workspace::create(diagnostics);
  if (!workspace) return nullptr;
  auto data = TestData::make(problem, options.seed, stop, diagnostics);
  if (!data) return nullptr;
  return std::unique_ptr<Laboratory>(new Laboratory(availability, options, std::move(*workspace), std::move(data)));
}

std::optional<Runnable> Laboratory::compile(const Generated& program, const std::stop_token& stop,
                                            Outcome& failure) const {
  return compile(program, *availability_.toolchain, options_.compile, stop, failure);
}

std::optional<Runnable> Laboratory::compile(const Generated& program, const Toolchain& toolchain,
                                            const CompileOptions& options, const std::stop_token& stop,
                                            Outcome& failure) const {
  if (!runs_here(program.family)) {
    failure =
        failed(Ending::unavailable, fmt::format("this processor has no {} instructions", traits(program.family).key));
    return std::nullopt;
  }
  auto compiled = cpu::compile(program, toolchain, options, workspace_, stop, failure);
  if (!compiled) return std::nullopt;
  return runnable(program, std::move(compiled), usual_symbol);
}

std::vector<std::optional<Runnable>> Laboratory::compile(const std::vector<Generated>& programs,
                                                         const std::stop_token& stop,
                                                         std::vector<Outcome>& failures) const {
  std::vector<std::optional<Runnable>> made(programs.size());
  failures.assign(programs.size(), Outcome{});
  for (const std::vector<std::size_t>& these : alike(programs)) {
    Outcome ignored;  // of whichever failed: each is asked alone then
    const auto all = together(programs, these);
    const auto shared = all ? compile(*all, stop, ignored) : std::nullopt;
    for (const std::size_t i : these)
      made[i] =
          shared ? runnable(programs[i], shared->compiled, symbol_of(i)) : compile(programs[i], stop, failures[i]);
  }
  return made;
}

RunAnswer Laboratory::run_in(const std::string& executable, const std::vector<Runnable>& programs,
                             const RunOptions& options, const std::stop_token& stop) const {
  throw_if_stopped(stop);
  const auto wall = wall_of(problem(), programs.size() + peers_at_most, options);
  ChildRequest request{{executable, text(request_of(problem(), programs, options, wall))},
                       {fmt::format("OMP_NUM_THREADS={}", problem().threads), "LC_ALL=C"}};
  request.limits.wall = wall;
  request.limits.no_files = true;
  request.input = data_->descriptor();
  const ChildResult child = run_child(request, stop);
  if (child.stopped()) throw Cancelled();
  RunAnswer answer = parse_answer(child.output).value_or(RunAnswer{{}, {ending_of(child, wall)}, false});
  for (std::size_t i = 0; i < answer.programs.size() && i < programs.size(); ++i) {
    answer.programs[i].compiler = programs[i].compiled->compiler;
    answer.programs[i].flags = programs[i].compiled->flags;
  }
  return answer;
}

std::vector<Outcome> Laboratory::run(const std::vector<Runnable>& programs, const RunOptions& options,
                                     const std::stop_token& stop) const {
  std::vector<Outcome> outcomes = run_in(availability_.helper, programs, options, stop).programs;
  outcomes.resize(programs.size());
  return outcomes;
}

RunAnswer Laboratory::run_with_peers(const std::vector<Runnable>& programs, const std::string& peers,
                                     const RunOptions& options, const std::stop_token& stop) const {
  return run_in(peers, programs, options, stop);
}

Outcome Laboratory::run(const Runnable& program, const std::stop_token& stop) const {
  return run({program}, options_, stop).front();
}

Outcome Laboratory::measure(const Generated& program, const std::stop_token& stop) const {
  Outcome failure;
  const auto runnable = compile(program, stop, failure);
  return runnable ? run(*runnable, stop) : failure;
}

}  // namespace convscope::cpu
