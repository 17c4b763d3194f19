#include "core/nmp/program_tools.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/examine_program.h"
#include "core/nmp/host/seeded_data.h"
#include "core/nmp/simulate/simulator.h"
#include "core/nmp/trace/program_trace.h"
#include "core/nmp/verify/verify_program.h"
#include "core/target/instruction_lines.h"
#include "core/target/recognize.h"

namespace convscope::nmp {
namespace {

std::int64_t macs_of(const SimulationResult& run) {
  std::int64_t macs = 0;
  for (const TltRun& tlt : run.tlts) macs += tlt.macs;
  return macs;
}

/// The instruction that the run ended at, as the verifier names it; empty if none is to blame.
std::string place_of(const std::optional<Refusal>& refusal) {
  return refusal && refusal->instruction >= 0 ? fmt::format("instruction {}", refusal->instruction) : std::string();
}

/// A program from a file or an editor.
struct ReadProgram {
  std::optional<Program> program;  ///< nothing, with diagnostics, if it can't be read or breaks a rule
  std::vector<int> lines;          ///< of its instructions, if it was assembly
};

ReadProgram read_and_verify(std::string_view content, const std::string& file, const std::stop_token& stop,
                            Diagnostics& diagnostics) {
  ReadProgram read;
  read.program = read_any_program(content, file, diagnostics, &read.lines);
  if (!read.program) return read;
  Diagnostics found;
  if (!verify_program(*read.program, found, {}, stop).ok) read.program.reset();
  target::append_at_lines(found, read.lines, file, diagnostics);
  return read;
}

}  // namespace

artifact::NamedQuantity count(const char* key, double value) {
  return {key, {value, "", Origin::simulated}};
}

target::SimulationResult refused_run() {
  return {false,
          false,
          {count("cycles", 0), count("software_cycles", 0), count("instructions", 0), count("macs", 0),
           count("outputs", 0)},
          {}};
}

target::SimulationResult run_program(const Program& program, const target::OptionValues& options,
                                     const std::stop_token& stop, Diagnostics& diagnostics) {
  const auto seed = static_cast<std::uint64_t>(options.integer("data-seed"));
  const ComparedRun run = run_and_compare(program, seed, {}, nullptr, stop);
  if (!run.equal())
    diagnostics.error({program.name, 0, place_of(run.result.refusal)}, run.text(),
                      "the outputs of the fixed-point reference", "the verifier may say more: `convscope-cli verify`");
  if (run.result.refusal) return refused_run();
  return result_of(program, run, stop);
}

target::SimulationResult result_of(const Program& program, const ComparedRun& run, const std::stop_token& stop) {
  const double clock = program.machine.clock_hz, seconds = run.result.seconds;
  const double software = software_seconds(program, run.result, {}, stop);
  const auto macs = static_cast<double>(macs_of(run.result));
  return {true,
          run.equal(),
          {count("cycles", std::round(seconds * clock)), count("software_cycles", std::round(software * clock)),
           count("instructions", static_cast<double>(run.result.instructions)), count("macs", macs),
           count("outputs", static_cast<double>(run.outputs))},
          {{"cycles", {std::round(seconds * clock), "cycles", Origin::simulated}},
           {"seconds", {seconds, "s", Origin::simulated}},
           {"utilization", {seconds > 0 ? macs / (seconds * program.machine.peak()) : 0, "", Origin::simulated}}}};
}

bool asks_for_network(const target::OptionValues& options, const Location& where, Diagnostics& diagnostics) {
  for (const char* option : {"image", "ranges"}) {
    if (options.text(option).empty()) continue;
    diagnostics.error(where, fmt::format("--{} is for a network as a whole; other programs run on seeded data", option),
                      "report --simulate --whole, with a network's file that holds weights");
    return true;
  }
  return false;
}

bool NmpProgramTools::recognizes(std::string_view content) const {
  static const target::AssemblyMarks assembly{".program", {".format", ".dram_bytes", ".regions"}};
  return target::is_program_file(content, "convscope-nmp-program") || target::is_assembly(content, assembly);
}

bool NmpProgramTools::verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const {
  return read_and_verify(content, file, {}, diagnostics).program.has_value();
}

target::SimulationResult NmpProgramTools::simulate(std::string_view content, const std::string& file,
                                                   const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const {
  if (asks_for_network(options, {file, 0, {}}, diagnostics)) return refused_run();
  const ReadProgram read = read_and_verify(content, file, stop, diagnostics);
  if (!read.program) return refused_run();
  Diagnostics found;
  target::SimulationResult result = run_program(*read.program, options, stop, found);
  target::append_at_lines(found, read.lines, file, diagnostics);
  result.figures.clear();  // nothing was compiled
  return result;
}

std::optional<std::string> NmpProgramTools::assemble(std::string_view assembly, const std::string& file,
                                                     Diagnostics& diagnostics) const {
  const auto program = parse_assembly(assembly, file, diagnostics);
  if (!program) return std::nullopt;
  return write_program_file(*program);
}

std::optional<std::string> NmpProgramTools::disassemble(std::string_view content, const std::string& file,
                                                        Diagnostics& diagnostics) const {
  const auto program = read_any_program(content, file, diagnostics);
  if (!program) return std::nullopt;
  return print_assembly(*program);
}

target::Examination NmpProgramTools::examine(std::string_view content, const std::string& file, std::string_view wanted,
                                             std::int64_t steps, const std::stop_token& stop,
                                             Diagnostics& diagnostics) const {
  std::vector<int> lines;
  const auto program = read_any_program(content, file, diagnostics, &lines);
  const auto ours = read_any_program(wanted, "what is wanted", diagnostics);
  if (!program || !ours) return {};
  Diagnostics found;
  target::Examination result = examine_program(*program, *ours, file, steps, stop, found);
  target::append_at_lines(found, lines, file, diagnostics);
  return result;
}

std::shared_ptr<const target::Trace> NmpProgramTools::trace(std::string_view content, const std::string& file,
                                                            const target::OptionValues& options,
                                                            std::int64_t checkpoint_bytes, const std::stop_token& stop,
                                                            Diagnostics& diagnostics) const {
  ReadProgram read = read_and_verify(content, file, stop, diagnostics);
  if (!read.program) return nullptr;
  Program& program = *read.program;
  const auto tlt = static_cast<int>(options.integer("tlt"));
  if (tlt >= program.tlts()) {
    diagnostics.error({file, 0, "tlt"}, fmt::format("there is no TLT {}", tlt),
                      fmt::format("0 to {}", program.tlts() - 1));
    return nullptr;
  }
  if (const std::string why = why_not_with_data(program); !why.empty()) {
    diagnostics.error({file, 0, {}}, why);
    return nullptr;
  }
  std::vector<std::uint8_t> dram = seeded_dram(program, static_cast<std::uint64_t>(options.integer("data-seed")));
  return trace_program(std::move(program), std::move(dram), tlt, checkpoint_bytes, stop);
}

}  // namespace convscope::nmp
