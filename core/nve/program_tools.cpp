#include "core/nve/program_tools.h"

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"
#include "core/nve/examine_program.h"
#include "core/nve/simulation_result.h"
#include "core/nve/trace/program_trace.h"
#include "core/nve/verify/verify_program.h"
#include "core/reference/image_file.h"
#include "core/target/instruction_lines.h"
#include "core/target/recognize.h"

namespace convscope::nve {
namespace {

/// Nothing, with diagnostics, if it can't be read or breaks a rule.
std::optional<Program> read_and_verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) {
  std::vector<int> lines;
  auto program = read_any_program(content, file, diagnostics, &lines);
  if (!program) return std::nullopt;
  Diagnostics found;
  const bool right = verify_program(*program, found);
  target::append_at_lines(found, lines, file, diagnostics);
  if (!right) return std::nullopt;
  return program;
}

}  // namespace

bool NveProgramTools::recognizes(std::string_view content) const {
  static const target::AssemblyMarks assembly{"program", {"layer", "kernel", "output", "input", "machine"}};
  return target::is_program_file(content, "convscope-nve-program") || target::is_assembly(content, assembly);
}

bool NveProgramTools::verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const {
  return read_and_verify(content, file, diagnostics).has_value();
}

target::SimulationResult NveProgramTools::simulate(std::string_view content, const std::string& file,
                                                   const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const {
  const auto program = read_and_verify(content, file, diagnostics);
  ProgramCheck check;
  if (program) check = check_programs({*program}, layer_of(*program), simulation_input(options), stop, diagnostics);
  return program_result(check);
}

std::optional<std::string> NveProgramTools::assemble(std::string_view assembly, const std::string& file,
                                                     Diagnostics& diagnostics) const {
  const auto program = parse_assembly(assembly, file, diagnostics);
  if (!program) return std::nullopt;
  return write_program_file(*program);
}

std::optional<std::string> NveProgramTools::disassemble(std::string_view content, const std::string& file,
                                                        Diagnostics& diagnostics) const {
  const auto program = read_any_program(content, file, diagnostics);
  if (!program) return std::nullopt;
  return print_assembly(*program);
}

target::Examination NveProgramTools::examine(std::string_view content, const std::string& file, std::string_view wanted,
                                             std::int64_t steps, const std::stop_token& stop,
                                             Diagnostics& diagnostics) const {
  const auto program = read_any_program(content, file, diagnostics);
  const auto ours = read_any_program(wanted, "what is wanted", diagnostics);
  if (!program || !ours) return {};
  return examine_program(*program, *ours, file, steps, stop, diagnostics);
}

std::shared_ptr<const target::Trace> NveProgramTools::trace(std::string_view content, const std::string& file,
                                                            const target::OptionValues& options,
                                                            std::int64_t checkpoint_bytes, const std::stop_token& stop,
                                                            Diagnostics& diagnostics) const {
  auto program = read_and_verify(content, file, diagnostics);
  if (!program) return nullptr;
  const network::Layer layer = layer_of(*program);
  auto image = reference::load_image(options.text("image"), layer.in, diagnostics);
  if (!image) return nullptr;
  auto coefficients =
      reference::seeded_coefficients(layer, static_cast<std::uint64_t>(options.integer("coefficients-seed")));
  const auto strip = static_cast<int>(options.integer("strip"));
  return trace_program(*std::move(program), {*std::move(image), std::move(coefficients), strip}, checkpoint_bytes, stop,
                       diagnostics);
}

}  // namespace convscope::nve
