#include "core/snowflake/program_tools.h"

#include <algorithm>

#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/examine_program.h"
#include "core/snowflake/trace/program_trace.h"
#include "core/snowflake/verify/verify_program.h"
#include "core/target/instruction_lines.h"
#include "core/target/recognize.h"

namespace convscope::snowflake {
namespace {

artifact::NamedQuantity count(const char* key, double value) {
  return {key, {value, "", Origin::simulated}};
}

/// Without noise, or with noise alone, the ratio is infinite: the figure ends where 16 bits could tell no more.
constexpr double most_sqnr = 200;

void add_agreement(const FloatAgreement& agreement, target::SimulationResult& result) {
  if (agreement.pixels == 0) return;
  result.counted.push_back(count("sqnr", std::clamp(agreement.error.sqnr(), -most_sqnr, most_sqnr)));
  result.counted.push_back(
      count("argmax", static_cast<double>(agreement.same) / static_cast<double>(agreement.pixels)));
}

/// With the network's own values if it has them and they can be computed.
std::optional<ComparedRun> compared(const Program& program, const TrainedLayers& trained, std::uint64_t seed,
                                    std::optional<FloatAgreement>& agreement, const std::stop_token& stop,
                                    Diagnostics& diagnostics) {
  if (!trained.network) return run_and_compare(program, seed, diagnostics, {}, stop);
  Diagnostics executed;
  const auto values = trained.network->seeded_values(seed, executed, stop);
  if (!values) {
    diagnostics.warning({program.name, 0, {}}, "runs with seeded data: the network can't be executed in floating point",
                        executed.empty() ? "" : executed.items().front().text());
    return run_and_compare(program, seed, diagnostics, {}, stop);
  }
  auto run = run_trained(program, *trained.network, trained.positions, *values, seed, diagnostics, stop);
  if (!run) return std::nullopt;
  agreement = run->agreement;
  return std::move(run->run);
}

target::SimulationResult refused() {
  return {false, false, {count("cycles", 0), count("macs", 0), count("outputs", 0)}, {}};
}

/// Nothing, with diagnostics, if it can't be read or breaks a rule.
std::optional<Program> read_and_verify(std::string_view content, const std::string& file, const std::stop_token& stop,
                                       Diagnostics& diagnostics) {
  std::vector<int> lines;
  auto program = read_any_program(content, file, diagnostics, &lines);
  if (!program) return std::nullopt;
  Diagnostics found;
  const bool right = verify_program(*program, found, {}, stop).ok;
  target::append_at_lines(found, lines, file, diagnostics);
  if (!right) return std::nullopt;
  return program;
}

}  // namespace

target::SimulationResult run_program(const Program& program, const TrainedLayers& trained,
                                     const target::OptionValues& options, const std::stop_token& stop,
                                     Diagnostics& diagnostics) {
  const auto seed = static_cast<std::uint64_t>(options.integer("data-seed"));
  std::optional<FloatAgreement> agreement;
  const auto run = compared(program, trained, seed, agreement, stop, diagnostics);
  if (!run) return refused();
  if (!run->equal())
    diagnostics.error({program.name, 0, {}}, run->text(), "the outputs of the fixed-point reference",
                      "the verifier may say more: `convscope-cli verify`");
  if (run->result.refusal) return refused();
  std::int64_t outputs = 0;
  for (const LayerComparison& layer : run->layers) outputs += layer.words;
  target::SimulationResult result{
      true,
      run->equal(),
      {count("cycles", run->result.cycles), count("macs", static_cast<double>(run->result.total.macs)),
       count("outputs", static_cast<double>(outputs))},
      {}};
  if (agreement) add_agreement(*agreement, result);
  return result;
}

bool SnowflakeProgramTools::recognizes(std::string_view content) const {
  static const target::AssemblyMarks assembly{".program", {".dram", ".region", ".layer", ".block", ".machine"}};
  return target::is_program_file(content, "convscope-snowflake-program") || target::is_assembly(content, assembly);
}

bool SnowflakeProgramTools::verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const {
  return read_and_verify(content, file, {}, diagnostics).has_value();
}

target::SimulationResult SnowflakeProgramTools::simulate(std::string_view content, const std::string& file,
                                                         const target::OptionValues& options,
                                                         const std::stop_token& stop, Diagnostics& diagnostics) const {
  const auto program = read_and_verify(content, file, stop, diagnostics);
  if (!program) return refused();
  return run_program(*program, {}, options, stop, diagnostics);
}

std::optional<std::string> SnowflakeProgramTools::assemble(std::string_view assembly, const std::string& file,
                                                           Diagnostics& diagnostics) const {
  const auto program = parse_assembly(assembly, file, diagnostics);
  if (!program) return std::nullopt;
  return write_program_file(*program);
}

std::optional<std::string> SnowflakeProgramTools::disassemble(std::string_view content, const std::string& file,
                                                              Diagnostics& diagnostics) const {
  const auto program = read_any_program(content, file, diagnostics);
  if (!program) return std::nullopt;
  return print_assembly(*program);
}

target::Examination SnowflakeProgramTools::examine(std::string_view content, const std::string& file,
                                                   std::string_view wanted, std::int64_t steps,
                                                   const std::stop_token& stop, Diagnostics& diagnostics) const {
  const auto program = read_any_program(content, file, diagnostics);
  const auto ours = read_any_program(wanted, "what is wanted", diagnostics);
  if (!program || !ours) return {};
  return examine_program(*program, *ours, file, steps, stop, diagnostics);
}

std::shared_ptr<const target::Trace> SnowflakeProgramTools::trace(std::string_view content, const std::string& file,
                                                                  const target::OptionValues& options,
                                                                  std::int64_t checkpoint_bytes,
                                                                  const std::stop_token& stop,
                                                                  Diagnostics& diagnostics) const {
  auto program = read_and_verify(content, file, stop, diagnostics);
  if (!program || !check_layers(*program, diagnostics)) return nullptr;
  const ProgramData data = seeded_data(*program, static_cast<std::uint64_t>(options.integer("data-seed")));
  return trace_program(*std::move(program), data, checkpoint_bytes, stop);
}

}  // namespace convscope::snowflake
