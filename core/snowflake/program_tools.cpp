#include "core/snowflake/program_tools.h"

#include <algorithm>
#include <utility>

#include "core/reference/image_inputs.h"
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

/// What layers read and write, for the image that is asked for.
std::shared_ptr<const TensorValues> values_of_image(const TrainedNetwork& network, const target::OptionValues& options,
                                                    const std::stop_token& stop, Diagnostics& diagnostics) {
  const reference::PixelScale pixels{static_cast<double>(options.integer("image-mean")),
                                     static_cast<double>(options.integer("image-scale"))};
  const auto inputs = reference::image_inputs(network.graph(), options.text("image"), pixels, diagnostics);
  auto values = inputs ? network.values(*inputs, diagnostics, stop) : std::nullopt;
  return values ? std::make_shared<const TensorValues>(*std::move(values)) : nullptr;
}

/// Nothing, with diagnostics, if an image is asked for that can't be taken; without one, seeded data are the last
/// resort.
std::optional<ProgramData> data_of_trace(const Program& program, const TrainedLayers& trained,
                                         const target::OptionValues& options, const std::stop_token& stop,
                                         Diagnostics& diagnostics) {
  const auto seed = static_cast<std::uint64_t>(options.integer("data-seed"));
  const bool of_image = !options.text("image").empty();
  if (!trained.network) {
    if (!of_image) return seeded_data(program, seed);
    diagnostics.error({program.name, 0, "image"}, "there are no weights for which an image would mean anything",
                      "a network's file that holds its weights", "without an image all data are seeded");
    return std::nullopt;
  }
  Diagnostics executed;
  const auto values = of_image ? values_of_image(*trained.network, options, stop, diagnostics)
                               : trained.network->seeded_values(seed, executed, stop);
  if (values) return trained_data(program, *trained.network, trained.positions, *values, seed, diagnostics);
  if (of_image) return std::nullopt;
  diagnostics.warning({program.name, 0, {}}, "runs with seeded data: the network can't be executed in floating point",
                      executed.empty() ? "" : executed.items().front().text());
  return seeded_data(program, seed);
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

std::shared_ptr<const target::Trace> trace_with_values(const Program& program, const TrainedLayers& trained,
                                                       const target::OptionValues& options,
                                                       std::int64_t checkpoint_bytes, const std::stop_token& stop,
                                                       Diagnostics& diagnostics) {
  if (!check_layers(program, diagnostics)) return nullptr;
  const auto data = data_of_trace(program, trained, options, stop, diagnostics);
  return data ? trace_program(program, *data, checkpoint_bytes, stop) : nullptr;
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
  const auto program = read_and_verify(content, file, stop, diagnostics);
  return program ? trace_with_values(*program, {}, options, checkpoint_bytes, stop, diagnostics) : nullptr;
}

}  // namespace convscope::snowflake
