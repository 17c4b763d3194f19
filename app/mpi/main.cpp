// convscope-sweep-mpi: a sweep over the ranks of an MPI job. Rank 0 hands out chunks of points and puts the results
// together; every other rank compiles, and writes a results file of its own, so that a killed job loses at most the
// points in flight and --resume goes on.

#include <cstdio>
#include <filesystem>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include "app/cli/console.h"
#include "app/cli/describe_program.h"
#include "app/cli/exit_codes.h"
#include "app/cli/interrupt.h"
#include "app/manual/describe.h"
#include "app/mpi/chunks.h"
#include "app/mpi/messages.h"
#include "core/base/resources.h"
#include "core/base/sqlite.h"
#include "core/catalogue/standard.h"
#include "core/explore/space/space_reader.h"
#include "core/explore/sweep/sweep.h"

namespace convscope::mpi {
namespace {

using cli::ExitCode;
using explore::StrategyKind;

constexpr auto summary = "Compiles networks for every machine of a space, over the ranks of an MPI job";

struct Options {
  std::string space, output, strategy = "grid";
  std::uint64_t budget = 0, seed = 1, chunk = 64;
  int threads = 1;
  bool resume = false;
};

/// Between MPI_Init and MPI_Finalize.
struct Job {
  Job(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  ~Job() { MPI_Finalize(); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  int rank = 0, ranks = 1;
};

std::string rank_file(const Options& options, int rank) {
  return fmt::format("{}.rank{}", options.output, rank);
}

/// Files of ranks of this or an earlier job, however many there were.
std::vector<std::string> rank_files(const Options& options) {
  const std::filesystem::path output = options.output;
  const std::string prefix = output.filename().string() + ".rank";
  std::vector<std::string> files;
  std::error_code error;
  const auto folder = output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool numbered = name.size() > prefix.size() && name.compare(0, prefix.size(), prefix) == 0 &&
                          name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    if (numbered) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::unordered_set<std::uint64_t> stored_points(const std::vector<std::string>& files) {
  std::unordered_set<std::uint64_t> points;
  for (const std::string& file : files) {
    const Database database(file, Database::Access::write);                     // a killed writer's log is taken over
    if (database.integer("SELECT count(*) FROM sqlite_master") == 0) continue;  // killed before it had begun
    Statement rows(database, "SELECT point FROM points");
    while (rows.step()) points.insert(static_cast<std::uint64_t>(rows.integer(0)));
  }
  return points;
}

void remove_rank_files(const std::vector<std::string>& files) {
  std::error_code ignored;
  for (const std::string& file : files)
    for (const char* suffix : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(file + suffix, ignored);
}

ExitCode work(const Options& options, const Chunks& chunks, int rank, const std::stop_token& stop,
              Diagnostics& diagnostics) {
  const explore::ResultsIdentity identity{"convscope " CONVSCOPE_VERSION, explore::strategy_text(chunks.options), {}};
  const auto file = explore::ResultsFile::resume(rank_file(options, rank), chunks.space, identity, diagnostics);
  if (!file) return cli::refused;
  explore::Sweep sweep(chunks.space, std::make_unique<AskedChunks>(chunks), file.get());
  const auto executor = engine::make_tbb_executor(options.threads);
  const auto cache = explore::make_sweep_cache();
  switch (sweep.run(*executor, *cache, stop, {}, diagnostics)) {
    case explore::SweepEnd::finished:
      return stop.stop_requested() ? cli::cancelled : cli::done;
    case explore::SweepEnd::cancelled:
      return cli::cancelled;
    case explore::SweepEnd::failed:
      break;
  }
  return cli::refused;
}

ExitCode coordinate(const Options& options, const Chunks& chunks, int workers, const std::stop_token& stop,
                    Diagnostics& diagnostics) {
  try {
    hand_out(chunks, stored_points(rank_files(options)), workers, stop);
  } catch (const SqlError& error) {
    diagnostics.error({options.output, 0, {}}, fmt::format("earlier results can't be read: {}", error.what()));
    return cli::refused;
  }
  return stop.stop_requested() ? cli::cancelled : cli::done;
}

ExitCode put_together(const Options& options, Diagnostics& diagnostics) {
  const std::vector<std::string> files = rank_files(options);
  if (!explore::merge_results(files, options.output, diagnostics)) return cli::refused;
  remove_rank_files(files);
  return cli::done;
}

/// What all ranks agree on before anything runs: every one reads the same files, rank 0 speaks.
std::optional<Chunks> prepare(const Options& options, Diagnostics& diagnostics) {
  if (!find_data(diagnostics)) return std::nullopt;
  auto read = explore::read_space_file(options.space, catalogue::standard(), diagnostics);
  if (!read) return std::nullopt;
  const auto space = std::make_shared<const explore::Space>(std::move(*read));
  const explore::StrategyOptions strategy{
      options.strategy == "grid" ? StrategyKind::grid : StrategyKind::random, options.budget, options.seed, {}};
  if (!explore::check_strategy(strategy, *space, diagnostics)) return std::nullopt;
  return Chunks(strategy, space, options.chunk);
}

bool check_files(const Options& options, Diagnostics& diagnostics) {
  if (options.resume || (!std::filesystem::exists(options.output) && rank_files(options).empty())) return true;
  diagnostics.error({options.output, 0, {}}, "there are results already", "a new file", "--resume goes on with them");
  return false;
}

int worst_of(int code) {
  int worst = code;
  MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

// A rank that fails ends the job: the others would wait for it. What they stored stays.
int end_job(cli::Console& console, const Diagnostics& diagnostics, int code) {
  console.report(diagnostics);
  if (code == cli::refused || code == cli::internal_error) MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

int sweep(const Options& options, const Job& job, cli::Console& console, const std::stop_token& stop) {
  Diagnostics diagnostics;
  const bool speaks = job.rank == coordinator;
  const auto chunks = prepare(options, diagnostics);
  const bool fine = chunks && (!speaks || check_files(options, diagnostics));
  if (speaks) console.report(diagnostics);
  if (worst_of(fine ? cli::done : cli::refused) != cli::done) return cli::refused;
  if (job.ranks < 2) {
    if (speaks) console.error("this takes at least two ranks: one that hands out points, and one that compiles");
    return cli::wrong_usage;
  }
  diagnostics = {};
  const ExitCode code = speaks ? coordinate(options, *chunks, job.ranks - 1, stop, diagnostics)
                               : work(options, *chunks, job.rank, stop, diagnostics);
  end_job(console, diagnostics, code);
  if (worst_of(code) == cli::cancelled) {
    if (speaks) console.error("cancelled; what was finished is kept, and --resume goes on with it");
    return cli::cancelled;
  }
  return speaks ? end_job(console, diagnostics, put_together(options, diagnostics)) : cli::done;
}

void add_options(CLI::App& program, Options& options) {
  program.set_version_flag("--version", "convscope-sweep-mpi " CONVSCOPE_VERSION);
  program.add_option("SPACE", options.space, "The space, see docs/space.md")->required();
  program.add_option("-o,--output", options.output, "Results file (SQLite)")->required();
  program.add_flag("--resume", options.resume, "Go on with what an earlier job left");
  program.add_option("--strategy", options.strategy, "grid, or random: --budget points")
      ->check(CLI::IsMember({"grid", "random"}))
      ->capture_default_str();
  program.add_option("--budget", options.budget, "Points to draw (random)");
  program.add_option("--seed", options.seed, "Of the random choice")->capture_default_str();
  program.add_option("--chunk", options.chunk, "Points handed out at a time")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  program.add_option("--threads", options.threads, "Threads of each rank")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

/// Manual page and completion, without any job.
int describe(const std::string& folder) {
  cli::Console console;
  Options options;
  CLI::App program(summary, "convscope-sweep-mpi");
  add_options(program, options);
  manual::Program description = cli::describe_program(program);
  description.exits = cli::exit_meanings();
  Diagnostics diagnostics;
  const bool written = manual::write_descriptions(description, folder, diagnostics);
  console.report(diagnostics);
  return written ? cli::done : cli::refused;
}

int run(int argc, char** argv) {
  if (const auto folder = manual::describe_folder(argc, argv)) return describe(*folder);
  cli::Interrupt interrupt;  // before MPI makes its threads
  const Job job(&argc, &argv);
  cli::Console console;
  Options options;
  CLI::App program(summary, "convscope-sweep-mpi");
  add_options(program, options);
  try {
    program.parse(argc, argv);
    return sweep(options, job, console, interrupt.token());
  } catch (const CLI::ParseError& error) {
    if (job.rank != coordinator) return error.get_exit_code() == 0 ? cli::done : cli::wrong_usage;
    return cli::answer(program, error, console);
  } catch (const std::exception& exception) {
    console.error(std::string("internal error: ") + exception.what());
    MPI_Abort(MPI_COMM_WORLD, cli::internal_error);
    return cli::internal_error;
  }
}

}  // namespace
}  // namespace convscope::mpi

int main(int argc, char** argv) {
  return convscope::mpi::run(argc, argv);
}
