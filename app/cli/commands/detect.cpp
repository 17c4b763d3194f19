#include <memory>

#include "app/cli/commands/commands.h"
#include "core/base/atomic_file.h"
#include "core/base/cancellation.h"
#include "core/target/measure.h"

namespace convscope::cli {
namespace {

struct DetectOptions {
  std::string target;
  std::string file;
};

ExitCode run(const DetectOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto target = context.catalogue->find_target(options.target);
  const target::MeasurementTools* tools = target ? target->measurement_tools() : nullptr;
  try {
    const auto preset = tools ? tools->detect(context.interrupt.token(), diagnostics) : std::nullopt;
    if (!preset && !diagnostics.has_errors())
      diagnostics.error({"--target", 0, options.target}, "this computer is no machine of the target",
                        "a target that measures, and knows what it measures on");
    if (preset && options.file.empty()) context.console.data(arch::write_preset(*preset));
    if (preset && !options.file.empty()) write_file_atomically(options.file, arch::write_preset(*preset), diagnostics);
  } catch (const Cancelled&) {
    return context.console.error("cancelled"), cancelled;
  }
  context.console.report(diagnostics);
  return diagnostics.has_errors() ? refused : done;
}

}  // namespace

Command add_detect(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("detect", "Print a preset of this computer, with measured speeds");
  const auto options = std::make_shared<DetectOptions>();
  for (const auto& target : catalogue.targets)
    if (target->measurement_tools() != nullptr) options->target = target->id();
  command->add_option("--target", options->target, "Machine that this computer is one of")->capture_default_str();
  command->add_option("-o,--output", options->file, "File to write the preset to; without it, standard output");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
