#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/request/published.h"
#include "core/base/numbers.h"
#include "core/figures/tso/tso_calibration.h"

namespace convscope::cli {
namespace {

struct CalibrateOptions {
  std::vector<std::string> ranges;
  bool json = false;
};

std::string parameter_names() {
  std::string names;
  for (const auto& parameter : nmp::fitted_parameters)
    names += (names.empty() ? "" : ", ") + std::string(parameter.name);
  return names;
}

bool refuse(Diagnostics& diagnostics, const std::string& text, const std::string& what, const std::string& expected) {
  diagnostics.error({"--range", 0, {}}, fmt::format("'{}': {}", text, what), expected);
  return false;
}

/// "cas=10:20" or "cas=14", inside the limits of the machine's parameter.
bool set_range(const std::string& text, nmp::FittedRanges& ranges, Diagnostics& diagnostics) {
  const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  const std::string name = text.substr(0, equals);
  const auto parameter = std::find_if(nmp::fitted_parameters.begin(), nmp::fitted_parameters.end(),
                                      [&](const auto& each) { return each.name == name; });
  if (equals == std::string::npos || parameter == nmp::fitted_parameters.end())
    return refuse(diagnostics, text, "there is no such parameter to fit", parameter_names());
  const auto low =
      parse_number(std::string_view(text).substr(equals + 1, colon == std::string::npos ? colon : colon - equals - 1));
  const auto high = colon == std::string::npos ? low : parse_number(std::string_view(text).substr(colon + 1));
  const auto description = nmp::machine_description();
  const auto& limits = description->parameters[*description->find(name)];
  // Not "low > high": what is not a number fails here, too.
  if (!low || !high || !(*low <= *high) || !(*low >= limits.minimum) || !(*high <= limits.maximum))
    return refuse(diagnostics, text, "this is no range of the parameter",
                  fmt::format("{}=LOW:HIGH inside {:g}:{:g}", name, limits.minimum, limits.maximum));
  ranges[static_cast<std::size_t>(parameter - nmp::fitted_parameters.begin())] = {*low, *high};
  return true;
}

ExitCode calibrate(const CalibrateOptions& options, Context& context) {
  Diagnostics diagnostics;
  nmp::FittedRanges ranges = figures::physical_ranges();
  bool fine = true;
  for (const std::string& range : options.ranges) fine &= set_range(range, ranges, diagnostics);
  std::optional<figures::CalibrationReport> report;
  if (fine) {
    const analysis::PublishedTables published = request::load_published(diagnostics);
    const auto executor = context.make_executor();
    const auto cache = engine::make_memory_cache();
    report = figures::calibrate_tso(ranges,
                                    {executor.get(), cache.get(), &published, context.catalogue.get(),
                                     context.interrupt.token(), context.console.progress()},
                                    diagnostics);
  }
  context.console.report(diagnostics);
  if (!report || diagnostics.has_errors()) return refused;
  context.console.data(options.json ? figures::calibration_json(*report) : figures::calibration_text(*report));
  return done;
}

}  // namespace

Command add_calibrate(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "calibrate", "Fit preset nmp-board to the published times again, with errors of networks that were left out");
  const auto options = std::make_shared<CalibrateOptions>();
  command->add_option("--range", options->ranges, "NAME=LOW:HIGH or NAME=VALUE, repeated: where a parameter may lie")
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--json", options->json, "As JSON");
  return {command, [options](Context& context) { return calibrate(*options, context); }};
}

}  // namespace convscope::cli
